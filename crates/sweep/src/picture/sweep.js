// Points of a sweep: each element of class "sweep" holds its rows as JSON. A canvas shows one output over one or two keys, the value
// under the cursor, and, at a click, the command that makes the run again.
(function () {
  "use strict";
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
  const EIGHT = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
  // A colour of the scale that the figures have, too.
  function shade(stops, share) {
    const at = Math.min(0.9999, Math.max(0, share)) * (stops.length - 1), k = Math.floor(at);
    return "rgb(" + stops[k].map((v, i) => Math.round(v + (at - k) * (stops[k + 1][i] - v))).join(",") + ")";
  }
  // Where a value lies on its axis: equal ratios are equal lengths on a scale of ratios, whose values have one sign.
  const onScale = (log, v) => (log && v !== 0 ? Math.sign(v) * Math.log10(Math.abs(v)) : v);
  
  // Powers of ten; of fewer than three of them, twice and five times these as well.
  function decades(lo, hi, sign) {
    const [least, most] = sign < 0 ? [-hi, -lo] : [lo, hi], steps = most - least > 3 ? [1] : [1, 2, 5], values = [];
    const every = Math.max(1, Math.ceil((most - least) / 8));
    for (let k = Math.floor(least); k <= most; k += every)
      for (const step of steps) if (k + Math.log10(step) >= least - 1e-9 && k + Math.log10(step) <= most + 1e-9) values.push(sign * step * 10 ** k);
    return values.map((value) => [value, stickslipLabels.reading(value, 0)]);
  }
  function ticks(lo, hi, wanted) {
    const raw = (hi - lo) / wanted || 1, unit = 10 ** Math.floor(Math.log10(raw)), share = raw / unit;
    const step = unit * (share < 1.415 ? 1 : share < 3.163 ? 2 : share < 7.072 ? 5 : 10), values = [];
    for (let i = Math.ceil(lo / step); i * step <= hi + 1e-9 * step && values.length < 30; i++) values.push(i * step);
    const labels = stickslipLabels.ticks(values, step);
    return values.map((value, i) => [value, labels[i]]);
  }
  function range(values) {
    let lo = Infinity, hi = -Infinity;
    for (const v of values) if (v != null) { lo = Math.min(lo, v); hi = Math.max(hi, v); }
    if (!(lo <= hi)) return [0, 1];
    return lo < hi ? [lo, hi] : [lo - 0.5, hi + 0.5];
  }

  function build(element) {
    const D = JSON.parse(element.querySelector("script").textContent), C = D.columns;
    if (!D.rows.length) return;
    const titled = (k) => C[k].name + (C[k].unit && C[k].unit !== "1" ? ` (${C[k].unit})` : "");
    const bar = document.createElement("div");
    bar.className = "controls";
    bar.innerHTML = '<label>Show <select class="what"></select></label> <label>over <select class="x"></select></label> ' +
      '<label>and <select class="y"></select></label><output class="value"></output>';
    const canvas = document.createElement("canvas"), command = document.createElement("pre");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "Points of the sweep. Arrow keys go from point to point, Enter shows the command of one.");
    canvas.tabIndex = 0;
    canvas.style.width = "100%";
    command.hidden = true;
    command.tabIndex = 0;
    command.setAttribute("aria-label", "the command that makes the run again");
    element.append(bar, canvas, command);
    const [what, xs, ys] = ["what", "x", "y"].map((name) => bar.querySelector("." + name)), output = bar.querySelector("output");
    const outputs = C.map((_, k) => k).filter((k) => k >= D.varied);
    what.append(...outputs.map((k) => new Option(titled(k), k)));
    if (D.classes.length && !D.runs.length) what.append(new Option(D.title, "class"));
    const keys = C.map((_, k) => k).filter((k) => k < D.varied);
    xs.append(...keys.map((k) => new Option(titled(k), k)));
    ys.append(new Option("nothing", ""), ...keys.map((k) => new Option(titled(k), k)));
    xs.value = keys[keys.length - 1];
    ys.value = D.grid ? keys[keys.length - 2] : "";
    const there = new Set(D.classes), kinds = D.kinds.filter((kind) => there.has(kind));
    const tint = (name) => D.colours.classes[D.kinds.indexOf(name) % D.colours.classes.length];
    const hollow = new Set(D.hollow), directed = D.runs.length && kinds.length > 1;
    let at = 0, places = [];

    function draw() {
      const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth || 700, height = Math.round(Math.min(460, 0.62 * width));
      // On phones the button that saves the picture stands above the choices, not on them.
      bar.style.paddingTop = width < 600 ? "34px" : "";
      canvas.width = width * ratio;
      canvas.height = height * ratio;
      canvas.style.height = height + "px";
      const g = canvas.getContext("2d");
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      g.font = FONT;
      const X = Number(xs.value), plane = ys.value !== "", isClass = what.value === "class";
      const V = isClass ? null : Number(what.value), Y = plane ? Number(ys.value) : V;
      // The legend of directions stands above the points.
      const legend = directed && !plane;
      const box = { l: 78, r: width - (plane ? 96 : 16), t: legend ? 34 : 12, b: height - 46 };
      const ofKey = (k) => (k != null && k < D.varied && C[k].log ? true : false);
      const [logX, logY] = [ofKey(X), ofKey(Y)], sign = (k) => Math.sign(D.rows[0][k]) || 1;
      const column = (k) => D.rows.map((row) => (row[k] == null ? null : onScale(ofKey(k), row[k])));
      const classY = (i) => kinds.indexOf(D.classes[i]);
      const all = { x: column(X), y: Y == null ? null : column(Y) };
      const xr = range(all.x), yr = Y == null ? [-0.5, kinds.length - 0.5] : range(all.y), vr = V == null ? [0, 1] : range(column(V));
      const cell = plane && D.grid && X === keys[keys.length - 1] && Y === keys[keys.length - 2] ? D.grid : null;
      // Cells reach halfway to their neighbours, on the scale of their axis.
      const halves = (at) => at.length < 2 ? [at[0] - 0.5, at[0] + 0.5] :
        [1.5 * at[0] - 0.5 * at[1], ...at.slice(1).map((v, i) => 0.5 * (v + at[i])), 1.5 * at[at.length - 1] - 0.5 * at[at.length - 2]];
      const edges = cell && [halves(all.x.slice(0, cell[0])), halves(all.y.filter((_, i) => i % cell[0] === 0))];
      const pad = (r) => { const d = 0.03 * (r[1] - r[0]); return [r[0] - d, r[1] + d]; };
      const [x0, x1] = cell ? range(edges[0]) : pad(xr), [y0, y1] = cell ? range(edges[1]) : pad(yr);
      const along = (u) => box.l + (u - x0) / (x1 - x0) * (box.r - box.l), up = (u) => box.b - (u - y0) / (y1 - y0) * (box.b - box.t);
      const px = (x) => along(onScale(logX, x)), py = (y) => up(onScale(logY, y));
      const marks = (k, log, lo, hi, wanted) => log ? decades(lo, hi, sign(k)) : ticks(lo, hi, wanted);
      g.fillStyle = colour("paper");
      g.fillRect(0, 0, width, height);
      g.strokeStyle = colour("grid");
      g.fillStyle = colour("muted");
      g.textAlign = "center";
      for (const [v, label] of marks(X, logX, x0, x1, Math.max(3, width / 130))) {
        g.beginPath(); g.moveTo(px(v), box.t); g.lineTo(px(v), box.b); g.stroke();
        g.fillText(label, px(v), box.b + 16);
      }
      g.textAlign = "right";
      const rows = Y == null ? kinds.map((name, k) => [k, name]) : marks(Y, logY, y0, y1, 6);
      for (const [v, label] of rows) {
        g.beginPath(); g.moveTo(box.l, py(v)); g.lineTo(box.r, py(v)); g.stroke();
        g.fillText(label, box.l - 6, py(v) + 4);
      }
      g.fillStyle = colour("ink");
      g.textAlign = "center";
      g.fillText(titled(X), 0.5 * (box.l + box.r), height - 8);
      g.save();
      g.translate(14, 0.5 * (box.t + box.b));
      g.rotate(-Math.PI / 2);
      g.fillText(Y == null ? "class" : titled(Y), 0, 0);
      g.restore();
      const strong = (i) => colour(EIGHT[Math.max(0, classY(i)) % 8]);
      const paint = (i) => plane && isClass ? tint(D.classes[i]) : isClass ? strong(i) :
        plane ? shade(D.colours.values, (D.rows[i][V] - vr[0]) / (vr[1] - vr[0])) : directed ? strong(i) : colour("first");
      places = D.rows.map((row, i) => {
        const y = Y == null ? classY(i) : row[Y];
        if (row[X] == null || y == null || (V != null && row[V] == null) || (isClass && classY(i) < 0)) return null;
        return [px(row[X]), py(y)];
      });
      const frame = (i) => {
        const [a, b] = [i % cell[0], Math.floor(i / cell[0])].map((k, axis) => edges[axis].slice(k, k + 2));
        const [xs, ys] = [a.map(along), b.map(up)];
        return [Math.min(...xs), Math.min(...ys), Math.abs(xs[1] - xs[0]), Math.abs(ys[1] - ys[0])];
      };
      places.forEach((p, i) => {
        if (!p) return;
        g.fillStyle = paint(i);
        if (cell) { const [x, y, w, h] = frame(i); g.fillRect(x, y, w + 0.5, h + 0.5); return; }
        // Points of the first direction are larger, so that those of the other do not hide them.
        const radius = (D.rows.length > 2000 ? 1.5 : 3) * (legend && classY(i) === 0 ? 1.6 : 1);
        g.beginPath(); g.arc(p[0], p[1], radius, 0, 7);
        if (hollow.has(i)) { g.strokeStyle = g.fillStyle; g.stroke(); } else g.fill();
        // Pale colours are seen by their rim.
        if (plane && D.rows.length <= 2000) { g.strokeStyle = colour("frame"); g.lineWidth = 0.5; g.stroke(); g.lineWidth = 1; }
      });
      if (legend) {
        g.textAlign = "left";
        let x = box.l + 8;
        kinds.forEach((name, k) => {
          g.fillStyle = colour(EIGHT[k % 8]);
          g.beginPath(); g.arc(x + 4, box.t - 14, k === 0 ? 5 : 3.5, 0, 7); g.fill();
          g.fillStyle = colour("ink");
          g.fillText(name, x + 13, box.t - 10);
          x += 30 + g.measureText(name).width;
        });
      }
      if (plane && isClass) {
        g.textAlign = "left";
        kinds.forEach((name, k) => {
          g.fillStyle = tint(name);
          g.fillRect(box.r + 10, box.t + 18 * k, 12, 12);
          g.fillStyle = colour("ink");
          g.fillText(name, box.r + 27, box.t + 18 * k + 10);
        });
      } else if (plane) {
        for (let k = 0; k < 100; k++) { g.fillStyle = shade(D.colours.values, k / 99); g.fillRect(box.r + 12, box.b - (k + 1) / 100 * (box.b - box.t), 14, (box.b - box.t) / 100 + 1); }
        g.fillStyle = colour("muted");
        g.textAlign = "left";
        for (const [v, label] of ticks(vr[0], vr[1], 5)) g.fillText(label, box.r + 30, box.b - (v - vr[0]) / (vr[1] - vr[0]) * (box.b - box.t) + 4);
      }
      const p = places[at];
      if (p) {
        g.strokeStyle = colour("slip");
        g.lineWidth = 2;
        const [, , w, h] = cell ? frame(at) : [0, 0, 0, 0];
        g.strokeRect(p[0] - Math.max(5, w / 2), p[1] - Math.max(5, h / 2), Math.max(10, w), Math.max(10, h));
        g.lineWidth = 1;
      }
      const row = D.rows[at];
      const words = C.map((c, k) => c.name + " " + stickslipLabels.reading(row[k], 0) + (c.unit && c.unit !== "1" ? " " + c.unit : ""));
      if (D.classes.length) words.push(D.title + " " + (D.classes[at] || "–"));
      output.textContent = words.join(", ");
    }
    function nearest(event) {
      const frame = canvas.getBoundingClientRect(), x = event.clientX - frame.left, y = event.clientY - frame.top;
      let best = -1, far = Infinity;
      places.forEach((p, i) => { const d = p ? Math.hypot(p[0] - x, p[1] - y) : Infinity; if (d < far) [best, far] = [i, d]; });
      return best;
    }
    function show() {
      command.hidden = false;
      command.textContent = D.command + D.settings[D.runs.length ? D.runs[at] : at];
    }
    canvas.addEventListener("pointermove", (event) => { const k = nearest(event); if (k >= 0 && k !== at) { at = k; draw(); } });
    canvas.addEventListener("click", (event) => { const k = nearest(event); if (k >= 0) { at = k; draw(); show(); } });
    canvas.addEventListener("keydown", (event) => {
      const row = D.grid ? D.grid[0] : 10, steps = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: row, ArrowDown: -row };
      if (event.key in steps) { at = Math.min(D.rows.length - 1, Math.max(0, at + steps[event.key])); draw(); event.preventDefault(); }
      if (event.key === "Enter") show();
    });
    [what, xs, ys].forEach((select) => select.addEventListener("change", draw));
    window.addEventListener("resize", draw);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    draw();
  }
  document.querySelectorAll(".sweep").forEach(build);
})();

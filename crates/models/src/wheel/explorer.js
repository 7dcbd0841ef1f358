// The nine regions of a driven and braked wheel in the plane (z1, z2), moving with the brake.
(function () {
  "use strict";
  const { colour } = stickslipClock;
  const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
  const DIRECTIONS = [[0, 0], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
  const sign = (d) => (d > 0 ? "+" : d < 0 ? "−" : "0");
  const pair = (k) => "(" + sign(DIRECTIONS[k][0]) + ", " + sign(DIRECTIONS[k][1]) + ")";
  const number = (v, digits) => (v === 0 ? "0" : Number.isFinite(v) ? v.toPrecision(digits).replace("-", "−") : "–");

  // Conditions of a region as [a, b, c]: a z1 + b z2 ≤ c.
  function halfPlanes(k, d1, d2, aG, aB) {
    const [e, b] = DIRECTIONS[k], w = (d1 + d2) * aG;
    if (!e && !b) return [[1, 0, d1 * aG], [-1, 0, d1 * aG], [-d2 / d1, 1, d2 * aB], [d2 / d1, -1, d2 * aB]];
    if (!b) return [[-e, 0, -d1 * aG], [0, 1, d2 * (e * aG + aB)], [0, -1, -d2 * (e * aG - aB)]];
    if (!e) return [[b * d2 / d1, -b, -d2 * aB], [1, 1, b * d2 * aB + w], [-1, -1, -b * d2 * aB + w]];
    return [[-e, -e, -e * b * d2 * aB - w], [0, -b, -d2 * (b * e * aG + aB)]];
  }

  function cut(polygon, [a, b, c]) {
    const out = [];
    polygon.forEach((p, i) => {
      const q = polygon[(i + 1) % polygon.length];
      const here = a * p[0] + b * p[1] - c, there = a * q[0] + b * q[1] - c;
      if (here <= 0) out.push(p);
      if (here * there < 0) {
        const s = here / (here - there);
        out.push([p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])]);
      }
    });
    return out;
  }

  function centroid(polygon) {
    let area = 0, x = 0, y = 0;
    const [ox, oy] = polygon[0];
    polygon.forEach((p, i) => {
      const q = polygon[(i + 1) % polygon.length];
      const c = (p[0] - ox) * (q[1] - oy) - (q[0] - ox) * (p[1] - oy);
      area += c / 2;
      x += c * (p[0] + q[0] - 2 * ox) / 6;
      y += c * (p[1] + q[1] - 2 * oy) / 6;
    });
    return area ? [ox + x / area, oy + y / area, Math.abs(area)] : [ox, oy, 0];
  }

  function clearance(polygon, [x, y]) {
    return Math.min(...polygon.map((p, i) => {
      const q = polygon[(i + 1) % polygon.length], dx = q[0] - p[0], dy = q[1] - p[1];
      const s = Math.max(0, Math.min(1, ((x - p[0]) * dx + (y - p[1]) * dy) / (dx * dx + dy * dy || 1)));
      return Math.hypot(x - p[0] - s * dx, y - p[1] - s * dy);
    }));
  }

  function ticks(lo, hi, wanted) {
    const raw = (hi - lo) / wanted, unit = 10 ** Math.floor(Math.log10(raw)), share = raw / unit;
    const step = unit * (share < 1.415 ? 1 : share < 3.163 ? 2 : share < 7.072 ? 5 : 10);
    const values = [];
    for (let i = Math.ceil(lo / step); i * step <= hi && values.length < 50; i++) values.push(i * step);
    const labels = stickslipLabels.ticks(values, step);
    return values.map((value, i) => [value, labels[i]]);
  }

  function build(figure) {
    const D = JSON.parse(figure.querySelector("script").textContent);
    const last = D.t.length - 1;
    if (last < 0) return;
    figure.insertAdjacentHTML("beforeend",
      '<canvas role="img" aria-label="regions of the plane z1, z2"></canvas><div class="readout"></div>' +
      '<div class="controls"><button type="button">Play</button>' +
      '<input type="range" class="time" min="0" max="' + last + '" step="1" value="0" aria-label="time"><span class="clock"></span>' +
      '<span>Zoom</span><input type="range" class="zoom" min="0" max="1" step="0.001" value="0" aria-label="zoom">' +
      '<select aria-label="centre of the zoom"><option value="origin">at the origin</option><option value="point">at the point</option></select></div>');
    const canvas = figure.querySelector("canvas"), readout = figure.querySelector(".readout");
    const time = figure.querySelector(".time"), zoom = figure.querySelector(".zoom");
    const about = figure.querySelector("select"), button = figure.querySelector("button");
    const clock = figure.querySelector(".clock");

    const ends = (values) => values.reduce(([lo, hi], v) => [Math.min(lo, v), Math.max(hi, v)], [0, 0]);
    const most = (values) => Math.max(...ends(values).map(Math.abs)) || 1;
    const small = [3 * D.d1 * most(D.aG), 1.3 * D.d2 * (most(D.aG) + most(D.aB))];
    const box = [D.z1, D.z2].map((values, k) => {
      const [lo, hi] = ends(values), half = Math.max(0.56 * (hi - lo), small[k]);
      return { centre: (lo + hi) / 2, half };
    });

    // Half sizes shrink geometrically from the whole trajectory to region 0, each axis at its own rate.
    function view(i) {
      const s = +zoom.value, target = about.value === "point" ? [D.z1[i], D.z2[i]] : [0, 0];
      return box.map(({ centre, half }, k) => {
        const size = half ** (1 - s) * small[k] ** s;
        // The centre reaches its target sooner than the size does, so that it stays in view.
        const middle = target[k] + (centre - target[k]) * (size / half) * (1 - s) ** 2;
        return [middle - size, middle + size];
      });
    }

    function draw() {
      const i = +time.value, ratio = window.devicePixelRatio || 1;
      const W = canvas.clientWidth || 600, H = Math.min(520, Math.max(320, 0.78 * W));
      canvas.width = W * ratio;
      canvas.height = H * ratio;
      canvas.style.height = H + "px";
      const ctx = canvas.getContext("2d");
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      const plot = { x: 62, y: 8, w: W - 72, h: H - 54 };
      const [[x0, x1], [y0, y1]] = view(i);
      const X = (v) => plot.x + plot.w * (v - x0) / (x1 - x0);
      const Y = (v) => plot.y + plot.h * (y1 - v) / (y1 - y0);
      ctx.save();
      ctx.beginPath();
      ctx.rect(plot.x, plot.y, plot.w, plot.h);
      ctx.clip();
      const labels = regions(ctx, i, [x0, x1, y0, y1], X, Y);
      trajectory(ctx, i, X, Y);
      labels.forEach((write) => write());
      point(ctx, X(D.z1[i]), Y(D.z2[i]));
      ctx.restore();
      axes(ctx, plot, [x0, x1, y0, y1], X, Y);
      describe(i);
    }

    function regions(ctx, i, [x0, x1, y0, y1], X, Y) {
      const whole = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], labels = [];
      let current = null;
      for (let k = 0; k < 9; k++) {
        const cuts = halfPlanes(k, D.d1, D.d2, D.aG[i], D.aB[i]);
        const polygon = cuts.reduce(cut, whole).map(([a, b]) => [X(a), Y(b)]);
        if (polygon.length < 3) continue;
        const slips = (DIRECTIONS[k][0] !== 0) + (DIRECTIONS[k][1] !== 0);
        outline(ctx, polygon);
        ctx.fillStyle = colour(["stick-tint", "stick-pale", "slip-pale"][slips]);
        ctx.fill();
        ctx.lineWidth = 1;
        ctx.strokeStyle = colour("frame");
        ctx.stroke();
        if (k === D.region[i]) current = polygon;
        labels.push(() => name(ctx, k, polygon, X(D.z1[i]), Y(D.z2[i])));
      }
      if (current) {
        outline(ctx, current);
        ctx.lineWidth = 3;
        ctx.strokeStyle = colour("ink");
        ctx.stroke();
      }
      return labels;
    }

    function outline(ctx, polygon) {
      ctx.beginPath();
      polygon.forEach(([x, y], j) => (j ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
      ctx.closePath();
    }

    // In the middle of the region, or beside it where the point stands.
    function name(ctx, k, polygon, pointX, pointY) {
      const [mx, my, area] = centroid(polygon);
      const room = area > 150 ? clearance(polygon, [mx, my]) : 0;
      if (room < 7) return;
      const free = ([dx, dy]) => Math.hypot(mx + dx - pointX, my + dy - pointY) > 36 &&
        (dx === 0 && dy === 0 || clearance(polygon, [mx + dx, my + dy]) > 24 && room > Math.hypot(dx, dy));
      const [dx, dy] = [[0, 0], [0, -50], [0, 50], [70, 0], [-70, 0]].find(free) || [0, 0];
      const x = mx + dx, y = my + dy;
      const lines = room > 24 ? [["700 15px ", String(k), -8], ["12px ", pair(k), 9]] : [["700 13px ", String(k), 0]];
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.lineJoin = "round";
      for (const [font, text, drop] of lines) {
        ctx.font = font + FONT;
        ctx.lineWidth = 3;
        ctx.strokeStyle = colour("paper") + "cc";
        ctx.strokeText(text, x, y + drop);
        ctx.fillStyle = colour("ink");
        ctx.fillText(text, x, y + drop);
      }
    }

    // The past is drawn stronger than the future.
    function trajectory(ctx, i, X, Y) {
      for (const [from, to, width, style] of [[i, last, 1.2, colour("reference")], [0, i, 2, colour("ink")]]) {
        ctx.beginPath();
        for (let j = from; j <= to; j++) {
          const x = X(D.z1[j]), y = Y(D.z2[j]);
          j === from ? ctx.moveTo(x, y) : ctx.lineTo(x, y);
        }
        ctx.lineWidth = width;
        ctx.strokeStyle = style;
        ctx.lineJoin = "round";
        ctx.stroke();
      }
    }

    function point(ctx, x, y) {
      ctx.beginPath();
      ctx.arc(x, y, 6, 0, 2 * Math.PI);
      ctx.fillStyle = colour("ink");
      ctx.fill();
      ctx.lineWidth = 2.5;
      ctx.strokeStyle = colour("paper");
      ctx.stroke();
    }

    function axes(ctx, plot, [x0, x1, y0, y1], X, Y) {
      ctx.lineWidth = 1;
      ctx.strokeStyle = colour("frame");
      ctx.strokeRect(plot.x, plot.y, plot.w, plot.h);
      ctx.font = "12px " + FONT;
      ctx.fillStyle = colour("muted");
      ctx.beginPath();
      ctx.textAlign = "center";
      ctx.textBaseline = "top";
      for (const [v, text] of ticks(x0, x1, plot.w / 90)) {
        ctx.moveTo(X(v), plot.y + plot.h);
        ctx.lineTo(X(v), plot.y + plot.h + 4);
        ctx.fillText(text, X(v), plot.y + plot.h + 8);
      }
      ctx.textAlign = "right";
      ctx.textBaseline = "middle";
      for (const [v, text] of ticks(y0, y1, plot.h / 50)) {
        ctx.moveTo(plot.x - 4, Y(v));
        ctx.lineTo(plot.x, Y(v));
        ctx.fillText(text, plot.x - 7, Y(v));
      }
      ctx.stroke();
      ctx.fillStyle = colour("ink");
      ctx.textAlign = "center";
      ctx.textBaseline = "alphabetic";
      ctx.fillText("z₁ (m/s)", plot.x + plot.w / 2, plot.y + plot.h + 40);
      ctx.save();
      ctx.translate(13, plot.y + plot.h / 2);
      ctx.rotate(-Math.PI / 2);
      ctx.fillText("z₂ (m/s)", 0, 0);
      ctx.restore();
    }

    function describe(i) {
      const k = D.region[i], [e, b] = DIRECTIONS[k] || [0, 0];
      const badge = (d) => '<span class="badge ' + (d ? "slip" : "stick") + '">' + (d ? "slip " + sign(d) : "stick") + "</span>";
      const row = (label, value) => "<tr><td>" + label + "</td><td>" + value + "</td></tr>";
      readout.innerHTML = '<div>region</div><div class="number">' + k + "</div>" +
        '<div class="words">(ε<sub>G</sub>, ε<sub>B</sub>) = ' + pair(k) + "</div><table>" +
        row("ground", badge(e)) + row("brake", badge(b)) +
        row("z<sub>1</sub>", number(D.z1[i], 5) + " m/s") + row("z<sub>2</sub>", number(D.z2[i], 5) + " m/s") +
        row("a<sub>G</sub>", number(D.aG[i], 5) + " N") + row("a<sub>B</sub>", number(D.aB[i], 5) + " N") + "</table>";
      clock.textContent = "t = " + D.t[i].toFixed(3) + " s";
    }

    let playing = 0;
    function stop() {
      cancelAnimationFrame(playing);
      playing = 0;
      button.textContent = "Play";
    }
    // The whole run takes about ten seconds, whatever its length and its time steps.
    function play() {
      const from = +time.value >= last ? 0 : +time.value, begin = performance.now();
      const pace = (D.t[last] - D.t[0]) / 10000 || 1;
      button.textContent = "Pause";
      const frame = (now) => {
        const t = D.t[from] + (now - begin) * pace;
        time.value = at(t);
        draw();
        stickslipClock.set(D.t[+time.value], figure);
        if (+time.value >= last) stop();
        else playing = requestAnimationFrame(frame);
      };
      playing = requestAnimationFrame(frame);
    }
    // The last entry that is not later than t.
    function at(t) {
      let lo = 0, hi = last;
      while (lo < hi) {
        const middle = (lo + hi + 1) >> 1;
        if (D.t[middle] <= t + 1e-12) lo = middle; else hi = middle - 1;
      }
      return lo;
    }
    button.addEventListener("click", () => (playing ? stop() : play()));
    time.addEventListener("input", () => { stop(); draw(); stickslipClock.set(D.t[+time.value], figure); });
    stickslipClock.on(figure, (t) => { time.value = at(t); if (figure.clientWidth) draw(); });
    stickslipClock.onScheme(draw);
    zoom.addEventListener("input", draw);
    about.addEventListener("change", draw);
    new ResizeObserver(draw).observe(figure);
    // #t=1.0&zoom=0.8&about=point opens the explorer at a moment.
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (wanted.has("t")) stickslipClock.set(+wanted.get("t"));
    if (wanted.has("zoom")) zoom.value = wanted.get("zoom");
    if (wanted.has("about")) about.value = wanted.get("about");
    draw();
  }

  document.querySelectorAll("figure.explorer").forEach(build);
})();

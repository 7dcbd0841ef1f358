// Quantities over a plane: each <figure class="field"> holds its values as JSON. A canvas shows one of them in colours, with
// a colour bar, the value at a place, and the cuts through it along both axes.
(function () {
  "use strict";
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
  const STEPS = 9999;
  // Those of still figures, from bright to dark: a quantity has one look.
  const STOPS = [[255, 255, 217], [225, 243, 178], [176, 223, 183], [115, 200, 189], [64, 176, 196], [42, 141, 190]];
  function shade(share) {
    const at = Math.min(0.9999, Math.max(0, share)) * (STOPS.length - 1), k = Math.floor(at);
    return STOPS[k].map((v, i) => Math.round(v + (at - k) * (STOPS[k + 1][i] - v)));
  }
  const rgb = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
  function ticks(lo, hi, wanted) {
    const raw = (hi - lo) / wanted || 1, unit = 10 ** Math.floor(Math.log10(raw)), share = raw / unit;
    const step = unit * (share < 1.415 ? 1 : share < 3.163 ? 2 : share < 7.072 ? 5 : 10), values = [];
    for (let i = Math.ceil(lo / step); i * step <= hi + 1e-9 * step && values.length < 30; i++) values.push(i * step);
    return values.map((value, i) => [value, stickslipLabels.ticks(values, step)[i]]);
  }

  function build(figure) {
    const D = JSON.parse(figure.querySelector("script").textContent);
    const [nx, ny] = D.count, [ax, ay] = D.axes;
    if (!nx || !ny) return;
    const bar = document.createElement("div");
    bar.className = "controls";
    bar.innerHTML = '<label>Show <select></select></label><output class="value"></output>';
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", figure.dataset.text + " Arrow keys move the place that is read.");
    canvas.tabIndex = 0;
    figure.append(bar, canvas);
    const select = bar.querySelector("select"), output = bar.querySelector("output");
    select.append(...D.quantities.map((q, k) => new Option(q.name + (q.unit ? ` (${q.unit})` : ""), k)));
    let at = [nx >> 1, ny >> 1];
    const unit = (axis) => (axis.unit ? " " + axis.unit : "");
    const titled = (axis) => axis.label + (axis.unit ? ` (${axis.unit})` : "");
    const place = (axis, i, n) => axis.ends[0] + (i + 0.5) * (axis.ends[1] - axis.ends[0]) / n;
    const quantity = () => D.quantities[select.value || 0];
    const value = (q, k) => (q.values[k] < 0 ? null : q.words ? q.values[k] : q.values[k] / STEPS * q.greatest);

    // The map as an image of one pixel per element, scaled up without smoothing.
    const image = document.createElement("canvas");
    function paint(q) {
      image.width = nx;
      image.height = ny;
      const ctx = image.getContext("2d"), pixels = ctx.createImageData(nx, ny);
      const tints = (q.words || []).map((word) => rgb(colour(word + "-tint") || colour("paper")));
      for (let j = 0; j < ny; j++) {
        for (let i = 0; i < nx; i++) {
          const v = q.values[i + j * nx], to = 4 * (i + (ny - 1 - j) * nx);
          if (v < 0) continue;
          const [r, g, b] = q.words ? tints[v] : shade(v / STEPS);
          pixels.data.set([r, g, b, 255], to);
        }
      }
      ctx.putImageData(pixels, 0, 0);
    }

    let plot;
    function draw() {
      const W = figure.clientWidth || 600, ratio = window.devicePixelRatio || 1, q = quantity();
      const narrow = W < 560, flat = ny === 1, cuts = !flat && !q.words, left = 58;
      const right = narrow ? 66 : D.quantities.every((any) => any.words) ? 90 : 250;
      const w = W - left - right, [lx, ly] = [ax, ay].map((axis) => axis.ends[1] - axis.ends[0]);
      const h = Math.round(flat ? 40 : D.equal ? Math.min(520, Math.max(90, w * ly / lx)) : 360);
      const H = 12 + h + (q.words && !flat ? 50 : 150 + (narrow && cuts ? 160 : 40));
      plot = { x: left, y: 12, w: D.equal && !flat ? Math.min(w, h * lx / ly) : w, h };
      canvas.width = W * ratio;
      canvas.height = H * ratio;
      canvas.style.width = W + "px";
      canvas.style.height = H + "px";
      const ctx = canvas.getContext("2d");
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      ctx.font = FONT;
      paint(q);
      ctx.imageSmoothingEnabled = false;
      ctx.drawImage(image, plot.x, plot.y, plot.w, plot.h);
      frame(ctx, plot, ay, true, !flat);
      cross(ctx);
      legend(ctx, q, plot.x + plot.w + 14, plot.y, Math.max(plot.h, 60));
      const below = { x: plot.x, y: plot.y + plot.h + 44, w: plot.w, h: 100 };
      const row = Array.from({ length: nx }, (_, i) => value(q, i + at[1] * nx));
      if (q.words && !flat) below.h = 0;
      cut(ctx, q, row, ax, below.h ? below : { ...below, y: plot.y + plot.h }, at[0], true);
      if (cuts) {
        const column = Array.from({ length: ny }, (_, j) => value(q, at[0] + j * nx));
        const beside = narrow ? { x: plot.x, y: below.y + 148, w: plot.w, h: 100 }
          : { x: plot.x + plot.w + 110, y: plot.y, w: W - plot.x - plot.w - 122, h: plot.h };
        cut(ctx, q, column, ay, beside, at[1], narrow);
      }
      tell(q);
    }

    function frame(ctx, box, axisY, named, numbers) {
      ctx.strokeStyle = colour("frame");
      ctx.lineWidth = 1;
      ctx.strokeRect(box.x, box.y, box.w, box.h);
      ctx.fillStyle = colour("muted");
      ctx.textAlign = "right";
      ctx.textBaseline = "middle";
      const [lo, hi] = axisY.ends, Y = (v) => box.y + box.h * (hi - v) / (hi - lo);
      if (numbers) ticks(lo, hi, Math.max(2, box.h / 50)).forEach(([v, text]) => ctx.fillText(text, box.x - 6, Y(v)));
      if (named && numbers) {
        ctx.save();
        ctx.translate(12, box.y + box.h / 2);
        ctx.rotate(-Math.PI / 2);
        ctx.textAlign = "center";
        ctx.fillStyle = colour("ink");
        ctx.fillText(titled(axisY), 0, 0);
        ctx.restore();
      }
    }

    // The place that is read.
    function cross(ctx) {
      const x = plot.x + (at[0] + 0.5) * plot.w / nx, y = plot.y + plot.h - (at[1] + 0.5) * plot.h / ny;
      for (const [style, width] of [["#000", 3], ["#fff", 1]]) {
        ctx.strokeStyle = style;
        ctx.lineWidth = width;
        ctx.globalAlpha = 0.7;
        ctx.beginPath();
        ctx.moveTo(plot.x, y);
        ctx.lineTo(plot.x + plot.w, y);
        ctx.moveTo(x, plot.y);
        ctx.lineTo(x, plot.y + plot.h);
        ctx.stroke();
        ctx.globalAlpha = 1;
      }
    }

    function legend(ctx, q, x, y, h) {
      ctx.textAlign = "left";
      ctx.textBaseline = "middle";
      if (q.words) {
        q.words.forEach((word, k) => {
          ctx.fillStyle = colour(word + "-tint") || colour("paper");
          ctx.fillRect(x, y + 22 * k, 14, 14);
          ctx.strokeStyle = colour("frame");
          ctx.strokeRect(x, y + 22 * k, 14, 14);
          ctx.fillStyle = colour("ink");
          ctx.fillText(word, x + 19, y + 22 * k + 7);
        });
        return;
      }
      for (let k = 0; k < h; k++) {
        ctx.fillStyle = `rgb(${shade(1 - k / h)})`;
        ctx.fillRect(x, y + k, 12, 1.5);
      }
      ctx.fillStyle = colour("muted");
      const most = q.greatest || 1;
      ticks(0, most, Math.max(2, h / 50)).forEach(([v, text]) => ctx.fillText(text, x + 16, y + h - h * v / most));
    }

    // The values along a line through the place: along the map's x below it, along its y beside it.
    function cut(ctx, q, values, axis, box, mark, across) {
      if (box.w < 30) return;
      const n = values.length, most = q.words ? q.words.length - 1 || 1 : q.greatest || 1;
      const along = (i) => (i + 0.5) / n, size = (v) => 0.96 * v / most;
      const point = (i, v) => (across ? [box.x + box.w * along(i), box.y + box.h * (1 - size(v))]
        : [box.x + box.w * size(v), box.y + box.h * (1 - along(i))]);
      ctx.strokeStyle = colour("frame");
      ctx.lineWidth = 1;
      ctx.strokeRect(box.x, box.y, box.w, box.h);
      ctx.strokeStyle = colour("first");
      ctx.lineWidth = 1.7;
      ctx.beginPath();
      let drawn = false;
      // A map of states has an axis below it and no cuts: its colours say all.
      if (box.h) values.forEach((v, i) => {
        if (v === null) { drawn = false; return; }
        ctx[drawn ? "lineTo" : "moveTo"](...point(i, v));
        drawn = true;
      });
      ctx.stroke();
      if (box.h && values[mark] !== null) {
        ctx.fillStyle = colour("first");
        ctx.beginPath();
        ctx.arc(...point(mark, values[mark]), 4, 0, 7);
        ctx.fill();
      }
      ctx.fillStyle = colour("muted");
      ctx.textBaseline = "middle";
      const [lo, hi] = axis.ends;
      if (across) {
        ctx.textAlign = "right";
        if (!box.h) ctx.fillStyle = colour("muted");
        else if (!q.words) ticks(0, most, 3).forEach(([v, text]) => ctx.fillText(text, box.x - 6, box.y + box.h * (1 - size(v))));
        else q.words.forEach((word, k) => ctx.fillText(word, box.x - 6, box.y + box.h * (1 - size(k))));
        ctx.textAlign = "center";
        ticks(lo, hi, Math.max(2, box.w / 80)).forEach(([v, text]) =>
          ctx.fillText(text, box.x + box.w * (v - lo) / (hi - lo), box.y + box.h + 12));
        ctx.fillStyle = colour("ink");
        ctx.fillText(titled(axis), box.x + box.w / 2, box.y + box.h + 30);
      } else {
        ctx.textAlign = "center";
        if (!q.words) ticks(0, most, 2).forEach(([v, text]) => ctx.fillText(text, box.x + box.w * size(v), box.y + box.h + 12));
        ctx.fillStyle = colour("ink");
        // A long key is told by its last part.
        const fits = (text) => ctx.measureText(text).width < box.w + 20;
        const named = ["cut along " + axis.label, axis.label].find(fits) || axis.label.split(".").pop();
        ctx.fillText(named, box.x + box.w / 2, box.y + box.h + 30);
      }
    }

    function tell(q) {
      const k = at[0] + at[1] * nx, v = value(q, k);
      const text = v === null ? "nothing" : q.words ? q.words[v] : `${stickslipLabels.reading(v, 0)}${q.unit ? " " + q.unit : ""}`;
      // What is rounding beside the ends of an axis is its zero.
      const along = (axis, d) => {
        const v = place(axis, at[d], D.count[d]);
        return Math.abs(v) < 1e-9 * Math.max(...axis.ends.map(Math.abs)) ? 0 : +v.toPrecision(4);
      };
      const where = D.axes.map((axis, d) =>
        (d === 1 && ny === 1 ? "" : `${axis.label.split(",")[0]} = ${along(axis, d)}${unit(axis)}`)).filter(Boolean);
      output.textContent = `${where.join(", ").replace(/-/g, "−")}: ${text}`;
    }

    function point(event) {
      const r = canvas.getBoundingClientRect(), x = event.clientX - r.left - plot.x, y = plot.y + plot.h - (event.clientY - r.top);
      if (x < 0 || x >= plot.w || (y < 0 && ny > 1) || y >= plot.h) return;
      at = [Math.floor(x / plot.w * nx), Math.min(ny - 1, Math.max(0, Math.floor(y / plot.h * ny)))];
      draw();
    }
    canvas.addEventListener("pointermove", point);
    canvas.addEventListener("pointerdown", point);
    canvas.addEventListener("keydown", (key) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key.key];
      if (!by) return;
      key.preventDefault();
      at = at.map((v, d) => Math.min(D.count[d] - 1, Math.max(0, v + by[d])));
      draw();
    });
    select.addEventListener("change", draw);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    new ResizeObserver(draw).observe(figure);
    draw();
  }

  document.querySelectorAll("figure.field").forEach(build);
})();

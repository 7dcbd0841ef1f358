// Interactive charts over time, drawn by uPlot.
// Each <figure class="chart"> holds its data as JSON; cursors and zooms of all charts go together.
(function () {
  "use strict";
  const css = getComputedStyle(document.documentElement);
  const colour = (name) => css.getPropertyValue("--" + name).trim();
  const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
  const STRIP = 15, GAP = 4;
  const minus = (text) => text.replace(/-/g, "−");

  // Tick labels with as many decimals as the step between them needs.
  function tickLabels(u, values, axis, space, step) {
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const large = Math.max(...values.map(Math.abs)) >= 1e6 || digits > 5;
    return values.map((v) => minus(large ? v.toExponential(1) : v.toFixed(digits)));
  }

  function legendValue(u, v) {
    if (v == null) return "–";
    const size = Math.abs(v);
    return minus(size !== 0 && (size >= 1e6 || size < 1e-3) ? v.toExponential(3) : String(+v.toPrecision(5)));
  }

  // A margin above and below, so that a curve at rest does not hide in the frame.
  function paddedRange(u, min, max) {
    if (min == null || max == null) return [0, 1];
    const margin = max > min ? 0.06 * (max - min) : 0.1 * Math.abs(max) || 1;
    return [min - margin, max + margin];
  }

  // Strips of contact states above the plot.
  function stripPlugin(strips) {
    function draw(u) {
      const { ctx } = u, ratio = uPlot.pxRatio || window.devicePixelRatio || 1;
      const { left, top, width } = u.bbox;
      ctx.save();
      ctx.setLineDash([]);
      ctx.lineWidth = ratio;
      strips.forEach((strip, i) => {
        const h = STRIP * ratio;
        const y = top - (strips.length - i) * (STRIP + GAP) * ratio - 2 * ratio;
        ctx.font = 11 * ratio + "px system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
        ctx.textBaseline = "middle";
        ctx.fillStyle = colour("ink");
        ctx.textAlign = "right";
        ctx.fillText(strip.contact, left - 7 * ratio, y + h / 2);
        for (const [from, to, state] of strip.bands) {
          const a = Math.max(left, u.valToPos(from, "x", true));
          const b = Math.min(left + width, u.valToPos(to, "x", true));
          if (!(b > a)) continue;
          ctx.save();
          ctx.beginPath();
          ctx.rect(a, y, b - a, h);
          ctx.fillStyle = colour(state === "open" ? "open" : state + "-tint");
          ctx.fill();
          ctx.clip();
          if (state === "slip") {
            ctx.beginPath();
            const pitch = 6 * ratio;
            for (let c = Math.ceil((a + y) / pitch) * pitch; c < b + y + h; c += pitch) {
              ctx.moveTo(c - y, y);
              ctx.lineTo(c - y - h, y + h);
            }
            ctx.strokeStyle = colour("slip");
            ctx.globalAlpha = 0.75;
            ctx.stroke();
            ctx.globalAlpha = 1;
          }
          if (b - a > 40 * ratio) {
            ctx.textAlign = "center";
            ctx.lineJoin = "round";
            ctx.lineWidth = 3 * ratio;
            ctx.strokeStyle = "rgba(255,255,255,.8)";
            ctx.strokeText(state, (a + b) / 2, y + h / 2);
            ctx.fillStyle = colour("ink");
            ctx.fillText(state, (a + b) / 2, y + h / 2);
          }
          ctx.restore();
          ctx.strokeStyle = colour("frame");
          ctx.strokeRect(a, y, b - a, h);
        }
      });
      ctx.strokeStyle = colour("frame");
      ctx.strokeRect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
      ctx.restore();
    }
    return { hooks: { draw } };
  }

  const charts = [];
  let spreading = false;
  // A zoom of one chart is a zoom of all.
  function spreadZoom(u, scale) {
    if (scale !== "x" || spreading) return;
    spreading = true;
    const { min, max } = u.scales.x;
    for (const other of charts) {
      if (other !== u && (other.scales.x.min !== min || other.scales.x.max !== max)) {
        other.setScale("x", { min, max });
      }
    }
    spreading = false;
  }

  function build(figure) {
    const data = JSON.parse(figure.querySelector("script").textContent);
    const measure = document.createElement("canvas").getContext("2d");
    measure.font = FONT;
    const names = data.strips.map((strip) => measure.measureText(strip.contact).width);
    const left = Math.max(58, ...names.map((width) => width + 14));
    const series = data.curves.map((curve) => {
      const label = document.createElement("span");
      label.innerHTML = curve.name; // escaped where the page was written
      return {
        label, stroke: curve.colour, width: 1.7, dash: curve.dash.length ? curve.dash : undefined,
        paths: curve.step ? uPlot.paths.stepped({ align: 1 }) : undefined,
        points: { show: false }, value: legendValue,
      };
    });
    const grid = { stroke: colour("grid"), width: 1 };
    const ticks = { stroke: colour("frame"), width: 1, size: 4 };
    const axis = { font: FONT, stroke: colour("muted"), grid, ticks, values: tickLabels };
    const options = {
      width: figure.clientWidth, height: data.height + data.strips.length * (STRIP + GAP),
      padding: [6 + data.strips.length * (STRIP + GAP), 14, 0, 0],
      scales: { x: { time: false }, y: { range: paddedRange } },
      axes: [
        { ...axis, label: "time (s)", labelFont: FONT, labelSize: 20, labelGap: 0, size: 26, gap: 5 },
        { ...axis, size: left, gap: 5 },
      ],
      series: [{ label: "time", value: (u, v) => (v == null ? "–" : minus(v.toFixed(4)) + " s") }, ...series],
      cursor: {
        sync: { key: "stickslip", filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
        drag: { x: true, y: false },
        points: { size: 7 },
      },
      legend: { markers: { width: 0, stroke: (u, i) => series[i - 1].stroke } },
      plugins: [stripPlugin(data.strips)],
      hooks: { setScale: [spreadZoom] },
    };
    const chart = new uPlot(options, [data.t, ...data.curves.map((curve) => curve.values)], figure);
    chart.root.querySelectorAll(".u-legend .u-series").forEach((row, i) => {
      const marker = row.querySelector(".u-marker");
      if (!marker) return;
      if (i === 0) { marker.style.display = "none"; return; }
      marker.style.borderTopColor = data.curves[i - 1].colour;
      marker.style.borderTopStyle = data.curves[i - 1].dash.length ? "dashed" : "solid";
    });
    charts.push(chart);
    new ResizeObserver(() => {
      if (figure.clientWidth !== chart.width) chart.setSize({ width: figure.clientWidth, height: options.height });
    }).observe(figure);
  }

  const figures = document.querySelectorAll("figure.chart");
  figures.forEach(build);
  if (figures.length) {
    const hint = document.createElement("p");
    hint.className = "hint";
    hint.textContent = "Drag to zoom, double-click to reset; click a name to hide its curve.";
    figures[figures.length - 1].after(hint);
  }
})();

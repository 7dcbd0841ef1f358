// Interactive charts over time, drawn by uPlot.
// Each <figure class="chart"> holds its data as JSON; cursors and zooms of all charts go together.
(function () {
  "use strict";
  const { colour } = stickslipClock;
  const lists = stickslipClock.series();
  const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
  const STRIP = 15, GAP = 4;
  const WIDTH = 1.7;
  const measure = document.createElement("canvas").getContext("2d");
  measure.font = FONT;
  const widest = (texts) => texts.reduce((most, text) => Math.max(most, measure.measureText(text).width), 0);

  const tickLabels = (u, values, axis, space, step) => stickslipLabels.ticks(values, step);
  const spanOf = (scale) => scale.max - scale.min;

  // Room between the labels of times: as much as the widest takes, which grows with the zoom.
  function timeSpace(u, axis, min, max, length) {
    let space = 50;
    for (let round = 0; round < 4; round++) {
      // The step is the next of 1, 2, 2.5 and 5 times a power of ten; a fourth of a power has the most digits.
      const least = (max - min) * space / length, step = 0.25 * 10 ** Math.ceil(Math.log10(least));
      const ends = [min, max].map((t) => Math.round(t / step) * step);
      const needed = widest(stickslipLabels.ticks(ends, step)) + 16;
      if (needed <= space) break;
      space = needed;
    }
    return space;
  }

  // The data have eight digits: of a curve that changes less only rounding is left, and it is drawn as at rest.
  const ROUNDED = 2e-7;
  // A zoom ends where neighbouring times could not be told apart.
  const CLOSEST = 1e-8;

  // The last index whose time is not later than t; −1 if all are.
  function before(times, t) {
    let lo = -1, hi = times.length - 1;
    while (lo < hi) {
      const middle = Math.ceil((lo + hi) / 2);
      if (times[middle] <= t) lo = middle; else hi = middle - 1;
    }
    return lo;
  }

  // The least and the greatest value of a curve between two times, its cuts with the edges of the view included.
  function extent(times, values, from, to, step) {
    let least = Infinity, most = -Infinity;
    const take = (v) => { if (v != null) { least = Math.min(least, v); most = Math.max(most, v); } };
    const cut = (t) => {
      const i = before(times, t);
      if (i < 0 || i + 1 >= times.length || values[i] == null) return;
      if (step) { take(values[i]); return; }
      if (values[i + 1] == null) return;
      take(values[i] + (values[i + 1] - values[i]) * (t - times[i]) / (times[i + 1] - times[i]));
    };
    cut(from);
    cut(to);
    for (let i = before(times, from) + 1; i < times.length && times[i] <= to; i++) take(values[i]);
    return [least, most];
  }

  // Ranges of both axes. All that the view shows of the curves is in it, with a margin above and below, so that a curve at
  // rest does not hide in the frame; and there are never fewer times than can be told apart.
  function ranges(data) {
    const times = data.t, end = times[times.length - 1];
    const least = CLOSEST * Math.max(Math.abs(times[0]), Math.abs(end)) || CLOSEST;
    let view = [times[0], end];
    const x = (u, min, max) => {
      // Before the first drawing nothing is in view yet: the whole run will be.
      if (min == null || max == null) [min, max] = times.length ? [times[0], end] : [0, 1];
      const middle = (min + max) / 2;
      view = max - min >= least ? [min, max] : [middle - least / 2, middle + least / 2];
      return view;
    };
    const y = (u) => {
      const shown = data.curves.filter((curve, i) => u.series[i + 1].show);
      const ends = shown.map((curve) => extent(times, curve.values, ...view, curve.step));
      const min = Math.min(...ends.map((pair) => pair[0])), max = Math.max(...ends.map((pair) => pair[1]));
      if (!(min <= max)) return [0, 1];
      const size = Math.max(Math.abs(min), Math.abs(max));
      const margin = max - min > ROUNDED * size ? 0.06 * (max - min) : 0.1 * size || 1;
      return [min - margin, max + margin];
    };
    return { x, y };
  }

  const charts = [];
  // The plots of a page begin at the same place: all have the left margin that the widest label of any needs.
  const margins = new Map();
  let common = 0;
  function leftMargin(figure, least) {
    return (u, labels) => {
      margins.set(figure, Math.ceil(Math.max(least, widest(labels || []) + 14)));
      const shared = Math.max(...margins.values());
      if (shared !== common) {
        common = shared;
        queueMicrotask(() => charts.forEach((chart) => chart.redraw(true, true)));
      }
      return shared;
    };
  }

  // The line of a curve as it is drawn, for the legend.
  function sample(curve) {
    const make = (name, attributes) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      return element;
    };
    const svg = make("svg", { width: 34, height: 8, "aria-hidden": "true" });
    const line = make("line", { x1: 0, x2: 34, y1: 4, y2: 4, stroke: colour(curve.colour), "stroke-width": WIDTH });
    stickslipClock.onScheme(() => line.setAttribute("stroke", colour(curve.colour)));
    if (curve.dash.length) line.setAttribute("stroke-dasharray", curve.dash.join(" "));
    svg.append(line);
    return svg;
  }

  // Closed walls have the colour of what sticks.
  const likeness = { closed: "stick" };
  const tint = (state) => colour((likeness[state] || state) + "-tint") || colour("paper");

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
          ctx.fillStyle = tint(state);
          ctx.fill();
          ctx.clip();
          if (["slip", "slides", "locked", "spins", "falls"].includes(state)) {
            ctx.beginPath();
            const pitch = (state === "locked" ? 3 : 6) * ratio;
            for (let c = Math.ceil((a + y) / pitch) * pitch; c < b + y + h; c += pitch) {
              ctx.moveTo(c - y, y);
              ctx.lineTo(c - y - h, y + h);
            }
            ctx.strokeStyle = colour(state === "slip" ? "slip" : "ink");
            ctx.globalAlpha = 0.75;
            ctx.stroke();
            ctx.globalAlpha = 1;
          }
          const word = state === "flies" ? "in the air" : state;
          if (b - a > ctx.measureText(word).width + 8 * ratio) {
            ctx.textAlign = "center";
            ctx.lineJoin = "round";
            ctx.lineWidth = 7 * ratio;
            ctx.strokeStyle = tint(state);
            ctx.strokeText(word, (a + b) / 2, y + h / 2);
            ctx.fillStyle = colour("ink");
            ctx.fillText(word, (a + b) / 2, y + h / 2);
          }
          ctx.restore();
          // Of short bands nothing but their frames would be seen.
          if (b - a >= 4 * ratio) {
            ctx.strokeStyle = colour("frame");
            ctx.strokeRect(a, y, b - a, h);
          }
        }
      });
      ctx.strokeStyle = colour("frame");
      ctx.strokeRect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
      ctx.restore();
    }
    return { hooks: { draw } };
  }

  // A curve that turns more often than the eye can follow is drawn as what lies between its least and greatest values.
  const line = uPlot.paths.linear(), CROWDED = 3;
  function turnsIn(values, from, to) {
    let least = Infinity, most = -Infinity;
    for (let i = from; i <= to; i++) if (values[i] != null) { least = Math.min(least, values[i]); most = Math.max(most, values[i]); }
    // What goes back by less than this cannot be seen.
    const back = 0.1 * (most - least);
    let turns = 0, way = 0, farthest = values[from];
    for (let i = from + 1; i <= to; i++) {
      const v = values[i];
      if (v == null) continue;
      if (way === 0) { if (Math.abs(v - farthest) > back) { way = Math.sign(v - farthest); farthest = v; } }
      else if (way * (v - farthest) >= 0) farthest = v;
      else if (way * (farthest - v) > back) { turns += 1; way = -way; farthest = v; }
    }
    return turns;
  }
  const isCrowded = (u, series, from, to) => u.data && u.data[series] &&
    turnsIn(u.data[series], from, to) >= u.bbox.width / (uPlot.pxRatio || 1) / CROWDED;
  function lineOrBand(u, series, from, to) {
    const [times, values] = [u.data[0], u.data[series]];
    const { left, width } = u.bbox, ratio = uPlot.pxRatio || 1;
    if (!isCrowded(u, series, from, to)) return line(u, series, from, to);
    const columns = new Map();
    for (let i = from; i <= to; i++) {
      if (values[i] == null) continue;
      const x = Math.round(u.valToPos(times[i], "x", true) / (2 * ratio)) * 2 * ratio;
      const ends = columns.get(x) || [Infinity, -Infinity];
      columns.set(x, [Math.min(ends[0], values[i]), Math.max(ends[1], values[i])]);
    }
    // Neighbours share their ends: between two columns a turn may be hidden.
    const all = [...columns].filter(([x]) => x >= left - 4 && x <= left + width + 4);
    const edge = (k, side) => all.map(([x], i) => {
      const near = all.slice(Math.max(0, i - k), i + k + 1).map(([, ends]) => ends[side]);
      return [x, u.valToPos(side ? Math.max(...near) : Math.min(...near), "y", true)];
    });
    const band = new Path2D();
    const outline = [...edge(2, 1), ...edge(2, 0).reverse()];
    outline.forEach(([x, y], i) => (i ? band.lineTo(x, y) : band.moveTo(x, y)));
    band.closePath();
    return { stroke: band, fill: band, clip: null, band: null, gaps: null, flags: 0 };
  }

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
    stickslipClock.show(min, max);
  }

  // The cursor of every chart stands at the time of the page.
  let placing = false;
  function placeCursors(t, except) {
    placing = true;
    for (const chart of charts) {
      if (chart === except || !chart.width) continue;
      const left = chart.valToPos(t, "x"), inside = left >= 0 && left <= chart.over.clientWidth;
      chart.setCursor({ left: inside ? left : -10, top: inside ? 4 : -10 }, false);
    }
    placing = false;
  }
  function cursorMoved(u) {
    if (placing) return;
    const { left, idx } = u.cursor;
    if (!(left >= 0) || idx == null) {
      if (stickslipClock.t !== null) queueMicrotask(() => placeCursors(stickslipClock.t));
      return;
    }
    const t = u.data[0][idx];
    placeCursors(t, u);
    stickslipClock.set(t, charts);
  }
  stickslipClock.on(charts, (t) => placeCursors(t));

  // The same by keys: arrows move the time, + and − zoom about it, 0 shows the whole run.
  function keys(chart, times) {
    const root = chart.root;
    root.tabIndex = 0;
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "chart; arrow keys move the time, plus and minus zoom, 0 shows the whole run");
    root.addEventListener("keydown", (key) => {
      const { min, max } = chart.scales.x, span = max - min, t = stickslipClock.t ?? min;
      const zoom = (factor) => {
        const half = span * factor / 2, middle = Math.min(Math.max(t, min), max);
        chart.setScale("x", { min: Math.max(times[0], middle - half), max: Math.min(times[times.length - 1], middle + half) });
      };
      // The cursor stays at its place on the screen when the axis changes; the time is to stay.
      const kept = (change) => () => { change(); requestAnimationFrame(() => stickslipClock.set(t)); };
      const go = (way) => stickslipClock.set(Math.min(max, Math.max(min, t + way * span / (key.shiftKey ? 10 : 100))));
      const act = {
        ArrowLeft: () => go(-1), ArrowRight: () => go(1), "+": kept(() => zoom(0.5)), "-": kept(() => zoom(2)),
        "0": kept(() => chart.setScale("x", { min: times[0], max: times[times.length - 1] })),
      }[key.key];
      if (act) { key.preventDefault(); act(); }
    });
  }

  function build(figure) {
    const data = JSON.parse(figure.querySelector("script").textContent);
    opens = opens || data.opens;
    data.t = lists[data.t];
    data.curves.forEach((curve) => { curve.values = lists[curve.values]; });
    const left = Math.max(58, widest(data.strips.map((strip) => strip.contact)) + 14);
    const end = data.t[data.t.length - 1], range = ranges(data);
    const ratio = uPlot.pxRatio || window.devicePixelRatio || 1;
    const series = data.curves.map((curve) => {
      const label = document.createElement("span");
      label.innerHTML = curve.name; // escaped where the page was written
      return {
        label, stroke: () => colour(curve.colour), width: WIDTH,
        fill: (u, k) => (!curve.step && isCrowded(u, k, ...(u.series[0].idxs || [0, 0])) ? colour(curve.colour) + "55" : "transparent"),
        // The canvas counts in pixels of the device.
        dash: curve.dash.length ? curve.dash.map((length) => length * ratio) : undefined,
        paths: curve.step ? uPlot.paths.stepped({ align: 1 }) : lineOrBand,
        // Points at whole pixels would turn straight lines into stairs.
        pxAlign: 0,
        points: { show: false }, value: (u, v) => stickslipLabels.reading(v, spanOf(u.scales.y)),
      };
    });
    const grid = { stroke: () => colour("grid"), width: 1 };
    const ticks = { stroke: () => colour("frame"), width: 1, size: 4 };
    const axis = { font: FONT, stroke: () => colour("muted"), grid, ticks, values: tickLabels };
    // A narrow screen is high enough for lower charts.
    const plot = Math.round(data.height * (window.innerWidth < 560 ? 0.78 : 1));
    const options = {
      width: figure.clientWidth, height: plot + data.strips.length * (STRIP + GAP),
      padding: [6 + data.strips.length * (STRIP + GAP), 14, 0, 0],
      scales: { x: { time: false, range: range.x }, y: { range: range.y } },
      axes: [
        { ...axis, label: "time (s)", labelFont: FONT, labelSize: 20, labelGap: 0, size: 26, gap: 5, space: timeSpace },
        { ...axis, size: leftMargin(figure, left), gap: 5 },
      ],
      series: [
        { label: "time", value: (u, v) => (v == null ? "–" : stickslipLabels.instant(v, spanOf(u.scales.x), end) + " s") },
        ...series,
      ],
      cursor: {
        drag: { x: true, y: false },
        y: false,
        points: { size: 7 },
      },
      legend: { markers: { width: 0 } },
      plugins: [stripPlugin(data.strips)],
      hooks: { setScale: [spreadZoom], setCursor: [cursorMoved] },
    };
    const chart = new uPlot(options, [data.t, ...data.curves.map((curve) => curve.values)], figure);
    chart.root.querySelectorAll(".u-legend .u-series").forEach((row, i) => {
      const marker = row.querySelector(".u-marker");
      if (!marker) return;
      if (i === 0) { marker.style.display = "none"; return; }
      marker.replaceChildren(sample(data.curves[i - 1]));
    });
    const canvas = chart.root.querySelector("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", data.text);
    keys(chart, data.t);
    charts.push(chart);
    stickslipClock.onScheme(() => chart.redraw(false, true));
    new ResizeObserver(() => {
      if (figure.clientWidth !== chart.width) chart.setSize({ width: figure.clientWidth, height: options.height });
    }).observe(figure);
  }

  const figures = document.querySelectorAll("figure.chart");
  let opens = null;
  figures.forEach(build);
  // Long runs open on their last periods; not before all charts are there, since each begins with the whole run.
  if (opens) queueMicrotask(() => charts[0].setScale("x", { min: opens[0], max: opens[1] }));
  if (figures.length) {
    const hint = document.createElement("p");
    hint.className = "hint";
    hint.textContent = "Drag to zoom, double-click to see the whole run; click a name to hide its curve. The time under the cursor is that of the picture.";
    figures[figures.length - 1].after(hint);
  }
})();

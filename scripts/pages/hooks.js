// Runs in the page before its own scripts: keeps the charts that it makes and the words that it writes on canvases.
(() => {
  const seen = { charts: [], words: new Map() };
  let kept;
  Object.defineProperty(window, "uPlot", {
    configurable: true,
    get: () => kept,
    set: (uPlot) => {
      kept = new Proxy(uPlot, {
        construct(target, given) {
          const chart = new target(...given);
          // What is folded has no size, and nothing in it can be seen.
          if (chart.width > 0) seen.charts.push(chart);
          return chart;
        },
      });
    },
  });
  const prototype = CanvasRenderingContext2D.prototype;
  const { fillText, clearRect } = prototype;
  prototype.clearRect = function (...given) {
    seen.words.set(this.canvas, []);
    return clearRect.apply(this, given);
  };
  const size = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, "width");
  Object.defineProperty(HTMLCanvasElement.prototype, "width", {
    ...size,
    set(value) {
      seen.words.set(this, []); // a new size clears a canvas
      size.set.call(this, value);
    },
  });
  prototype.fillText = function (text, x, y) {
    const place = this.getTransform().transformPoint({ x, y });
    const turned = this.getTransform().b !== 0;
    const word = { text, x: place.x, y: place.y, turned, align: this.textAlign, width: this.measureText(text).width * this.getTransform().a };
    if (!seen.words.has(this.canvas)) seen.words.set(this.canvas, []);
    seen.words.get(this.canvas).push(word);
    return fillText.apply(this, [text, x, y]);
  };

  // Ticks of all charts as they are drawn: value, label, place and width of the label.
  seen.axes = () => seen.charts.flatMap((chart, number) => chart.axes.map((axis, k) => {
    const words = seen.words.get(chart.ctx.canvas) || [];
    const ratio = chart.pxRatio || window.devicePixelRatio || 1;
    const across = k === 0;
    const ticks = (axis._splits || []).map((value, i) => {
      const at = chart.valToPos(value, across ? "x" : "y", true);
      const near = (word) => Math.abs((across ? word.x : word.y) - at) <= 1.01 && !word.turned;
      const word = words.find((word) => word.text === axis._values[i] && near(word));
      return { value, label: axis._values[i], at, width: word ? word.width : null, left: word && !across ? word.x - word.width : 0 };
    });
    return {
      chart: number, axis: across ? "x" : "y", ticks, ratio,
      range: [chart.scales[across ? "x" : "y"].min, chart.scales[across ? "x" : "y"].max],
    };
  }));

  // Numbers on the other canvases, those of one axis together: they lie on a line.
  seen.numbers = () => [...seen.words].filter(([canvas]) => canvas.closest("figure.explorer")).flatMap(([, words]) => {
    const number = /^−?[0-9.]+(×10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?$/;
    const ticks = words.filter((word) => !word.turned && number.test(word.text));
    const below = ticks.filter((w) => w.align === "center" && w.y === Math.max(...ticks.map((t) => t.y)));
    const beside = ticks.filter((w) => w.align === "right");
    return [below.map((w) => ({ label: w.text, at: w.x })), beside.map((w) => ({ label: w.text, at: w.y }))];
  });

  // What each chart shows of its times, the times that it has, and where its plot begins.
  seen.views = () => seen.charts.map((chart) => {
    const times = chart.data[0], { min, max } = chart.scales.x;
    return { min, max, first: times[0], last: times[times.length - 1], left: chart.bbox.left };
  });

  // Dashes of curves and of their samples in legends.
  seen.legends = () => seen.charts.map((chart) => {
    const rows = [...chart.root.querySelectorAll(".u-legend .u-series")].slice(1);
    return rows.map((row, i) => {
      const line = row.querySelector(".u-marker line");
      const ratio = window.devicePixelRatio || 1, drawn = chart.series[i + 1];
      return {
        name: row.querySelector(".u-label").textContent,
        drawn: [(drawn.dash || []).map((length) => length / ratio).join(" "), drawn.stroke(chart, i + 1)],
        sample: line && [line.getAttribute("stroke-dasharray") || "", line.getAttribute("stroke")],
      };
    });
  });
  window.stickslipSeen = seen;
})();

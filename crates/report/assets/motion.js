// Moving pictures: each <figure class="motion"> holds its first frame as SVG and, as JSON, how its elements of class "m"
// follow channels of numbers over time. The time is that of the page's charts.
(function () {
  "use strict";
  const series = stickslipClock.series();
  const HEAD = 10, TEETH = 10;
  const px = (v) => String(+v.toFixed(2));

  // Both drawings are those of the frames that are made with the report.
  function arrow(x, y, dx, dy) {
    const length = Math.hypot(dx, dy);
    if (length < 2) return "";
    const ux = dx / length, uy = dy / length, head = Math.min(HEAD, length), wing = 0.45 * head;
    const tx = x + dx, ty = y + dy, bx = tx - head * ux, by = ty - head * uy;
    const points = [[x, y], [bx, by], [tx, ty], [bx - wing * uy, by + wing * ux], [bx + wing * uy, by - wing * ux]];
    const [foot, neck, tip, left, right] = points.map((point) => point.map(px).join(" "));
    return `M${foot}L${neck}M${tip}L${left}L${right}Z`;
  }
  function spring(a, b, c, d, half) {
    const dx = c - a, dy = d - b, length = Math.max(Math.hypot(dx, dy), 1e-9);
    const nx = -dy / length * half, ny = dx / length * half;
    let path = `M${px(a)} ${px(b)}`;
    for (let k = 0; k <= TEETH; k++) {
      const share = 0.12 + 0.76 * k / TEETH, side = k === 0 || k === TEETH ? 0 : k % 2 ? 1 : -1;
      path += `L${px(a + share * dx + side * nx)} ${px(b + share * dy + side * ny)}`;
    }
    return path + `L${px(c)} ${px(d)}`;
  }

  function build(figure) {
    const data = JSON.parse(figure.querySelector("script").textContent);
    const t = series[data.t], last = t.length - 1;
    if (last < 0) return;
    const channels = data.channels.map(([place, state]) => ({ values: series[place], state }));
    const svg = figure.querySelector("svg");
    const elements = [...svg.querySelectorAll(".m")];
    const outputs = [...figure.querySelectorAll(".reading")];
    const now = new Float64Array(channels.length);

    // All channels at an instant: quantities lie between two times, states have held since the time before.
    function read(time) {
      let lo = 0, hi = last;
      while (lo < hi) { const middle = (lo + hi) >> 1; if (t[middle] < time) lo = middle + 1; else hi = middle; }
      const to = lo, from = Math.max(0, to - 1);
      const share = t[to] > t[from] ? Math.min(1, Math.max(0, (time - t[from]) / (t[to] - t[from]))) : 1;
      channels.forEach(({ values, state }, k) => {
        const a = values[from] ?? 0, b = values[to] ?? 0;
        now[k] = state || share === 1 ? b : a + share * (b - a);
      });
    }
    function value(expression) {
      let sum = expression[0];
      for (let k = 1; k < expression.length; k += 2) sum += expression[k + 1] * now[expression[k]];
      return sum;
    }
    const state = (channel) => data.states[now[channel]] || ["", "none"];
    const write = (element, name, text) => { if (element.getAttribute(name) !== text) element.setAttribute(name, text); };

    function move(element, { place, line, arrow: way, spring: coil, hatch, fill, word }) {
      if (place) {
        const [x, y, angle] = place.map(value);
        write(element, "transform", `translate(${px(x)} ${px(y)}) rotate(${px(angle)})`);
      }
      if (line) ["x1", "y1", "x2", "y2"].forEach((name, k) => write(element, name, px(value(line[k]))));
      if (way) write(element, "d", arrow(...way.map(value)));
      if (coil) write(element, "d", spring(...coil.map(value)));
      if (hatch) {
        const pitch = value(hatch[1]), shift = value(hatch[0]) % pitch;
        write(element, "transform", `translate(${px(shift < 0 ? shift + pitch : shift)} 0)`);
      }
      if (fill !== undefined) write(element, "fill", state(fill)[1]);
      if (word && element.textContent !== word[1] + state(word[0])[0]) element.textContent = word[1] + state(word[0])[0];
    }

    let time = t[0];
    function show(at) {
      time = Math.min(t[last], Math.max(t[0], at));
      read(time);
      elements.forEach((element, k) => move(element, data.moves[k]));
      data.readings.forEach((reading, k) => {
        const output = outputs[k];
        if (reading.state !== undefined) {
          const [text, colour] = state(reading.state);
          output.textContent = text;
          output.style.background = colour;
        } else output.textContent = stickslipLabels.fixed(value(reading.value), reading.decimals);
      });
      controls.at(time);
    }

    const controls = player(figure, svg, { start: t[0], end: t[last], events: data.events, show, time: () => time });
    stickslipClock.on(figure, show, controls.view);
    if (stickslipClock.range) controls.view(...stickslipClock.range);
    show(stickslipClock.t ?? stickslipClock.range?.[0] ?? t[0]);
    // For those who want to look closer, and for checks.
    figure.stickslip = { data, channels, t, read: (at) => { read(at); return [...now]; }, time: () => time, value };
  }

  const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
  const speedWord = (s) => (s === 1 ? "real time" : s < 1 ? `${Math.round(1 / s)} × slower` : `${s} × faster`);
  // The whole run takes about this long [s].
  const LASTS = 12;

  // Buttons, slider and keys.
  function player(figure, svg, { start, end, events, show, time }) {
    let from = start, to = end;
    const bar = document.createElement("div");
    bar.className = "controls";
    bar.innerHTML =
      '<button type="button" class="back" aria-label="previous event" title="previous event">◂ event</button>' +
      '<button type="button" class="play">Play</button>' +
      '<button type="button" class="next" aria-label="next event" title="next event">event ▸</button>' +
      '<input type="range" class="time" min="0" max="1000" step="any" value="0" aria-label="time">' +
      '<span class="clock"></span><select aria-label="speed"></select><p class="said" aria-live="polite"></p>';
    figure.querySelector(".readings").before(bar);
    const [button, slider, clock] = [".play", ".time", ".clock"].map((name) => bar.querySelector(name));
    const speed = bar.querySelector("select"), said = bar.querySelector(".said");
    const usual = (span) => SPEEDS.reduce((best, s) =>
      Math.abs(Math.log(s * LASTS / span)) < Math.abs(Math.log(best * LASTS / span)) ? s : best);
    function speeds() {
      const best = SPEEDS.indexOf(usual(to - from || 1));
      const shown = SPEEDS.filter((s, k) => Math.abs(k - best) <= 4 || s === 1);
      speed.replaceChildren(...shown.map((s) => new Option(speedWord(s), s)));
      speed.value = SPEEDS[best];
    }
    speeds();
    if (!events.length) bar.querySelectorAll(".back, .next").forEach((step) => { step.disabled = true; });

    const set = (at) => { show(at); stickslipClock.set(time(), figure); };
    let playing = 0, saidAt = null;
    function stop() {
      cancelAnimationFrame(playing);
      playing = 0;
      button.textContent = "Play";
    }
    function play() {
      if (time() >= to - 1e-9 * (to - from) || time() < from) set(from);
      button.textContent = "Pause";
      let before = performance.now();
      const frame = (instant) => {
        // A page that was in the background goes on where it was.
        const passed = Math.min(instant - before, 100) / 1000;
        before = instant;
        set(Math.min(to, time() + Math.max(0, passed) * +speed.value));
        if (time() >= to) stop();
        else playing = requestAnimationFrame(frame);
      };
      playing = requestAnimationFrame(frame);
    }
    const toggle = () => (playing ? stop() : play());
    function step(way) {
      stop();
      const least = 1e-9 * (end - start);
      const ahead = events.filter((event) => way * (event[0] - time()) > least);
      const event = way > 0 ? ahead[0] : ahead[ahead.length - 1];
      if (event) set(event[0]);
      said.textContent = !event ? (way > 0 ? "no later event" : "no earlier event")
        : events.filter((other) => other[0] === event[0]).map((other) => other[1]).join("; ");
      saidAt = time();
    }
    button.addEventListener("click", toggle);
    bar.querySelector(".back").addEventListener("click", () => step(-1));
    bar.querySelector(".next").addEventListener("click", () => step(1));
    slider.addEventListener("input", () => { stop(); set(from + (to - from) * slider.value / 1000); });
    svg.tabIndex = 0;
    svg.addEventListener("keydown", (key) => {
      const nudge = (to - from) / (key.shiftKey ? 20 : 200);
      const act = {
        " ": toggle, ArrowLeft: () => set(time() - nudge), ArrowRight: () => set(time() + nudge), Home: () => set(from),
        End: () => set(to), n: () => step(1), p: () => step(-1), ArrowUp: () => step(-1), ArrowDown: () => step(1),
      }[key.key];
      if (!act) return;
      key.preventDefault();
      if (key.key !== " ") stop();
      act();
    });
    function at(t) {
      slider.value = 1000 * (t - from) / (to - from || 1);
      const text = stickslipLabels.instant(t, to - from, end) + " s";
      clock.textContent = text;
      slider.setAttribute("aria-valuetext", text);
      // What was said of an event holds at its time.
      if (t !== saidAt) said.textContent = "";
    }
    function view(min, max) {
      [from, to] = [Math.max(start, min), Math.min(end, max)];
      if (!(to > from)) [from, to] = [start, end];
      speeds();
      at(time());
    }
    return { at, view };
  }

  document.querySelectorAll("figure.motion").forEach(build);
})();

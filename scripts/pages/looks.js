// Runs in the page: what can be asked of it as a reader sees it, hears it, or moves it.
window.stickslipLooks = (() => {
  const rgba = (text) => {
    const found = /rgba?\(([^)]+)\)/.exec(text) || /color\(srgb ([^)]+)\)/.exec(text);
    if (!found) return null;
    const parts = found[1].split(/[ ,/]+/).filter(Boolean).map(Number);
    const scale = text.startsWith("color(") ? 255 : 1;
    return [parts[0] * scale, parts[1] * scale, parts[2] * scale, parts[3] ?? 1];
  };
  const luminance = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  function background(element) {
    for (let e = element; e; e = e.parentElement) {
      const c = rgba(getComputedStyle(e).backgroundColor);
      if (c && c[3] === 1) return c;
    }
    return [255, 255, 255, 1];
  }
  const visible = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && e.getClientRects().length > 0;
  const called = (e) => (e.getAttribute("aria-label") || e.textContent || "").trim();

  // Words that cannot be read on what lies under them.
  function faintWords() {
    const faults = [];
    for (const e of document.querySelectorAll("main *")) {
      if (e.closest("svg, noscript, script") || e.disabled || !visible(e)) continue;
      const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
      if (!own) continue;
      const style = getComputedStyle(e), ink = rgba(style.color);
      const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && +style.fontWeight >= 700);
      const found = ink && contrast(ink, background(e));
      if (found && found < (large ? 3 : 4.5)) faults.push(`"${e.textContent.trim().slice(0, 30)}" has a contrast of ${found.toFixed(2)}`);
    }
    return [...new Set(faults)];
  }

  // Curves and words in drawings against the paper.
  function faintLines() {
    const paper = background(document.querySelector("main")), faults = [];
    for (const chart of stickslipSeen.charts) {
      chart.series.slice(1).forEach((series, k) => {
        const probe = document.createElement("i");
        probe.style.color = series.stroke(chart, k + 1);
        document.body.append(probe);
        const found = contrast(rgba(getComputedStyle(probe).color), paper);
        probe.remove();
        if (found < 3) faults.push(`curve ${k + 1} has a contrast of ${found.toFixed(2)}`);
      });
    }
    for (const e of document.querySelectorAll("main figure > svg text")) {
      if (!visible(e)) continue;
      const found = contrast(rgba(getComputedStyle(e).fill) || [0, 0, 0], paper);
      if (found < 4.5) faults.push(`"${e.textContent}" in a drawing has a contrast of ${found.toFixed(2)}`);
    }
    return [...new Set(faults)];
  }

  // What those who do not see the page would miss.
  function unnamed() {
    const faults = [];
    const say = (e, what) => faults.push(`${what}: ${e.outerHTML.slice(0, 80)}`);
    for (const e of document.querySelectorAll("main canvas")) {
      if (e.getAttribute("role") !== "img" || called(e).length < 15) say(e, "a canvas without words");
    }
    for (const e of document.querySelectorAll("main figure > svg")) {
      if (e.getAttribute("role") !== "img" || called(e).length < 5) say(e, "a drawing without words");
    }
    for (const e of document.querySelectorAll("main button, main summary, main a")) if (!called(e)) say(e, "no name");
    for (const e of document.querySelectorAll("main input, main select")) {
      if (!e.getAttribute("aria-label") && !e.labels?.length) say(e, "no label");
    }
    for (const e of document.querySelectorAll("[aria-label=figure]")) say(e, "just a figure");
    return faults;
  }

  // What is cut off at the sides of the page, or covers other words of a picture.
  function cutOff() {
    const faults = [], wide = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > wide) faults.push(`the page is ${document.documentElement.scrollWidth} px wide on ${wide}`);
    for (const svg of document.querySelectorAll("figure.motion > svg")) {
      const frame = svg.getBoundingClientRect();
      const words = [...svg.querySelectorAll("text")].filter((e) => e.textContent.trim())
        .map((e) => ({ text: e.textContent, r: e.getBoundingClientRect() }));
      words.forEach(({ text, r }, k) => {
        if (r.left < frame.left - 1 || r.right > frame.right + 1) faults.push(`"${text}" is cut off`);
        for (const other of words.slice(k + 1)) {
          const across = Math.min(r.right, other.r.right) - Math.max(r.left, other.r.left);
          const down = Math.min(r.bottom, other.r.bottom) - Math.max(r.top, other.r.top);
          if (across > 2 && down > 0.3 * r.height) faults.push(`"${text}" and "${other.text}" lie on each other`);
        }
      });
    }
    return faults;
  }

  // A moving picture, evaluated here once more from its data, apart from the page's own script.
  function motion(figure) {
    const data = JSON.parse(figure.querySelector("script").textContent);
    const series = JSON.parse(document.getElementById("series").textContent);
    const t = series[data.t], at = figure.stickslip.time();
    const to = Math.max(0, t.findIndex((time) => time >= at)), from = Math.max(0, to - 1);
    const share = t[to] > t[from] ? (at - t[from]) / (t[to] - t[from]) : 1;
    const now = data.channels.map(([place, state]) => {
      const [a, b] = [series[place][from] ?? 0, series[place][to] ?? 0];
      return state ? b : a + share * (b - a);
    });
    const value = (e) => e.slice(1).reduce((sum, v, k, all) => (k % 2 ? sum + v * now[all[k - 1]] : sum), e[0]);
    const faults = [], elements = [...figure.querySelector("svg").querySelectorAll(".m")];
    if (elements.length !== data.moves.length) faults.push(`${elements.length} elements for ${data.moves.length} motions`);
    data.moves.forEach((move, k) => {
      if (move.place) {
        const found = (elements[k].getAttribute("transform").match(/-?[\d.]+(?:e-?\d+)?/g) || []).map(Number);
        const wanted = move.place.map(value);
        if (found.some((v, i) => Math.abs(v - wanted[i]) > 0.011)) faults.push(`element ${k} is at ${found}, not at ${wanted}, at ${at} s`);
      }
      if (move.fill !== undefined && elements[k].getAttribute("fill") !== data.states[now[move.fill]][1]) {
        faults.push(`element ${k} has the colour of another state at ${at} s`);
      }
    });
    return faults;
  }
  const motions = () => [...document.querySelectorAll("figure.motion")];
  return {
    faintWords, faintLines, unnamed, cutOff,
    agree: () => motions().flatMap(motion),
    times: () => motions().map((figure) => figure.stickslip.time()),
    frame: () => motions().map((figure) => figure.querySelector("svg").innerHTML).join(),
    height: () => document.documentElement.scrollHeight,
  };
})();

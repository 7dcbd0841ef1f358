// The one time of a page: charts, pictures and players show the same instant.
const stickslipClock = (function () {
  "use strict";
  const listeners = [];
  const clock = {
    t: null,
    // The times in view; a player plays these.
    range: null,
    // Sets the time; `from` is who does it and need not hear of it.
    set(t, from) {
      if (!Number.isFinite(t)) return;
      clock.t = t;
      listeners.forEach(({ hear, who }) => { if (!from || who !== from) hear(t); });
    },
    // Says which times are in view.
    show(min, max) {
      if (clock.range && clock.range[0] === min && clock.range[1] === max) return;
      clock.range = [min, max];
      listeners.forEach(({ view }) => { if (view) view(min, max); });
    },
    on(who, hear, view) { listeners.push({ who, hear, view }); },
    // The lists of numbers of the page, read once.
    series() {
      const element = document.getElementById("series");
      clock.lists = clock.lists || (element ? JSON.parse(element.textContent) : []);
      return clock.lists;
    },
    // A colour of the page by its name, as it is now.
    colour(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim(); },
    // Calls when the page turns light or dark.
    onScheme(hear) { window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", hear); },
  };
  return clock;
})();

// Numbers beside axes and in legends: as many digits as the step between ticks needs, no fewer.
const stickslipLabels = (function () {
  "use strict";
  const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  // A tick counts as shown exactly within this share of the step between ticks: far below what can be read off, far above
  // the rounding of positions that are sums of steps.
  const EXACT = 1e-6;
  // More decimals than a double has after any leading zeros that a plain label may have.
  const MOST_DECIMALS = 24;
  // Digits that the numbers of a page have.
  const KEPT = 9;

  const minus = (text) => text.replace(/-/g, "−");

  // v · 10^power without a product: decimal digits stay what they are.
  function shifted(v, power) {
    const [mantissa, exponent] = v.toExponential().split("e");
    return Number(mantissa + "e" + (Number(exponent) + power));
  }

  const powerOf = (v) => (v === 0 ? 0 : Number(v.toExponential().split("e")[1]));

  function timesTen(power) {
    const digits = String(Math.abs(power)).replace(/\d/g, (d) => SUPERSCRIPTS[d]);
    return "×10" + (power < 0 ? "⁻" : "") + digits;
  }

  // A number with a fixed count of decimals; zero has no sign.
  function fixed(v, decimals) {
    const text = v.toFixed(decimals);
    return minus(Number(text) === 0 ? text.replace("-", "") : text);
  }

  // The least count of decimals that shows all values, a step apart from each other, as what they are.
  function decimals(values, step) {
    for (let count = 0; count < MOST_DECIMALS; count++) {
      if (values.every((v) => Math.abs(Number(v.toFixed(count)) - v) <= EXACT * step)) return count;
    }
    return MOST_DECIMALS;
  }

  // Labels of ticks a step apart. Large and small numbers share one power of ten, so that their digits can be compared.
  function ticks(values, step) {
    const largest = values.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
    const plain = largest === 0 || (largest < 1e6 && largest >= 1e-3);
    const power = plain ? 0 : powerOf(largest);
    const scaled = values.map((v) => shifted(v, -power));
    const count = decimals(scaled, shifted(step, -power));
    return scaled.map((v) => (plain || v === 0 ? fixed(v, v === 0 && !plain ? 0 : count) : fixed(v, count) + timesTen(power)));
  }

  // A number read off a curve: five digits, and more where the range in view, `span`, is small against the number.
  function reading(v, span) {
    if (v == null || !Number.isFinite(v)) return "–";
    if (v === 0) return "0";
    const power = powerOf(v);
    const digits = Math.min(KEPT, Math.max(5, span > 0 ? power - powerOf(span) + 4 : 5));
    const rounded = Number(v.toPrecision(digits));
    if (power >= -3 && power < 6) return minus(String(rounded));
    return fixed(shifted(rounded, -power), digits - 1) + timesTen(power);
  }

  // A time of a run that ends at `end`: all times in view have the same count of decimals.
  function instant(t, span, end) {
    if (t == null) return "–";
    const wanted = 4 - powerOf(span > 0 ? span : 1), known = KEPT - 1 - powerOf(end > 0 ? end : 1);
    return fixed(t, Math.max(0, Math.min(wanted, known, MOST_DECIMALS)));
  }

  return { ticks, reading, instant, fixed };
})();
if (typeof module !== "undefined") module.exports = stickslipLabels;

// What is wrong with the labels of an axis or the samples of a legend, in words.

const DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

// The number that a label says, and the weight of its last digit.
export function said(label) {
  const found = /^(−?)(\d+)(?:\.(\d+))?(?:×10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+))?$/.exec(label);
  if (!found) return null;
  const [, sign, whole, decimals = "", below = "", power = "⁰"] = found;
  const exponent = Number((below ? "-" : "") + [...power].map((d) => DIGITS.indexOf(d)).join(""));
  const value = Number(`${sign ? "-" : ""}${whole}.${decimals || 0}e${exponent}`);
  if (sign && value === 0) return null; // zero has no sign
  return { value, last: Number(`1e${exponent - decimals.length}`) };
}

// Faults that need the labels and their order only.
function wordFaults(where, labels) {
  const faults = labels.filter((label) => !said(label)).map((label) => `${where}: "${label}" is no number`);
  labels.slice(1).forEach((label, i) => {
    if (label === labels[i]) faults.push(`${where}: neighbours say "${label}" both`);
  });
  return faults;
}

// An axis of a chart; the values of its ticks are known.
export function axisFaults({ chart, axis, ticks, ratio, range }) {
  const where = `chart ${chart + 1}, axis ${axis}`;
  const faults = wordFaults(where, ticks.map((tick) => tick.label));
  const [least, most] = range;
  // Views between two ticks are possible; a chart without any at all is not. Where a zoom has come down to a width of 1e-16
  // there are no numbers left to put ticks at.
  if (ticks.length === 0 && !(most - least < 1e-16)) faults.push(`${where}: no ticks from ${least} to ${most}`);
  for (const [i, { value, label, width, left }] of ticks.entries()) {
    const number = said(label);
    if (!number) continue;
    // Half a unit of the last digit, and what a double cannot tell apart.
    const allowed = 0.5 * number.last + 4 * Number.EPSILON * Math.abs(value);
    if (!(Math.abs(number.value - value) <= allowed)) faults.push(`${where}: ${value} is labelled "${label}"`);
    const step = ticks.length > 1 ? Math.abs(ticks[1].value - ticks[0].value) : Infinity;
    // Zero needs no decimals.
    if (number.value !== 0 && number.last > 1.01 * step) faults.push(`${where}: "${label}" has too few digits for steps of ${step}`);
    else if (!(Math.abs(number.value - value) <= 1e-3 * step + 4 * Number.EPSILON * Math.abs(value))) {
      faults.push(`${where}: ${value} is labelled "${label}" at steps of ${step}`);
    }
    if (width === null) faults.push(`${where}: "${label}" is not drawn at its tick`);
    if (width !== null && axis === "y" && left < 0) faults.push(`${where}: "${label}" is cut at the left`);
    const next = ticks[i + 1];
    if (axis === "x" && width !== null && next && next.width !== null) {
      const free = Math.abs(next.at - ticks[i].at) - (width + next.width) / 2;
      if (free < 4 * ratio) faults.push(`${where}: "${label}" and "${next.label}" touch`);
    }
  }
  return faults;
}

// Numbers beside an axis of which the places are known, not the values: the numbers must lie on a line over the places.
export function numberFaults(numbers) {
  const where = "regions";
  const faults = wordFaults(where, numbers.map((number) => number.label));
  const all = numbers.map(({ label, at }) => ({ label, at, ...said(label) }));
  if (faults.length || all.length < 3) return faults;
  const [first, last] = [all[0], all[all.length - 1]];
  for (const { label, at, value, last: unit } of all) {
    const line = first.value + (last.value - first.value) * (at - first.at) / (last.at - first.at);
    if (!(Math.abs(line - value) <= 1e-6 * Math.abs(last.value - first.value))) {
      faults.push(`${where}: "${label}" is at ${line}, in units of ${unit}`);
    }
  }
  return faults;
}

// The charts of a page: all show the same times, from the same place on; all of them where `whole` is said.
export function viewFaults(views, whole) {
  const faults = [];
  views.forEach(({ min, max, first, last, left }, i) => {
    const same = min === views[0].min && max === views[0].max;
    if (!same) faults.push(`chart ${i + 1} shows ${min} to ${max}, the first one ${views[0].min} to ${views[0].max}`);
    if (left !== views[0].left) faults.push(`chart ${i + 1} begins at ${left}, the first one at ${views[0].left}`);
    if (whole && (min !== first || max !== last)) faults.push(`chart ${i + 1} shows ${min} to ${max} of ${first} to ${last}`);
  });
  return faults;
}

// The legend of a chart.
export function legendFaults(rows) {
  return rows
    .filter(({ drawn, sample }) => !sample || drawn[0] !== sample[0] || drawn[1] !== sample[1])
    .map(({ name, drawn, sample }) => `legend: ${name} is drawn as "${drawn}" and sampled as "${sample}"`);
}

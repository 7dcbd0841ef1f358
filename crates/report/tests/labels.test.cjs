// Labels of ticks: the least count of digits that is right. Run by `node --test` with this file.
"use strict";
const test = require("node:test");
const assert = require("node:assert/strict");
const { ticks, reading, instant } = require("../assets/labels.js");

const DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

// The number that a label says, and the weight of its last digit.
function said(label) {
  const [mantissa, power] = label.replace("−", "-").split("×10");
  const exponent = power === undefined ? 0 : Number(power.replace("⁻", "-").replace(/[⁰¹²³⁴-⁹]/g, (d) => DIGITS.indexOf(d)));
  const decimals = (mantissa.split(".")[1] || "").length;
  return { value: Number(mantissa + "e" + exponent), last: Number("1e" + (exponent - decimals)) };
}

test("a quarter is not three tenths", () => {
  assert.deepEqual(ticks([0, 0.25, 0.5, 0.75, 1], 0.25), ["0.00", "0.25", "0.50", "0.75", "1.00"]);
  assert.deepEqual(ticks([0, 2.5, 5, 7.5], 2.5), ["0.0", "2.5", "5.0", "7.5"]);
  assert.deepEqual(ticks([-0.75, -0.5, -0.25, 0, 0.25], 0.25), ["−0.75", "−0.50", "−0.25", "0.00", "0.25"]);
});

test("no digit more than needed", () => {
  assert.deepEqual(ticks([0, 20, 40], 20), ["0", "20", "40"]);
  assert.deepEqual(ticks([0, 0.1, 0.2, 0.30000000000000004], 0.1), ["0.0", "0.1", "0.2", "0.3"]);
  assert.deepEqual(ticks([100000, 200000], 100000), ["100000", "200000"]);
});

test("large offsets show where they differ", () => {
  assert.deepEqual(ticks([1.0000001, 1.0000002, 1.0000003], 1e-7), ["1.0000001", "1.0000002", "1.0000003"]);
  assert.deepEqual(ticks([1.00000025, 1.0000005], 2.5e-7), ["1.00000025", "1.00000050"]);
  assert.deepEqual(ticks([5000000.25, 5000000.5], 0.25), ["5.00000025×10⁶", "5.00000050×10⁶"]);
});

test("small and large numbers share a power of ten", () => {
  assert.deepEqual(ticks([0, 2.5e-7, 5e-7], 2.5e-7), ["0", "2.5×10⁻⁷", "5.0×10⁻⁷"]);
  assert.deepEqual(ticks([-1e9, 0, 1e9], 1e9), ["−1×10⁹", "0", "1×10⁹"]);
  assert.deepEqual(ticks([9e11, 1e12, 1.1e12], 1e11), ["0.9×10¹²", "1.0×10¹²", "1.1×10¹²"]);
});

test("zero has no sign", () => {
  assert.deepEqual(ticks([-0, 1], 1), ["0", "1"]);
  assert.deepEqual(ticks([-1e-17, 0.1], 0.1), ["0.0", "0.1"]);
});

test("steps of 1, 2, 2.5 and 5 anywhere are right and distinct", () => {
  let cases = 0;
  for (let power = -30; power <= 30; power++) {
    for (const factor of [1, 2, 2.5, 5]) {
      const step = Number(factor + "e" + power);
      for (const offset of [-7, -1, 0, 3, 40, 1000, 123456, 40000000]) {
        const values = [0, 1, 2, 3, 4, 5].map((k) => (offset + k) * step);
        const labels = ticks(values, step);
        assert.equal(new Set(labels).size, labels.length, `${labels}`);
        labels.forEach((label, i) => {
          const { value, last } = said(label);
          assert.ok(Math.abs(value - values[i]) <= 0.5 * last, `${label} for ${values[i]}`);
          assert.ok(Math.abs(value - values[i]) <= 1e-5 * step, `${label} for ${values[i]}`);
        });
        cases += labels.length;
      }
    }
  }
  assert.equal(cases, 61 * 4 * 8 * 6);
});

test("no values, no labels", () => assert.deepEqual(ticks([], 1), []));

test("readings have the digits that the view can tell apart", () => {
  assert.equal(reading(1.23456789, 2), "1.2346");
  assert.equal(reading(1.23456789, 1e-6), "1.23456789");
  assert.equal(reading(-0.000012345678, 1e-5), "−1.2346×10⁻⁵");
  assert.equal(reading(0, 1), "0");
  assert.equal(reading(null, 1), "–");
  assert.equal(instant(1.5, 6, 6), "1.5000");
  assert.equal(instant(1.5000002, 3e-6, 6), "1.50000020");
  assert.equal(instant(1234.5678, 2000, 2000), "1234.6");
});

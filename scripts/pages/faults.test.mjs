// The check of labels finds what is wrong and nothing else. Run by `node --test` with this file.
import test from "node:test";
import assert from "node:assert/strict";
import { axisFaults, legendFaults, numberFaults, said, viewFaults } from "./faults.mjs";

const axis = (values, labels, more = {}) => ({
  chart: 0, axis: "x", ratio: 1, range: [values[0], values[values.length - 1]],
  ticks: values.map((value, i) => ({ value, label: labels[i], at: 100 * i, width: 30, left: 5, ...more })),
});

test("labels are read as a person reads them", () => {
  assert.deepEqual(said("−0.25"), { value: -0.25, last: 0.01 });
  assert.deepEqual(said("2.50×10⁻⁷"), { value: 2.5e-7, last: 1e-9 });
  assert.deepEqual(said("12×10¹¹"), { value: 12e11, last: 1e11 });
  for (const wrong of ["−0.0", "-1", "1e5", "", "NaN"]) assert.equal(said(wrong), null, wrong);
});

test("right labels pass", () => {
  assert.deepEqual(axisFaults(axis([0, 0.25, 0.5], ["0.00", "0.25", "0.50"])), []);
  assert.deepEqual(axisFaults(axis([1.0000001, 1.0000002], ["1.0000001", "1.0000002"])), []);
});

test("wrong labels do not", () => {
  // Each of the roundings that were seen: quarters, halves of five, one exponent for all.
  assert.match(axisFaults(axis([0, 0.25, 0.5], ["0.0", "0.3", "0.5"]))[0], /0.25 is labelled "0.3"/);
  assert.match(axisFaults(axis([0, 2.5, 5], ["0", "3", "5"]))[0], /2.5 is labelled "3"/);
  assert.match(axisFaults(axis([1.01e6, 1.02e6], ["1.0×10⁶", "1.0×10⁶"]))[0], /neighbours/);
  assert.match(axisFaults(axis([0, 1], ["0", "2"]))[0], /1 is labelled "2"/);
  assert.match(axisFaults(axis([], []))[0], /no ticks/);
});

test("labels have room", () => {
  assert.match(axisFaults(axis([0, 1], ["0", "1"], { width: 99 }))[0], /touch/);
  assert.match(axisFaults(axis([0, 1], ["0", "1"], { width: null }))[0], /not drawn/);
  assert.match(axisFaults({ ...axis([0, 1], ["0", "1"], { left: -3 }), axis: "y" })[0], /cut/);
});

test("numbers without values must lie on a line", () => {
  assert.deepEqual(numberFaults([["0.00", 0], ["0.25", 50], ["0.50", 100]].map(([label, at]) => ({ label, at }))), []);
  assert.match(numberFaults([["0.0", 0], ["0.3", 50], ["0.5", 100]].map(([label, at]) => ({ label, at })))[0], /"0.3"/);
});

test("samples of legends are what is drawn", () => {
  const row = (drawn, sample) => ({ name: "f", drawn, sample });
  assert.deepEqual(legendFaults([row(["8 3 2 3", "#00876c"], ["8 3 2 3", "#00876c"])]), []);
  assert.equal(legendFaults([row(["2 3", "#b08900"], ["7 3", "#b08900"])]).length, 1);
  assert.equal(legendFaults([row(["", "#000"], null)]).length, 1);
});

test("charts go together and show the whole run at first", () => {
  const view = (min, max, left) => ({ min, max, left, first: 0, last: 4 });
  assert.deepEqual(viewFaults([view(0, 4, 60), view(0, 4, 60)], true), []);
  assert.deepEqual(viewFaults([view(1, 2, 60)], false), []);
  assert.match(viewFaults([view(0, 1, 60)], true)[0], /shows 0 to 1 of 0 to 4/);
  assert.match(viewFaults([view(0, 4, 60), view(0, 3, 60)], false)[0], /chart 2 shows/);
  assert.match(viewFaults([view(0, 4, 60), view(0, 4, 70)], false)[0], /chart 2 begins/);
});

// What is wrong with a page as a whole: errors, loads, size, height, contrast, words for those who do not see it, and a picture that
// does not move or does not show the time under the cursor.
import { statSync } from "node:fs";

const MOST_BYTES = 1e6, MOST_HEIGHT = 5000;

// Listens for errors and requests; `faults` empties what was heard.
export async function listen(browser) {
  let heard = [], own = "";
  await browser.send("Log.enable");
  await browser.send("Network.enable");
  browser.listeners.push(({ method, params }) => {
    if (method === "Runtime.exceptionThrown") heard.push(`error: ${params.exceptionDetails.exception?.description || params.exceptionDetails.text}`);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) {
      heard.push(`console: ${params.args.map((arg) => arg.value ?? arg.description).join(" ")}`);
    }
    if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) heard.push(`log: ${params.entry.text}`);
    if (method === "Network.requestWillBeSent" && params.request.url !== own && !/^(blob|data|about):/.test(params.request.url)) {
      heard.push(`request: ${params.request.url}`);
    }
  });
  return { page: (url) => { own = url; }, faults: () => heard.splice(0) };
}

export const scheme = (browser, value) =>
  browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });

// The page as it stands, folded.
export async function stillFaults(browser) {
  const faults = await browser.evaluate(
    "[stickslipLooks.faintWords(), stickslipLooks.faintLines(), stickslipLooks.unnamed(), stickslipLooks.cutOff()].flat()");
  const height = await browser.evaluate("stickslipLooks.height()");
  if (height > MOST_HEIGHT) faults.push(`${height} px high before unfolding`);
  return faults;
}

// The file.
export function fileFaults(file) {
  const faults = [], { size } = statSync(file);
  if (size > MOST_BYTES) faults.push(`${(size / 1e6).toFixed(2)} MB`);
  return faults;
}

// How long the page took to open [ms].
export const opened = (browser) => browser.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd");

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Moves the time by the mouse, by playing and by stepping; the picture must go with it.
export async function motionFaults(browser, place) {
  if (!(await browser.evaluate("document.querySelectorAll('figure.motion').length"))) return [];
  const faults = [], agree = async (when) =>
    faults.push(...(await browser.evaluate("stickslipLooks.agree()")).map((fault) => `${when}: ${fault}`));
  if (await browser.evaluate("stickslipSeen.charts.length")) {
    for (const share of [0.13, 0.5, 0.87]) {
      const [x, y] = await place(share);
      await browser.mouse("mouseMoved", x, y, { button: "none" });
      await browser.settled();
      const [[shown], cursor] = await browser.evaluate(
        "[stickslipLooks.times(), (() => { const u = stickslipSeen.charts[0]; return u.data[0][u.cursor.idx]; })()]");
      if (shown !== cursor) faults.push(`the cursor is at ${cursor} s, the picture at ${shown} s`);
      await agree(`cursor at ${share} of the plot`);
    }
  }
  await browser.evaluate("document.querySelector('figure.motion .time').focus(); " +
    "(() => { const s = document.querySelector('figure.motion .time'); s.value = 100; s.dispatchEvent(new Event('input')); })()");
  const [before, [from]] = await browser.evaluate("[stickslipLooks.frame(), stickslipLooks.times()]");
  await browser.evaluate("document.querySelector('figure.motion .play').click()");
  let after = before, to = from;
  for (let tries = 0; tries < 20 && (to <= from || after === before); tries++) {
    await pause(100);
    [after, [to]] = await browser.evaluate("[stickslipLooks.frame(), stickslipLooks.times()]");
  }
  await browser.evaluate("(() => { const b = document.querySelector('figure.motion .play'); if (b.textContent === 'Pause') b.click(); })()");
  if (!(to > from)) faults.push(`played from ${from} s to ${to} s`);
  const still = await browser.evaluate(
    "document.querySelector('figure.motion').stickslip.channels.every(({ values }) => values.every((v) => v === values[0]))");
  if (after === before && !still) faults.push("playing does not move the picture");
  await agree("after playing");
  const strayed = await browser.evaluate("(() => { const u = stickslipSeen.charts[0], [t] = stickslipLooks.times(); if (!u) return null;" +
    " const left = u.valToPos(t, 'x'); return Math.abs(left - u.cursor.left) > 1.5 ? [left, u.cursor.left] : null; })()");
  if (strayed) faults.push(`while playing the cursor stands at ${strayed[1]}, the picture's time is at ${strayed[0]}`);
  const [wanted, found] = await browser.evaluate("(() => { const f = document.querySelector('figure.motion'), { data, t } = f.stickslip;" +
    " const now = f.stickslip.time(), next = data.events.find((e) => e[0] > now + 1e-9 * (t[t.length - 1] - t[0]));" +
    " f.querySelector('.next').click(); return [next ? next[0] : null, f.stickslip.time()]; })()");
  if (wanted !== null && wanted !== found) faults.push(`the next event is at ${wanted} s, the picture at ${found} s`);
  await agree("at the next event");
  return faults;
}

// Reads a map by mouse and keys, each of its quantities.
export async function fieldFaults(browser) {
  return browser.evaluate(`(() => {
    const faults = [];
    for (const figure of document.querySelectorAll("figure.field")) {
      const canvas = figure.querySelector("canvas"), output = figure.querySelector("output"), select = figure.querySelector("select");
      for (const option of select.options) {
        select.value = option.value;
        select.dispatchEvent(new Event("change"));
        const before = output.textContent;
        canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
        if (!before || before === output.textContent) faults.push(option.text + ": keys do not move the place: " + before);
      }
    }
    return faults;
  })()`);
}

// Without scripts there are still figures.
export async function scriptlessFaults(browser, url, size) {
  await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
  const { root } = await browser.openQuietly(url, size);
  const found = await browser.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: "figure svg" });
  const wanted = await browser.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: "figure.chart, figure.motion, figure.field" });
  await browser.send("Emulation.setScriptExecutionDisabled", { value: false });
  return found.nodeIds.length < wanted.nodeIds.length ? [`${found.nodeIds.length} figures for ${wanted.nodeIds.length} without scripts`] : [];
}

#!/usr/bin/env node
// Opens the reports of all scenarios in a real browser and checks what is written beside their axes: at first sight, zoomed
// by the mouse, and moved. Every label must say its tick's value to within half a unit of its last digit, no two
// neighbours may say the same, and none may be cut or cover another. Legends must show the dashes that are drawn.
//
// Then the page as a whole, 1400 and 400 px wide, light and dark: no console error, no request, no word or curve too faint, nothing
// without words for those who do not see it, nothing cut off, at most 5000 px before unfolding; playing moves the picture, and picture
// and cursor show the same time, which is computed again from the data. At most 1 MB, open within 1.5 s, figures without scripts.
//
//     scripts/pages/check.mjs [--program PATH | --reports DIR] [--pictures DIR] [--short] [NAME…]
//
// --short takes one scenario of each kind and fewer zooms.
// Needs Chromium (Debian package `chromium`) and a built program, by default target/release/stickslip, or the folders of
// finished runs, each named as its scenario.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";
import { axisFaults, legendFaults, numberFaults, viewFaults } from "./faults.mjs";
import { fieldFaults, fileFaults, listen, motionFaults, opened, scheme, scriptlessFaults, stillFaults } from "./page.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const options = { program: join(root, "target/release/stickslip"), reports: null, pictures: null };
const names = [];
// One of each kind of page.
const KINDS = ["wheel-sport-braking", "car-four-wheels-braking", "road-train", "towed-wheel-p3", "block-on-belt", "bogie-case-2b",
  "creep-42kn", "cattaneo-to-carter", "rail-wheel-braking", "friction-oscillator", "motorcycle-stoppie", "squeal-wheel"];
let short = false;
for (let given = process.argv.slice(2); given.length; ) {
  const word = given.shift();
  if (["--program", "--reports", "--pictures"].includes(word)) options[word.slice(2)] = resolve(given.shift() || "");
  else if (word === "--short") short = true;
  else names.push(word);
}
if (short && !names.length) names.push(...KINDS);

// Longest time that a page may take to open [ms].
const SLOWEST = 1500;
// Screens: a desk and a phone with fine pixels.
const DESK = { width: 1400, height: 600, ratio: 1 };
const PHONE = { width: 400, height: 600, ratio: 2 };
// Each drag shows this part of what was seen before, as shares of the width: together a 4000th.
const DRAGS = [[0.31, 0.52], [0.1, 0.35], [0.62, 0.8], [0.4, 0.5], [0.05, 0.3]];
// Times to look at directly, as a place and a width, both shares of the run.
const VIEWS = [[0.5, 3e-7], [0.999, 1e-7], [0, 1e-6], [0.123456, 0.01], [0.9, 0.25], [0.3, 1e-12]];

// Nor is the study of convergence, where it can be left out.
const quick = !options.reports && spawnSync(options.program, ["run", "--help"], { encoding: "utf8" }).stdout?.includes("--no-study");

// The report of a scenario.
function report(name) {
  if (options.reports) return join(options.reports, name, "report.html");
  return run(join(root, "scenarios", name + ".toml"), join(folder, name));
}

function run(scenario, folder) {
  const given = ["run", scenario, "--out", folder];
  // Exponents are no business of the charts and take most of the time.
  if (/^model = "(wheel|vehicle|assembly|towed-wheel)"/m.test(readFileSync(scenario, "utf8"))) {
    given.push("--set", "output.exponent=false");
  }
  if (quick) given.push("--no-study");
  const { status, stderr, error } = spawnSync(options.program, given, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${basename(scenario)} does not run: ${error || stderr}`);
  return join(folder, "report.html");
}

async function look(browser, state, whole = false) {
  const [axes, numbers, views] =
    await browser.evaluate("[stickslipSeen.axes(), stickslipSeen.numbers(), stickslipSeen.views()]");
  const faults = [...axes.flatMap(axisFaults), ...numbers.flatMap(numberFaults), ...viewFaults(views, whole)];
  const labels = axes.reduce((sum, axis) => sum + axis.ticks.length, 0) + numbers.flat().length;
  return { labels, faults: faults.map((fault) => `${state}: ${fault}`) };
}

// The page on both screens, light and dark.
async function checkWhole(browser, ears, file, name) {
  const url = pathToFileURL(file).href, faults = fileFaults(file);
  let fastest = Infinity;
  ears.page(url);
  for (const [screen, size] of [["desk", DESK], ["phone", PHONE]]) {
    for (const shade of ["light", "dark"]) {
      await scheme(browser, shade);
      await browser.open(url, size);
      // Others may use the machine: the best of several.
      fastest = Math.min(fastest, await opened(browser));
      const found = await stillFaults(browser);
      if (shade === "light") {
        found.push(...(await motionFaults(browser, (share) => inPlot(browser, share))), ...(await fieldFaults(browser)));
      }
      if (options.pictures) await pictures(browser, `${name}-${screen}-${shade}`);
      faults.push(...[...found, ...ears.faults()].map((fault) => `${screen}, ${shade}: ${fault}`));
    }
  }
  if (fastest > SLOWEST) faults.push(`opened in ${fastest.toFixed(0)} ms`);
  await scheme(browser, "light");
  faults.push(...(await scriptlessFaults(browser, url, DESK)));
  return faults;
}

async function checkPage(browser, ears, file, name) {
  const total = { labels: 0, faults: await checkWhole(browser, ears, file, name) };
  const add = ({ labels, faults }) => { total.labels += labels; total.faults.push(...faults); };
  const url = pathToFileURL(file).href;
  for (const [screen, size] of [["desk", DESK], ["phone", PHONE]]) {
    await browser.open(url, size);
    // Long runs open on their last periods.
    const opens = await browser.evaluate("[...document.querySelectorAll('figure.chart script')].some((s) => JSON.parse(s.textContent).opens)");
    add(await look(browser, screen, !opens));
    const charts = await browser.evaluate("stickslipSeen.charts.length");
    if (screen === "desk") total.faults.push(...(await browser.evaluate("stickslipSeen.legends()")).flatMap(legendFaults));
    if (charts === 0) continue;
    for (const [k, [from, to]] of (screen === "desk" && !short ? DRAGS : DRAGS.slice(0, 1)).entries()) {
      await browser.drag(await inPlot(browser, from), await inPlot(browser, to));
      add(await look(browser, `${screen}, after ${k + 1} drags`));
      if (options.pictures && k === 2 && screen === "desk") await pictures(browser, `${name}-zoomed`);
    }
    await browser.doubleClick(...(await inPlot(browser, 0.5)));
    add(await look(browser, `${screen}, after a double click`, true));
    for (const [place, width] of short ? VIEWS.slice(0, 2) : VIEWS) {
      await browser.evaluate(
        "(() => { const u = stickslipSeen.charts[0], t = u.data[0], [a, b] = [t[0], t[t.length - 1]];" +
        ` const min = a + (b - a) * ${place}; u.setScale("x", { min, max: min + (b - a) * ${width} }); })()`);
      await browser.settled();
      add(await look(browser, `${screen}, ${width} of the run at ${place}`));
    }
    await explore(browser, screen, add);
  }
  total.faults.push(...ears.faults());
  return total;
}

// A place on the screen at a share of the width of the first plot, which shrinks as labels grow.
function inPlot(browser, share) {
  return browser.evaluate(
    "(() => { const over = stickslipSeen.charts[0].over; over.scrollIntoView({ block: 'center' });" +
    ` const r = over.getBoundingClientRect(); return [r.left + ${share} * r.width, r.top + 0.5 * r.height]; })()`);
}

// Moves the sliders of the nine regions.
async function explore(browser, screen, add) {
  if (!(await browser.evaluate("!!document.querySelector('figure.explorer .zoom')"))) return;
  for (const [time, zoom, about] of [[0.3, 0.4, "point"], [0.6, 0.8, "point"], [0.8, 1, "point"], [0.5, 1, "origin"]]) {
    await browser.evaluate(
      "(() => { const f = document.querySelector('figure.explorer'), time = f.querySelector('.time'), zoom = f.querySelector('.zoom');" +
      ` time.value = Math.round(${time} * time.max); zoom.value = ${zoom}; f.querySelector("select").value = "${about}";` +
      " zoom.dispatchEvent(new Event('input')); })()");
    await browser.settled();
    add(await look(browser, `${screen}, regions at zoom ${zoom}`));
  }
}

async function pictures(browser, name) {
  mkdirSync(options.pictures, { recursive: true });
  writeFileSync(join(options.pictures, `${name}.png`), await browser.picture());
}

const folder = mkdtempSync(join(tmpdir(), "stickslip-pages-"));
const scenarios = readdirSync(join(root, "scenarios")).filter((file) => file.endsWith(".toml")).sort();
const browser = await Browser.start();
let bad = 0, labels = 0, pages = 0;
try {
  await browser.prepare(readFileSync(join(here, "hooks.js"), "utf8"));
  await browser.prepare(readFileSync(join(here, "looks.js"), "utf8"));
  const ears = await listen(browser);
  for (const file of scenarios) {
    const name = basename(file, ".toml");
    if (names.length && !names.includes(name)) continue;
    const found = await checkPage(browser, ears, report(name), name).catch((error) => {
      throw new Error(`${name}: ${error.message}`);
    });
    pages += 1;
    labels += found.labels;
    if (!found.faults.length) console.log(`${name}: ${found.labels} labels`);
    else {
      bad += 1;
      console.error(`${name}: ${found.faults.length} faults`);
      found.faults.slice(0, 8).forEach((fault) => console.error(`    ${fault}`));
    }
  }
} finally {
  await browser.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (pages === 0 || (labels === 0 && !names.length)) throw new Error("nothing was checked");
console.log(`${pages} pages, ${labels} labels of ticks, ${bad} pages with faults`);
process.exitCode = bad ? 1 : 0;

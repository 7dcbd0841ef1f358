// A headless Chromium, spoken to through a pipe in the DevTools protocol: no package is needed.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
// What one answer or one page may take, on a busy machine.
const PATIENCE = 300_000;

function executable() {
  const asked = process.env.CHROMIUM;
  if (asked) return asked;
  const found = NAMES.find((name) => spawnSync(name, ["--version"]).status === 0);
  if (!found) throw new Error(`no browser: install the Debian package chromium, or set CHROMIUM to the path of one`);
  return found;
}

export class Browser {
  static async start() {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), "stickslip-browser-"));
    const flags = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
      `--user-data-dir=${browser.profile}`, "--remote-debugging-pipe", "about:blank",
    ];
    browser.process = spawn(executable(), flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    process.once("exit", () => browser.process.kill("SIGKILL"));
    browser.waiting = new Map();
    browser.listeners = [];
    browser.count = 0;
    let rest = "";
    browser.process.stdio[4].setEncoding("utf8").on("data", (text) => {
      const parts = (rest + text).split("\0");
      rest = parts.pop();
      parts.forEach((part) => browser.receive(JSON.parse(part)));
    });
    browser.process.on("exit", () => {
      for (const { reject } of browser.waiting.values()) reject(new Error("the browser ended"));
    });
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" }, null);
    browser.session = (await browser.send("Target.attachToTarget", { targetId, flatten: true }, null)).sessionId;
    await browser.send("Page.enable");
    await browser.send("Runtime.enable");
    return browser;
  }

  receive(message) {
    const waiting = this.waiting.get(message.id);
    if (waiting) {
      this.waiting.delete(message.id);
      if (message.error) waiting.reject(new Error(message.error.message));
      else waiting.resolve(message.result);
    } else {
      this.listeners.forEach((listener) => listener(message));
    }
  }

  send(method, params = {}, session = this.session) {
    const id = ++this.count;
    const message = { id, method, params, ...(session ? { sessionId: session } : {}) };
    const answer = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), PATIENCE);
      const settle = (f) => (value) => { clearTimeout(timer); f(value); };
      this.waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
    });
    this.process.stdio[3].write(JSON.stringify(message) + "\0");
    return answer;
  }

  // Runs `source` in every page before its own scripts.
  prepare(source) {
    return this.send("Page.addScriptToEvaluateOnNewDocument", { source });
  }

  async open(url, { width, height, ratio }) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio, mobile: false });
    const loaded = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${url} does not load`)), PATIENCE);
      const listener = (message) => {
        if (message.method !== "Page.loadEventFired") return;
        clearTimeout(timer);
        this.listeners.splice(this.listeners.indexOf(listener), 1);
        resolve();
      };
      this.listeners.push(listener);
    });
    const { errorText } = await this.send("Page.navigate", { url });
    if (errorText) throw new Error(`${url}: ${errorText}`);
    await loaded;
    await this.settled();
  }

  // The document of a page in which no script runs.
  async openQuietly(url, { width, height, ratio }) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio, mobile: false });
    const loaded = new Promise((resolve) => {
      const listener = (message) => {
        if (message.method !== "Page.loadEventFired") return;
        this.listeners.splice(this.listeners.indexOf(listener), 1);
        resolve();
      };
      this.listeners.push(listener);
    });
    await this.send("Page.navigate", { url });
    await loaded;
    return this.send("DOM.getDocument", { depth: 1 });
  }

  // The value of an expression in the page; promises are waited for.
  async evaluate(expression) {
    const options = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }

  // Until everything that was asked for is drawn.
  settled() {
    return this.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))");
  }

  async mouse(type, x, y, more = {}) {
    await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, ...more });
  }

  // Draws the pressed mouse from one place to another.
  async drag([x0, y0], [x1, y1]) {
    await this.mouse("mouseMoved", x0, y0, { button: "none" });
    await this.mouse("mousePressed", x0, y0, { buttons: 1 });
    await this.mouse("mouseMoved", (x0 + x1) / 2, (y0 + y1) / 2, { buttons: 1 });
    await this.mouse("mouseMoved", x1, y1, { buttons: 1 });
    await this.mouse("mouseReleased", x1, y1);
    await this.settled();
  }

  async doubleClick(x, y) {
    for (const clickCount of [1, 2]) {
      await this.mouse("mousePressed", x, y, { buttons: 1, clickCount });
      await this.mouse("mouseReleased", x, y, { clickCount });
    }
    await this.settled();
  }

  // A picture of the whole page, or of a part of it, as PNG.
  async picture(clip) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip });
    return Buffer.from(data, "base64");
  }

  async stop() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    await this.send("Browser.close", {}, null).catch(() => this.process.kill());
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

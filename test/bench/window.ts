/**
 * Does the window keep up? Streams a long answer (about 5,000 tokens, with formulas and code) and scrolls ten thousand
 * messages over a scripted core, in the system's Chromium (`CREDENCE_CHROMIUM`, /usr/bin/chromium), with the product's
 * content policy. Frames are compared with those of the same page at rest, opening with that of a short conversation.
 * Caveats: a headless browser on shared cores; software drawing; no engine beside it.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright";
import { bridgeScript, buildWindow, serveWindow } from "../window/serve.ts";

const built = join(tmpdir(), "credence-window-bench");
await buildWindow(built);
const server = await serveWindow(built);
const browser: Browser = await chromium.launch({
  executablePath: process.env["CREDENCE_CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});

async function open(hash: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 } });
  await page.addInitScript(await bridgeScript("scenes.benchScript()"));
  await page.goto(`${server.url}${hash}`);
  await page.waitForSelector(".you");
  return page;
}

interface Frames {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
  /** Share of frames that took more than two of a 60 Hz screen's. */
  readonly dropped: number;
  /** Milliseconds of processor time for script, and for style and layout, a frame. */
  readonly script: number;
  readonly layout: number;
}

/** Runs `work` in the page and measures the time between frames meanwhile, and what script and layout took of it. */
async function framesDuring(page: Page, work: () => Promise<unknown>): Promise<Frames> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" }); // processor time: others on the machine do not count
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const value = (name: string) => metrics.find((each) => each.name === name)?.value ?? 0;
    return { script: value("ScriptDuration"), layout: value("LayoutDuration") + value("RecalcStyleDuration") };
  };
  await page.evaluate(() => {
    const gaps: number[] = [];
    let last = performance.now();
    const state = { gaps, on: true };
    Object.assign(window, { __frames: state });
    const tick = (now: number) => {
      gaps.push(now - last);
      last = now;
      if (state.on) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  const before = await spent();
  await page.evaluate(work);
  const after = await spent();
  const gaps = await page.evaluate(() => {
    const state = (window as unknown as { __frames: { gaps: number[]; on: boolean } }).__frames;
    state.on = false;
    return state.gaps;
  });
  const sorted = gaps.slice(2).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    count: sorted.length,
    p50: at(0.5),
    p99: at(0.99),
    worst: at(1),
    dropped: sorted.filter((gap) => gap > 34).length / Math.max(1, sorted.length),
    script: ((after.script - before.script) * 1000) / Math.max(1, sorted.length),
    layout: ((after.layout - before.layout) * 1000) / Math.max(1, sorted.length),
  };
}

/** What the page holds for this benchmark. */
interface BenchWindow {
  __core: { emit(event: unknown): void };
  __tokens(): unknown[];
}

const rest = () => new Promise((done) => setTimeout(done, 4000));
const stream = async () => {
  const { __core: core, __tokens } = window as unknown as BenchWindow;
  const tokens = __tokens();
  for (let i = 0; i < tokens.length; i += 3) {
    for (const token of tokens.slice(i, i + 3)) core.emit(token);
    await new Promise((done) => setTimeout(done, 12));
  }
};
const scroll = async () => {
  const list = document.querySelector(".thread")!;
  for (let i = 0; i < 400; i += 1) {
    list.scrollBy(0, -400);
    await new Promise((done) => requestAnimationFrame(done));
  }
};

const report = (name: string, frames: Frames) =>
  console.log(
    `${name.padEnd(34)} ${frames.count} frames, median ${frames.p50.toFixed(1)} ms, p99 ${frames.p99.toFixed(1)} ms, worst ${frames.worst.toFixed(0)} ms, dropped ${(frames.dropped * 100).toFixed(1)} %, script ${frames.script.toFixed(1)} ms and layout ${frames.layout.toFixed(1)} ms a frame`,
  );

let page = await open("#/chat/bench");
const idle = await framesDuring(page, rest);
report("at rest", idle);
const streaming = await framesDuring(page, stream);
report("streaming 5,000 tokens", streaming);
console.log(
  `drawn at the end: ${await page.locator(".answer .katex").count()} formulas, ${await page.locator(".answer figure.code").count()} blocks of code`,
);
await page.close();

const opening = async (hash: string): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    page = await open("#/chat/new-bench");
    times.push(
      await page.evaluate(async (to) => {
        const start = performance.now();
        window.location.hash = to;
        while (!document.querySelector('.thread [data-message^="l"], .thread [data-message^="s"]'))
          await new Promise((done) => requestAnimationFrame(done));
        return performance.now() - start;
      }, hash),
    );
    await page.close();
  }
  return times.sort((a, b) => a - b)[2]!;
};
const short = await opening("#/chat/short");
const long = await opening("#/chat/long");
console.log(
  `opening 10,000 messages against 10: ${(long / short).toFixed(2)} (${long.toFixed(0)} ms, ${short.toFixed(0)} ms)`,
);

page = await open("#/chat/long");
report("scrolling 10,000 messages", await framesDuring(page, scroll));
console.log(`rows in the page: ${await page.locator(".thread [data-message]").count()}`);
await browser.close();
server.close();

/**
 * What the desktop shell costs, in the packaged app on a real profile: time until the window takes input against an
 * empty Electron window, opening a 10,000-message conversation against a 10-message one, the main process's loop delay
 * and the frames while an answer streams, and memory.
 * Caveats: software drawing under Xvfb; other load on the machine makes all of it slower; compare ratios, not seconds.
 */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { packForTests } from "../../electron/build/desktop-test.ts";
import { developmentRuntime } from "../../electron/build/runtime.ts";
import { launch, type RunningApp } from "../desktop/support/app.ts";
import { ensureDisplay } from "../desktop/support/display.ts";
import { emptyApp, median, removeFolder, timeToField } from "./shell/start.ts";

const rounds = Number(process.argv[2] ?? 5);
const say = (line: string) => console.error(line);
const endDisplay = await ensureDisplay();
const { executable } = await packForTests(say);
const runtime = await developmentRuntime(() => {});
const work = mkdtempSync(join(tmpdir(), "credence-bench-"));
const dataDir = join(work, "profile");
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

async function withApp<Value>(use: (app: RunningApp) => Promise<Value>, firstStartDone = false): Promise<Value> {
  const app = await launch({ executable, dataDir, firstStartDone });
  try {
    return await use(app);
  } finally {
    await app.quit();
  }
}

/** Conversations of 10 and of 10,000 messages, written as the core stores them. */
function fillProfile(): void {
  const db = new Database(join(dataDir, "credence.db"));
  const now = Date.now();
  const conversation = db.prepare(
    "INSERT INTO conversations (id, title, titled, created_at, updated_at) VALUES (?, ?, 1, ?, ?)",
  );
  const message = db.prepare(
    "INSERT INTO messages (id, conversation_id, role, content, state, model_name, generated_tokens, created_at) VALUES (?, ?, ?, ?, 'complete', ?, ?, ?)",
  );
  const paragraph = "The keeper wrote down the **height** of the tide, the wind and the ships that passed. ".repeat(4);
  db.transaction(() => {
    for (const [name, count] of [
      ["short", 10],
      ["long", 10_000],
    ] as const) {
      conversation.run(`con_bench_${name}`, `Bench ${name}`, now, now);
      for (let i = 0; i < count; i++) {
        const user = i % 2 === 0;
        message.run(
          `msg_${name}_${String(i).padStart(6, "0")}`,
          `con_bench_${name}`,
          user ? "user" : "assistant",
          user ? `Question ${i}?` : `${paragraph}\n\n- one\n- two`,
          user ? null : "Bench",
          user ? null : 90,
          now + i,
        );
      }
    }
  })();
  db.close();
}

async function measureStart(): Promise<void> {
  const env = { ...process.env, EMPTY_PROFILE: join(work, "empty-profile"), CREDENCE_MODELS_DIR: "" };
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const emptyMs = await timeToField(runtime.executable, [emptyApp, ...sandbox], env);
    const ourMs = await timeToField(executable, [...sandbox, "--data-dir", dataDir], env);
    // The first round only warms the disk.
    if (round < 0) continue;
    bare.push(emptyMs);
    ours.push(ourMs);
  }
  console.log(
    `window takes input: ${median(ours).toFixed(0)} ms, an empty Electron window ${median(bare).toFixed(0)} ms: ratio ${(median(ours) / median(bare)).toFixed(2)} (goal: at most 1.6)`,
  );
}

async function measureOpening(app: RunningApp): Promise<void> {
  const open = (id: string) =>
    app.page.evaluate(async (wanted) => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      location.hash = "#/chat";
      while (document.querySelector(".thread [data-message]")) await frame();
      const start = performance.now();
      location.hash = `#/chat/${wanted}`;
      while (!document.querySelector(`.thread [data-message^="msg_${wanted.split("_")[2]}"]`)) await frame();
      await frame();
      return performance.now() - start;
    }, id);
  const short: number[] = [];
  const long: number[] = [];
  for (let round = -1; round < rounds * 4; round++) {
    const shortMs = await open("con_bench_short");
    const longMs = await open("con_bench_long");
    if (round < 0) continue;
    short.push(shortMs);
    long.push(longMs);
  }
  console.log(
    `opening 10,000 messages: ${median(long).toFixed(0)} ms, 10 messages ${median(short).toFixed(0)} ms: ratio ${(median(long) / median(short)).toFixed(2)} (goal: at most 1.5)`,
  );
}

interface Streaming {
  readonly loop: { p50: number; p99: number; max: number };
  readonly frames: { p50: number; p99: number };
}

/** The main process's loop delay and the page's frame gaps while `work` runs. */
async function observe(app: RunningApp, work: () => Promise<void>): Promise<Streaming> {
  await app.electron.evaluate(() => {
    const { monitorEventLoopDelay } = process.getBuiltinModule("node:perf_hooks");
    const histogram = monitorEventLoopDelay({ resolution: 1 });
    histogram.enable();
    (globalThis as unknown as { bench: typeof histogram }).bench = histogram;
  });
  await app.page.evaluate(() => {
    const state = { gaps: [] as number[], on: true };
    Object.assign(window, { benchFrames: state });
    let last = performance.now();
    const tick = (now: number) => {
      state.gaps.push(now - last);
      last = now;
      if (state.on) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await work();
  const gaps = await app.page.evaluate(() => {
    const state = (window as unknown as { benchFrames: { gaps: number[]; on: boolean } }).benchFrames;
    state.on = false;
    return state.gaps.slice(2).sort((a, b) => a - b);
  });
  const loop = await app.electron.evaluate(() => {
    const histogram = (
      globalThis as unknown as { bench: { percentile(p: number): number; max: number; disable(): void } }
    ).bench;
    histogram.disable();
    return { p50: histogram.percentile(50) / 1e6, p99: histogram.percentile(99) / 1e6, max: histogram.max / 1e6 };
  });
  return {
    loop,
    frames: { p50: gaps[Math.floor(gaps.length * 0.5)] ?? 0, p99: gaps[Math.floor(gaps.length * 0.99)] ?? 0 },
  };
}

const observed = (name: string, { loop, frames }: Streaming) =>
  `${name}: main loop delay p50 ${loop.p50.toFixed(1)} ms, p99 ${loop.p99.toFixed(1)} ms, longest ${loop.max.toFixed(0)} ms; frames p50 ${frames.p50.toFixed(1)} ms, p99 ${frames.p99.toFixed(1)} ms`;

/** Memory of the app's processes in MB, shared pages counted once (PSS). */
function memory(pid: number): { total: number; processes: number } {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      parents.set(Number(name), Number(fields[1]));
    } catch {
      // It ended meanwhile.
    }
  }
  const within = (id: number): boolean =>
    id === pid || (parents.has(id) && parents.get(id) !== 0 && within(parents.get(id)!));
  let kilobytes = 0;
  let processes = 0;
  for (const id of parents.keys()) {
    if (!within(id)) continue;
    try {
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1] ?? 0);
      processes++;
    } catch {
      // It ended meanwhile.
    }
  }
  return { total: kilobytes / 1024, processes };
}

async function measureStreaming(app: RunningApp): Promise<void> {
  console.log(observed("at rest", await observe(app, () => app.page.waitForTimeout(5000))));
  const before = memory(app.pid);
  let peak = before.total;
  await app.page.evaluate(() => {
    location.hash = "#/chat";
  });
  await app.chat.field.waitFor();
  await app.chat.ask("Write a very long story about a lighthouse keeper and the sea, with many chapters.");
  await app.chat.waitForWords(10, 180_000);
  const sampled = await observe(app, async () => {
    for (let i = 0; i < 30; i++) {
      await app.page.waitForTimeout(500);
      peak = Math.max(peak, memory(app.pid).total);
      if ((await app.chat.live.count()) === 0) break;
    }
  });
  console.log(`${observed("streaming", sampled)} (goal: loop p99 at most 20 ms)`);
  console.log(
    `memory: ${before.total.toFixed(0)} MB in ${before.processes} processes before the first question, at most ${peak.toFixed(0)} MB while it answers`,
  );
}

try {
  await withApp(async (app) => void (await app.call("app.startup", {})), true);
  // Before the profile is filled: ten thousand messages written from outside leave the index a backlog, whose embedding
  // takes the processor from any start that follows.
  await measureStart();
  fillProfile();
  await withApp(async (app) => {
    await measureOpening(app);
    await measureStreaming(app);
  });
} finally {
  endDisplay();
  removeFolder(work);
}

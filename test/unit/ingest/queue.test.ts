import { beforeEach, expect, test } from "vitest";
import type { QueueState } from "../../../core/contract/index.ts";
import { CAPACITY, type IngestDeps, IngestQueue, type Submission } from "../../../core/ingest/index.ts";
import { ManualClock, silentLog } from "../../../core/platform/index.ts";
import type { Connection } from "../../../core/storage/index.ts";
import { migratedDatabase } from "../../support/profile.ts";

let db: Connection;
let clock: ManualClock;
let chatting: boolean;
let battery: boolean;
let settings: { paused: boolean; tokensPerHour: number };
let worked: string[];
let queue: IngestQueue;

beforeEach(() => {
  db = migratedDatabase();
  clock = new ManualClock();
  chatting = false;
  battery = false;
  settings = { paused: false, tokensPerHour: 0 };
  worked = [];
  queue = make();
});

function make(over: Partial<IngestDeps> = {}): IngestQueue {
  return new IngestQueue({
    db,
    clock,
    log: silentLog,
    weigh: async (item) => ({
      strength: item.text.includes("weak") ? 0.1 : 0.6,
      reasoningType: "empirical_data",
      allowed: !item.text.includes("weak"),
      why: "Too weak to count.",
      tokens: 10,
    }),
    work: async (item) => {
      worked.push(item.sourceId);
      return { beliefs: [], summary: "No belief bears on it.", tokens: 90 };
    },
    lock: (task) => task(),
    chatting: () => chatting,
    onBattery: () => battery,
    settings: { get: () => settings, set: (change) => Object.assign(settings, change) },
    onChanged: () => {},
    ...over,
  });
}

const item = (sourceId: string, text = "118 eels were counted"): Submission => ({
  kind: "feed",
  sourceId,
  containerId: "f",
  from: "Weir notes",
  title: sourceId,
  text,
  publishedAt: 1,
});

/** A task that ends only when told to, or when it is stopped. */
function held(): { run: (signal: AbortSignal) => Promise<void>; release: () => void; began: Promise<void> } {
  let release = () => {};
  let begun = () => {};
  const began = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const run = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      release = resolve;
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      begun();
    });
  return { run, release: () => release(), began };
}

test("an item gets its job at once, strong ones are worked on in order, weak ones are skipped with the reason", async () => {
  const jobs = ["a", "b weak", "c"].map((id) => queue.submit(item(id, id)));
  expect(jobs.map((job) => job.state)).toEqual(["waiting", "waiting", "waiting"]);
  queue.start();
  await queue.idle();
  expect(worked).toEqual(["a", "c"]);
  expect(jobs.map((job) => queue.get(job.id)).map((job) => [job.state, job.reason, job.tokens])).toEqual([
    ["done", "No belief bears on it.", 100],
    ["skipped", "Too weak to count.", 10],
    ["done", "No belief bears on it.", 100],
  ]);
});

test("the same item handed in twice is one job, also after it has ended", async () => {
  queue.start();
  const first = queue.submit(item("a"));
  await queue.idle();
  expect(queue.submit(item("a")).id).toBe(first.id);
  expect(worked).toEqual(["a"]);
});

test("256 may wait; the next one is refused and nothing is lost", () => {
  for (let i = 0; i < CAPACITY; i++) queue.submit(item(`i${i}`));
  expect(queue.hasRoom()).toBe(false);
  expect(() => queue.submit(item("one more"))).toThrow(/256 items wait/);
  expect(queue.state().waiting).toBe(256);
});

test("never two at a time, and a chat turn sends the running job back to its place", async () => {
  const gate = held();
  queue = make({
    work: async (work, _, signal) => {
      worked.push(work.sourceId);
      if (worked.length === 1) await gate.run(signal);
      return { beliefs: [], summary: "", tokens: 1 };
    },
  });
  queue.start();
  const first = queue.submit(item("a"));
  queue.submit(item("b"));
  await gate.began;
  expect(queue.list(["working"], 10).jobs.map((job) => job.sourceId)).toEqual(["a"]);
  chatting = true;
  queue.yieldToChat();
  await queue.idle();
  expect([queue.get(first.id).state, queue.get(first.id).attempts, queue.state().held]).toEqual([
    "waiting",
    0,
    "Your chat goes first.",
  ]);
  chatting = false;
  await clock.advance(10_000);
  await queue.idle();
  expect(worked).toEqual(["a", "a", "b"]);
});

test("battery, pause and the hour's tokens hold it up and let it go on by itself", async () => {
  battery = true;
  queue.start();
  queue.submit(item("a"));
  expect(queue.state().held).toMatch(/battery/);
  battery = false;
  await clock.advance(10_000);
  await queue.idle();
  expect(worked).toEqual(["a"]);
  queue.setBudget(50);
  queue.submit(item("b"));
  await queue.idle();
  expect([worked.length, queue.state().held]).toEqual([1, "The tokens for this hour are used."]);
  await clock.advance(3_700_000);
  await queue.idle();
  expect(worked).toEqual(["a", "b"]);
  queue.pause(true);
  queue.submit(item("c"));
  await clock.advance(60_000);
  expect(worked).toHaveLength(2);
  queue.setBudget(0);
  queue.pause(false);
  await queue.idle();
  expect(worked).toEqual(["a", "b", "c"]);
});

test("a cancelled job says that you stopped it, a waiting one that you took it out, and both can be retried", async () => {
  const gate = held();
  queue = make({
    weigh: async (_, signal) => {
      await gate.run(signal);
      throw new Error("never reached");
    },
  });
  queue.start();
  const running = queue.submit(item("a"));
  const waiting = queue.submit(item("b"));
  await gate.began;
  queue.cancel(waiting.id);
  queue.cancel(running.id);
  await queue.idle();
  expect([queue.get(running.id).reason, queue.get(waiting.id).reason]).toEqual([
    "You stopped it.",
    "You took it out of the queue.",
  ]);
  expect(queue.retry(waiting.id).state).not.toBe("cancelled");
  await queue.close();
});

test("retrying a skipped job passes triage by, retrying an open one is refused", async () => {
  queue.start();
  const job = queue.submit(item("weak", "weak"));
  await queue.idle();
  queue.retry(job.id);
  await queue.idle();
  expect([queue.get(job.id).state, worked]).toEqual(["done", ["weak"]]);
  settings.paused = true;
  expect(() => queue.retry(queue.submit(item("open")).id)).toThrow(/still in the queue/);
});

test("a failing job keeps its error in words and does not stop the next", async () => {
  queue = make({
    work: async (work) => {
      if (work.sourceId === "a") throw new TypeError("x is undefined");
      worked.push(work.sourceId);
      return { beliefs: [], summary: "", tokens: 0 };
    },
  });
  queue.start();
  const job = queue.submit(item("a"));
  queue.submit(item("b"));
  await queue.idle();
  await queue.idle();
  expect(worked).toEqual(["b"]);
  expect(queue.get(job.id)).toMatchObject({ state: "failed", reason: expect.not.stringContaining("undefined") });
});

test("after a crash what was under way waits again, and is given up the third time", async () => {
  const job = queue.submit(item("a"));
  for (let crash = 1; crash <= 2; crash++) {
    db.write("UPDATE jobs SET state = 'working', attempts = ?").run(crash);
    settings.paused = true;
    make().start();
    expect(queue.get(job.id).state).toBe("waiting");
  }
  db.write("UPDATE jobs SET state = 'working', attempts = 3").run();
  make().start();
  expect(queue.get(job.id)).toMatchObject({ state: "failed", reason: expect.stringContaining("three times") });
});

test("whoever watches sees every step", async () => {
  const seen: (string | undefined)[] = [];
  const states: QueueState[] = [];
  queue = make({
    onChanged: (state, job) => {
      states.push(state);
      seen.push(job?.state);
    },
  });
  queue.start();
  queue.submit(item("a"));
  await queue.idle();
  expect(seen).toEqual(["waiting", "weighing", "working", "done"]);
  expect(states.at(-1)).toMatchObject({ waiting: 0, running: null, held: null });
});

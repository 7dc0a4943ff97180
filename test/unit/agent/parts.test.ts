import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createArtifacts, PAGE_CHARS } from "../../../core/agent/artifacts.ts";
import { createBookkeeping } from "../../../core/agent/bookkeeping.ts";
import { createCostTracker } from "../../../core/agent/cost.ts";
import { createSharedActivityState, HEARTBEAT_MS, startProgressHeartbeat } from "../../../core/agent/heartbeat.ts";
import { createTokenStreamPublisher } from "../../../core/agent/publisher.ts";
import { createSessionLocks } from "../../../core/agent/session-lock.ts";
import { createTrails } from "../../../core/agent/trail.ts";
import type { ConversationId, MessageId, TurnEvent, TurnId } from "../../../core/contract/index.ts";
import { Conversations } from "../../../core/conversations/index.ts";
import { ManualClock, silentLog } from "../../../core/platform/index.ts";
import { Connection, migrate, migrations } from "../../../core/storage/index.ts";

const folders: string[] = [];
const connections: Connection[] = [];
afterEach(() => {
  for (const connection of connections.splice(0)) connection.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function database(): Connection {
  const db = new Connection(":memory:");
  migrate(db, migrations);
  connections.push(db);
  return db;
}

const key = { turnId: "turn_1" as TurnId, conversationId: "c" as ConversationId, messageId: "m" as MessageId };

function withConversation(db: Connection): void {
  db.exec("INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c', 'Eels', 1, 1)");
}

describe("the session lock", () => {
  it("runs one at a time for a key, others side by side, in the order they asked", async () => {
    const locks = createSessionLocks<string>();
    const log: string[] = [];
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const first = locks.hold("a", async () => {
      log.push("a1");
      await gate;
      log.push("a1 end");
    });
    const second = locks.hold("a", async () => void log.push("a2"));
    await locks.hold("b", async () => void log.push("b1"));
    open();
    await Promise.all([first, second]);
    expect(log).toEqual(["a1", "b1", "a1 end", "a2"]);
    expect(locks.held).toBe(0);
  });

  it("is released when the work throws", async () => {
    const locks = createSessionLocks<string>();
    await expect(locks.hold("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await locks.hold("a", async () => "free")).toBe("free");
    expect(locks.held).toBe(0);
  });
});

describe("the heartbeat", () => {
  it("beats at least every two seconds of silence and keeps still while other events come", async () => {
    const clock = new ManualClock();
    let heard = clock.monotonic();
    const beats: number[] = [];
    const heartbeat = startProgressHeartbeat({
      clock,
      lastHeard: () => heard,
      beat: () => {
        heard = clock.monotonic();
        beats.push(heard);
      },
    });
    const start = clock.monotonic();
    await clock.advance(10_000);
    const gaps = [start, ...beats].map((at, i, all) => (all[i + 1] ?? at) - at);
    expect(beats.length).toBeGreaterThanOrEqual(5);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2_000);
    const before = beats.length;
    for (let i = 0; i < 10; i++) {
      heard = clock.monotonic();
      await clock.advance(HEARTBEAT_MS / 2);
    }
    expect(beats.length - before).toBeLessThanOrEqual(1);
    heartbeat.stop();
    await clock.advance(10_000);
    expect(beats.length - before).toBeLessThanOrEqual(1);
  });

  it("tells what runs: the newest first, the rest counted", () => {
    const activity = createSharedActivityState();
    expect(activity.summary()).toBe("");
    const search = activity.begin("Searching your library");
    const read = activity.begin("Reading report.pdf");
    read.update("Reading report.pdf", 0.4);
    expect(activity.summary()).toBe("Reading report.pdf (40 %), and 1 more");
    read.end();
    expect(activity.summary()).toBe("Searching your library");
    search.end();
    expect(activity.running).toBe(0);
  });
});

describe("the cost tracker", () => {
  it("adds up tokens, prices them, and says when the budget is spent", async () => {
    const clock = new ManualClock();
    const cost = createCostTracker({
      clock,
      limits: { tokens: 1_000, ms: 60_000 },
      pricing: { promptPerMillion: 1, generatedPerMillion: 2 },
    });
    cost.record({ promptTokens: 900, cachedTokens: 500, generatedTokens: 100 });
    expect(cost.exceeded()).toBeNull();
    expect(cost.cost).toBeCloseTo((400 * 1 + 100 * 2) / 1e6, 12);
    cost.record({ promptTokens: 600, cachedTokens: 0, generatedTokens: 0 });
    expect(cost.exceeded()).toBe("This turn has used its 1,000 tokens.");
    const timed = createCostTracker({ clock, limits: { tokens: 1_000, ms: 60_000 } });
    await clock.advance(59_000);
    expect(timed.remainingMs()).toBe(1_000);
    await clock.advance(1_000);
    expect(timed.exceeded()).toBe("This turn has used its minute.");
    expect(timed.cost).toBe(0);
    const patient = createCostTracker({ clock, limits: { tokens: 1_000, ms: 60_000 } });
    await clock.advance(10_000);
    patient.waitForUser(true);
    await clock.advance(3_600_000);
    patient.waitForUser(false);
    expect(patient.remainingMs()).toBe(50_000);
  });
});

describe("the stream publisher", () => {
  it("sends the first token at once, then in pieces, and stores at most every 250 ms", async () => {
    const db = database();
    const clock = new ManualClock();
    const conversations = new Conversations({ db, clock });
    const { id: conversationId } = conversations.create();
    const user = conversations.appendUser(conversationId, "Hi", key.turnId);
    const answer = conversations.beginAnswer({
      conversationId,
      turnId: key.turnId,
      replyTo: user.id,
      modelId: null,
      modelName: null,
    });
    const events: TurnEvent[] = [];
    const trail = createTrails({ db, clock, log: silentLog, publish: (event) => events.push(event) }).open({
      ...key,
      conversationId,
      messageId: answer.id,
    });
    const writes: string[] = [];
    const publisher = createTokenStreamPublisher({
      trail,
      clock,
      messageId: answer.id,
      conversations: {
        updateAnswer(id, soFar) {
          writes.push(soFar.content);
          conversations.updateAnswer(id, soFar);
        },
      },
    });
    for (let i = 0; i < 100; i++) {
      publisher.push({ channel: "answer", text: `w${i} ` });
      await clock.advance(10);
    }
    const tokens = events.filter((event) => event.type === "turn.token");
    expect(tokens[0]).toMatchObject({ text: "w0 ", seq: 1 });
    expect(tokens.length).toBeLessThanOrEqual(35);
    expect(writes.length).toBeGreaterThanOrEqual(3);
    expect(writes.length).toBeLessThanOrEqual(4);
    // A kill at this moment loses no more than the last quarter of a second.
    expect(conversations.message(answer.id).content.split(" ").length).toBeGreaterThan(70);
    publisher.close();
    expect(conversations.message(answer.id).content).toBe(publisher.answer);
    expect(tokens.length).toBeGreaterThan(0);
    expect(
      events
        .filter((event) => event.type === "turn.token")
        .map((event) => (event.type === "turn.token" ? event.text : ""))
        .join(""),
    ).toBe(publisher.answer);
    publisher.push({ channel: "answer", text: "late" });
    expect(publisher.answer).not.toContain("late");
  });
});

describe("the trail", () => {
  it("replays a running turn from any event, tokens included, and an old one from disk without gaps", () => {
    const db = database();
    withConversation(db);
    const clock = new ManualClock();
    const published: TurnEvent[] = [];
    const trails = createTrails({ db, clock, log: silentLog, publish: (event) => published.push(event) });
    const trail = trails.open(key);
    trail.add({
      type: "turn.started",
      userMessageId: "u" as MessageId,
      assistantMessageId: "m" as MessageId,
      modelName: "",
    });
    trail.add({ type: "turn.token", channel: "answer", text: "Hel" });
    trail.add({ type: "turn.token", channel: "answer", text: "lo" });
    expect(trails.replay(key.turnId, 1)).toMatchObject({ ended: false, events: [{ seq: 2 }, { seq: 3 }] });
    trail.add({ type: "turn.ended", outcome: "completed", messageId: "m" as MessageId, note: null, durationMs: 5 });
    expect(trails.replay(key.turnId, 3)).toMatchObject({ ended: true, events: [{ seq: 4, type: "turn.ended" }] });
    expect(published).toHaveLength(4);

    const later = createTrails({ db, clock, log: silentLog, publish: () => {} });
    expect(later.ofMessage("m" as MessageId).events.map((event) => [event.seq, event.type])).toEqual([
      [1, "turn.started"],
      [2, "turn.ended"],
    ]);
    later.open(key, { resume: true }).add({ type: "turn.nudge", reason: "afterwards" });
    expect(later.ofMessage("m" as MessageId).events.map((event) => [event.seq, event.type])).toEqual([
      [1, "turn.started"],
      [2, "turn.ended"],
      [3, "turn.nudge"],
    ]);
  });

  it("gives a turn that a crash left open its end, once", () => {
    const db = database();
    withConversation(db);
    const clock = new ManualClock();
    const trail = createTrails({ db, clock, log: silentLog, publish: () => {} }).open(key);
    trail.add({
      type: "turn.started",
      userMessageId: "u" as MessageId,
      assistantMessageId: "m" as MessageId,
      modelName: "",
    });
    const next = createTrails({ db, clock, log: silentLog, publish: () => {} });
    expect(next.closeOpen()).toBe(1);
    expect(next.closeOpen()).toBe(0);
    expect(next.replay(key.turnId, 0)).toMatchObject({
      ended: true,
      events: [{ seq: 1 }, { seq: 2, outcome: "interrupted" }],
    });
  });

  it("leaves out a row that can no longer be read", () => {
    const db = database();
    withConversation(db);
    db.exec(
      "INSERT INTO turn_events VALUES ('turn_1', 1, 'c', 'm', 1, '{broken'), ('turn_1', 2, 'c', 'm', 1, '{\"type\":\"turn.unknown\"}')",
    );
    const trails = createTrails({ db, clock: new ManualClock(), log: silentLog, publish: () => {} });
    expect(trails.ofMessage("m" as MessageId).events).toEqual([]);
  });
});

describe("artifacts", () => {
  function open(maxBytes?: number) {
    const folder = mkdtempSync(join(tmpdir(), "credence-artifacts-"));
    folders.push(folder);
    return { folder, artifacts: createArtifacts({ folder, log: silentLog, ...(maxBytes ? { maxBytes } : {}) }) };
  }

  it("give back the whole text page by page, whatever characters it has", async () => {
    const { artifacts } = open();
    const text = "ä🦉\n".repeat(40_000);
    const id = artifacts.keep(key, "output", text, { ephemeral: false });
    let read = "";
    let offset: number | null = 0;
    while (offset !== null) {
      const page: { text: string; totalChars: number; nextOffset: number | null } = await artifacts.read(
        key,
        id,
        offset,
      );
      expect(page.text.length).toBeLessThanOrEqual(PAGE_CHARS);
      expect(page.totalChars).toBe(text.length);
      read += page.text;
      offset = page.nextOffset;
    }
    expect(read).toBe(text);
  });

  it("stay within their bytes: the oldest turns go first, the present one stays", async () => {
    const { folder, artifacts } = open(10_000);
    for (const n of [1, 2, 3, 4])
      artifacts.keep({ ...key, turnId: `turn_${n}` as TurnId }, "output", "x".repeat(2_000), { ephemeral: false });
    await artifacts.settled();
    expect(readdirSync(join(folder, "c")).sort()).toEqual(["turn_3", "turn_4"]);
    await expect(artifacts.read(key, "001-output", 0)).rejects.toMatchObject({
      kind: "general.not-found",
    });
  });

  it("of an ephemeral turn never touch the disk", async () => {
    const { folder, artifacts } = open();
    const id = artifacts.keep(key, "output", "secret", { ephemeral: true });
    await artifacts.settled();
    expect(readdirSync(folder)).toEqual([]);
    expect(await artifacts.read(key, id, 0)).toMatchObject({ text: "secret" });
  });

  it("never leave their folder, whatever the ids say", async () => {
    const { artifacts } = open();
    await expect(artifacts.read({ ...key, turnId: "../../etc" as TurnId }, "../passwd", 0)).rejects.toMatchObject({
      kind: "general.not-found",
    });
  });
});

describe("bookkeeping", () => {
  const job = (step: string, turnId = key.turnId) => ({
    turnId,
    conversationId: key.conversationId,
    step,
    payload: { n: 1 },
  });

  function open(perform: (step: string, signal: AbortSignal) => Promise<void>) {
    const db = database();
    withConversation(db);
    const clock = new ManualClock();
    const make = () =>
      createBookkeeping({
        db,
        clock,
        log: silentLog,
        adopt: true,
        perform: (done, signal) => perform(done.step, signal),
      });
    return { db, clock, make, left: () => db.read<{ n: number }>("SELECT count(*) AS n FROM bookkeeping").get()?.n };
  }

  it("does the steps of a turn in order, after the answer has settled", async () => {
    const done: string[] = [];
    const { clock, make, left } = open(async (step) => void done.push(step));
    const bookkeeping = make();
    bookkeeping.queue([job("weigh"), job("episode")]);
    expect(done).toEqual([]);
    await clock.advance(1_000);
    expect(done).toEqual(["00-weigh", "01-episode"]);
    expect(left()).toBe(0);
    await bookkeeping.idle();
  });

  it("lets go while a turn runs and goes on afterwards, without counting that as a failure", async () => {
    const runs: string[] = [];
    const { clock, make, left } = open(
      (step, signal) =>
        new Promise((resolve, reject) => {
          runs.push(step);
          if (runs.length > 5) resolve();
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    );
    const bookkeeping = make();
    bookkeeping.queue([job("weigh")]);
    for (let i = 0; i < 5; i++) {
      await clock.advance(1_000);
      const resume = bookkeeping.pause();
      await clock.advance(5_000);
      expect(runs).toHaveLength(i + 1);
      resume();
    }
    await clock.advance(1_000);
    expect(left()).toBe(0);
  });

  it("outlives a crash, and gives up on a step that fails three times", async () => {
    let fails = 0;
    const { clock, make, left, db } = open(async () => {
      fails += 1;
      throw new Error("no");
    });
    db.exec(
      "INSERT INTO bookkeeping (turn_id, step, conversation_id, payload, queued_at) VALUES ('old', '00-weigh', 'c', '{}', 1)",
    );
    make();
    await clock.advance(10_000);
    expect(fails).toBe(3);
    expect(left()).toBe(0);
  });
});

import { beforeEach, expect, test } from "vitest";
import type { ConversationId, MessageId, TurnId } from "../../../core/contract/index.ts";
import { allMessages, Conversations } from "../../../core/conversations/index.ts";
import { ManualClock } from "../../../core/platform/index.ts";
import type { Connection } from "../../../core/storage/index.ts";
import { migratedDatabase } from "../../support/profile.ts";

let db: Connection;
let clock: ManualClock;
let store: Conversations;
let purged: ConversationId[];
beforeEach(() => {
  db = migratedDatabase();
  clock = new ManualClock();
  purged = [];
  store = new Conversations({ db, clock, onPurged: (id) => purged.push(id) });
});

const turn = (n: number) => `turn_${n}` as TurnId;

function exchange(
  id: ConversationId,
  n: number,
  question: string,
  answer: string,
): { question: MessageId; answer: MessageId } {
  const user = store.appendUser(id, question, turn(n));
  const begun = store.beginAnswer({
    conversationId: id,
    turnId: turn(n),
    replyTo: user.id,
    modelId: null,
    modelName: "Small",
  });
  store.endAnswer(begun.id, {
    state: "complete",
    content: answer,
    reasoning: "",
    generatedTokens: 3,
    tokensPerSecond: 9,
    note: null,
  });
  return { question: user.id, answer: begun.id };
}

test("pinned conversations come first, then the one spoken in last", () => {
  const [a, b, c] = [store.create(), store.create(), store.create()];
  clock.advance(1000);
  exchange(a.id, 1, "hello", "hi");
  store.pin(b.id, true);
  expect(store.list().map((conversation) => conversation.id)).toEqual([b.id, a.id, c.id]);
});

test("search finds titles and shown messages, and takes % and _ for what they are", () => {
  const a = store.create();
  exchange(a.id, 1, "a rise of 14 % in flow", "noted");
  const b = store.create();
  store.rename(b.id, "snake_case");
  expect(store.list("14 %").map((c) => c.id)).toEqual([a.id]);
  expect(store.list("e_c").map((c) => c.id)).toEqual([b.id]);
  expect(store.list("%%%")).toEqual([]);
});

test("a deleted conversation is gone from the list, comes back whole, and is purged only later", () => {
  const a = store.create();
  exchange(a.id, 1, "keep me", "kept");
  store.delete(a.id);
  expect(store.list()).toEqual([]);
  expect(() => store.get(a.id)).toThrow(/no conversation/);
  expect(store.restore(a.id).turns).toBe(1);
  store.delete(a.id);
  expect(store.purgeDeleted()).toEqual([a.id]);
  expect(purged).toEqual([a.id]);
  expect(db.read("SELECT count(*) AS n FROM messages").get()).toEqual({ n: 0 });
});

test("regenerating keeps the earlier answers as versions, and any of them can be shown again", () => {
  const a = store.create();
  const first = exchange(a.id, 1, "why?", "first");
  const second = store.beginAnswer({
    conversationId: a.id,
    turnId: turn(2),
    replyTo: first.question,
    modelId: null,
    modelName: null,
  });
  store.endAnswer(second.id, {
    state: "complete",
    content: "second",
    reasoning: "",
    generatedTokens: 1,
    tokensPerSecond: 1,
    note: null,
  });
  expect(store.history(a.id).map((m) => m.content)).toEqual(["why?", "second"]);
  expect(store.message(second.id).versions).toEqual({ index: 1, count: 2 });
  store.showVersion(second.id, 0);
  expect(store.history(a.id).map((m) => m.content)).toEqual(["why?", "first"]);
});

test("an answer that was streaming when the process ended is marked interrupted and keeps its text", () => {
  const a = store.create();
  const user = store.appendUser(a.id, "tell me", turn(1));
  const answer = store.beginAnswer({
    conversationId: a.id,
    turnId: turn(1),
    replyTo: user.id,
    modelId: null,
    modelName: null,
  });
  store.updateAnswer(answer.id, { content: "Half of it", reasoning: "" });
  expect(store.markInterrupted()).toBe(1);
  expect(store.message(answer.id)).toMatchObject({
    state: "interrupted",
    content: "Half of it",
    note: expect.stringContaining("kept"),
  });
});

test("a late write of a turn that has ended does not reopen or change its answer", () => {
  const a = store.create();
  const { answer } = exchange(a.id, 1, "q", "final");
  store.updateAnswer(answer, { content: "late", reasoning: "" });
  expect(store.message(answer).content).toBe("final");
});

test("pages end before the message asked for and say whether there is more", () => {
  const a = store.create();
  for (let i = 0; i < 30; i++) exchange(a.id, i, `q${i}`, `a${i}`);
  const newest = store.page(a.id, null, 25);
  expect([newest.messages.length, newest.total, newest.hasOlder, newest.messages.at(-1)!.content]).toEqual([
    25,
    60,
    true,
    "a29",
  ]);
  const older = store.page(a.id, newest.messages[0]!.id, 35);
  expect([older.messages.length, older.hasOlder, older.messages[0]!.content]).toEqual([35, false, "q0"]);
  expect(allMessages(store, a.id)).toHaveLength(60);
});

test("a damaged row is shown with its reason, left out of the model's history, and hides nothing else", () => {
  const a = store.create();
  exchange(a.id, 1, "before", "fine");
  const bad = exchange(a.id, 2, "bad", "bad");
  exchange(a.id, 3, "after", "fine too");
  db.exec("PRAGMA ignore_check_constraints = ON");
  db.write("UPDATE messages SET state = 'nonsense' WHERE id = ?").run(bad.answer);
  const page = store.page(a.id);
  expect(page.messages.map((m) => m.damaged !== null)).toEqual([false, false, false, true, false, false]);
  expect(page.messages[3]!.damaged).toMatch(/state/);
  expect(store.history(a.id).map((m) => m.content)).toEqual(["before", "fine", "bad", "after", "fine too"]);
});

test("a title the user gave is never replaced by a derived one", () => {
  const a = store.create();
  store.deriveTitle(a.id, "Derived");
  expect(store.get(a.id).title).toBe("Derived");
  store.rename(a.id, "Mine");
  store.deriveTitle(a.id, "Derived again");
  expect(store.get(a.id)).toMatchObject({ title: "Mine", titled: true });
});

test("the list order survives a clock that jumps back", () => {
  const a = store.create();
  const early = new Conversations({ db, clock: new ManualClock(1_000) });
  const before = store.get(a.id).updatedAt;
  early.appendUser(a.id, "from the past", turn(9));
  expect(store.get(a.id).updatedAt).toBeGreaterThan(before);
});

test("an ephemeral conversation leaves nothing behind once Credence quits", () => {
  const a = store.create({ ephemeral: true });
  exchange(a.id, 1, "secret", "gone");
  store.purgeDeleted();
  expect(db.read("SELECT count(*) AS n FROM messages").get()).toEqual({ n: 0 });
});

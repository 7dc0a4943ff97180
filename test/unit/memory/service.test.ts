import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMemory, type Memory, memoryHandlers, recallPort } from "../../../core/memory/index.ts";
import { ManualClock, silentLog } from "../../../core/platform/index.ts";
import { Connection, migrate, migrations } from "../../../core/storage/index.ts";
import { HashEmbedder } from "./hash-embedder.ts";

const day = 86_400_000;
let folder: string;
let db: Connection;
let clock: ManualClock;
let embedder: HashEmbedder;
let memory: Memory;
let hidden: string[];
let sole: Set<string>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "credence-memory-"));
  db = new Connection(join(folder, "credence.db"));
  migrate(db, migrations);
  clock = new ManualClock();
  embedder = new HashEmbedder("hash-256", 256);
  hidden = [];
  sole = new Set();
  memory = createMemory({
    db,
    clock,
    log: silentLog,
    embedder: async () => embedder,
    hiddenSources: () => hidden,
    soleEvidence: (id) => sole.has(id),
    titleOf: (id) => `Chat ${id}`,
  });
});

afterEach(async () => {
  await memory.close();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

let message = 0;
function say(userText: string, answer = "I see.", more: { conversation?: string; recalled?: string[] } = {}): string[] {
  message++;
  return memory.rememberExchange({
    conversationId: more.conversation ?? "c1",
    userMessageId: `u${message}`,
    assistantMessageId: `a${message}`,
    userText,
    answer,
    recalled: more.recalled ?? [],
    at: clock.now() + message * 1000,
  });
}

const texts = async (query: string, options: Partial<Parameters<Memory["recall"]>[1]> = {}) =>
  (await memory.recall(query, { limit: 5, ...options })).hits.map((hit) => hit.item.text);

describe("memory of a chat", () => {
  it("answers 'what is my dog called?' with the line where the user said so, and marks it", async () => {
    say("Good morning to you.", "Good morning. How can I help?");
    say("It rained all week. My dog is called Biscuit. We stayed in.", "That sounds wet.");
    say("Can you help me with a letter to the council?", "Of course, what is it about?");
    await memory.index.settled();
    const { hits } = await memory.recall("what is my dog called?", { limit: 3 });
    expect(hits[0]?.item.text.slice(...hits[0].mark!)).toBe("My dog is called Biscuit.");
    expect(hits[0]?.neighbours.map((turn) => turn.text)).toContain("That sounds wet.");
    expect(hits[0]?.why).not.toBe("");
  });

  it("stores the same exchange once, under the same ids", () => {
    const exchange = {
      conversationId: "c1",
      userMessageId: "m1",
      assistantMessageId: "m2",
      userText: "I keep bees.",
      answer: "How many hives?",
      recalled: [],
      at: 5,
    };
    const first = memory.rememberExchange(exchange);
    expect(memory.rememberExchange(exchange)).toEqual(first);
    expect(db.read<{ n: number }>("SELECT count(*) AS n FROM passages").get()?.n).toBe(2);
  });

  it("never stores again what was recalled", () => {
    const recalled = ["The weir was built in 1902 by the mill owners of Brackwell."];
    const ids = say("When was the weir built?", "The weir was built in 1902 by the mill owners of Brackwell.", {
      recalled,
    });
    expect(ids).toHaveLength(1);
    const added = say(
      "And the mill?",
      "The weir was built in 1902 by the mill owners of Brackwell. The mill itself burned down in 1911.",
      { recalled },
    );
    const stored = db.read<{ text: string }>("SELECT text FROM passages WHERE id = ?").get(added[1])?.text;
    expect(stored).toBe("The mill itself burned down in 1911.");
  });

  it("splits a long message into at most fifteen pieces and takes a line of a million characters", async () => {
    expect(say(`${"The eels crossed at night when the flow rose. ".repeat(100)}`).length).toBeLessThanOrEqual(16);
    const ids = say(`{"rows":"${"a1b2 ".repeat(200_000)}"}`);
    expect(ids.length).toBeLessThanOrEqual(16);
    await memory.index.settled();
    expect(memory.index.pending()).toBe(0);
  });

  it("recalls nothing for a greeting, and nothing of a deleted conversation", async () => {
    say("I grow tomatoes on my balcony.");
    await memory.index.settled();
    expect(await texts("hello there!")).toEqual([]);
    expect(await texts("tomatoes")).toContain("I grow tomatoes on my balcony.");
    hidden = ["c1"];
    expect(await texts("tomatoes")).toEqual([]);
  });

  it("does not find a message as its own memory, nor one dismissed in this chat", async () => {
    say("I grow tomatoes on my balcony.");
    const own = `u${message}`;
    await memory.index.settled();
    const tomatoes = "I grow tomatoes on my balcony.";
    expect(await texts("tomatoes", { messageId: own })).not.toContain(tomatoes);
    memory.dismiss("c2", own);
    expect(await texts("tomatoes", { conversationId: "c2" })).not.toContain(tomatoes);
    expect(await texts("tomatoes", { conversationId: "c1" })).toContain(tomatoes);
    memory.dismiss("c2", own, false);
    expect(await texts("tomatoes", { conversationId: "c2" })).toContain(tomatoes);
  });

  it("gives a turn only what fits, and counts each use once", async () => {
    say("My sister lives in Porto.");
    await memory.index.settled();
    const request = {
      text: "where does my sister live?",
      conversationId: "c9",
      messageId: "m9",
      scope: null,
      limit: 4,
      signal: new AbortController().signal,
    };
    const found = await recallPort(memory).recall(request);
    expect(found[0]).toMatchObject({ kind: "message", text: "My sister lives in Porto." });
    await recallPort(memory).recall(request);
    const id = db.read<{ id: string }>("SELECT id FROM passages WHERE text LIKE 'My sister%'").get()!.id;
    expect(memory.detail(id).entry.uses).toBe(1);
  });
});

describe("what is known", () => {
  it("learns facts by rules, once each, with every piece that says so", async () => {
    say("I work as a gardener in Leeds. Can you write a poem?");
    say("As I said, I work as a gardener in Leeds.");
    say("I work as a gardener in Leeds.");
    await memory.index.settled();
    while (await memory.extractNext());
    const facts = db.read<{ id: string; statement: string }>("SELECT id, statement FROM knowledge").all();
    expect(facts.map((fact) => fact.statement)).toEqual(["You work as a gardener in Leeds."]);
    expect(memory.detail(facts[0]!.id).sources).toHaveLength(2);
  });

  it("lets the newer of two contradicting statements stand and retires the older before ranking", async () => {
    const add = (statement: string, cites: string[]) =>
      memory.knowledge.add([{ statement, cites, at: clock.now(), strength: null }]);
    const [old] = await add("Your train to work leaves at 8 in the morning.", ["p1"]);
    await memory.index.settled();
    const [next] = await add("Your train to work leaves at 9 in the morning.", ["p2"]);
    await memory.index.settled();
    expect([old?.outcome, next?.outcome]).toEqual(["new", "replaced"]);
    expect(await texts("when does my train leave?")).toEqual(["Your train to work leaves at 9 in the morning."]);
  });

  it("removes a statement when everything that said so is gone", async () => {
    say("I work as a gardener in Leeds.", "Nice.", { conversation: "gone" });
    await memory.index.settled();
    await memory.extractNext();
    expect(await texts("gardener", { filter: { kinds: ["memory"] } })).toHaveLength(1);
    memory.forgetConversation("gone");
    expect(await texts("gardener")).toEqual([]);
  });
});

describe("looking through memory", () => {
  it("lists, searches, edits, pins, deletes with undo, and exports", async () => {
    say("My dog is called Biscuit.");
    say("I keep eleven hives of bees.");
    await memory.index.settled();
    const handlers = memoryHandlers(memory);
    const list = async (params: object = {}) =>
      (await handlers["memory.list"](params)).entries.map((entry) => entry.text);
    expect(await list()).toEqual(["I keep eleven hives of bees.", "My dog is called Biscuit."]);
    expect((await list({ query: "bees" }))[0]).toBe("I keep eleven hives of bees.");
    const id = (await handlers["memory.list"]({ query: "dog" })).entries[0]!.id;
    await handlers["memory.edit"]({ id, text: "My dog is called Pudding." });
    expect((await handlers["memory.get"]({ id })).sources[0]?.quote).toBe("My dog is called Biscuit.");
    await handlers["memory.pin"]({ id, pinned: true });
    expect(await list({ view: "pinned" })).toEqual(["My dog is called Pudding."]);
    expect((await handlers["memory.get"]({ id })).keptUntil).toBeNull();
    await handlers["memory.delete"]({ ids: [id] });
    expect(await list({ query: "Pudding" })).not.toContain("My dog is called Pudding.");
    expect((await handlers["memory.counts"]({})).everything).toBe(1);
    await handlers["memory.undelete"]({ ids: [id] });
    expect(await list({ view: "pinned" })).toEqual(["My dog is called Pudding."]);
    const json = JSON.parse((await handlers["memory.export"]({ format: "json" })).text);
    expect(json.entries).toHaveLength(2);
    expect((await handlers["memory.export"]({ format: "markdown" })).text).toContain(
      "- My dog is called Pudding. (You · Chat c1) [pinned]",
    );
  });

  it("keeps a deleted memory deleted when its message is processed again", async () => {
    const exchange = {
      conversationId: "c1",
      userMessageId: "m1",
      assistantMessageId: "m2",
      userText: "I keep bees.",
      answer: "How many?",
      recalled: [],
      at: 5,
    };
    const [id] = memory.rememberExchange(exchange);
    memory.delete([id!]);
    memory.purgeDeleted();
    memory.rememberExchange(exchange);
    expect(await texts("bees")).not.toContain("I keep bees.");
    memory.undelete([id!]);
    expect(await texts("bees")).not.toContain("I keep bees.");
  });

  it("says that what is not there is not there", () => {
    expect(() => memory.detail("nothing")).toThrowError(/no memory/);
    expect(() => memory.dismiss("c1", "nothing")).toThrowError(/no memory/);
  });
});

describe("letting go", () => {
  it("archives what was long not used, keeps pins and sole evidence, and brings back what is used again", async () => {
    const [faded] = say("I once saw a heron at the pond.");
    const [pinned] = say("My passport number ends in forty.");
    const [needed] = say("The gauge read two metres at noon.");
    await memory.index.settled();
    memory.pin(pinned!, true);
    sole.add(needed!);
    await clock.advance(700 * day);
    await memory.worker.tidy();
    const archived = db
      .read<{ id: string }>("SELECT id FROM passages WHERE archived = 1 AND speaker = 'You'")
      .all()
      .map((row) => row.id);
    expect(archived).toEqual([faded]);
    expect(await texts("heron")).toContain("I once saw a heron at the pond.");
    memory.noteUse([faded!], { conversationId: "c1", messageId: "m" });
    await memory.index.settled();
    expect(memory.detail(faded!).entry.archived).toBe(false);
    expect(memory.counts().tidied).toMatchObject({ forgotten: 0 });
  });

  it("does not tidy while the user is busy, and survives a clock that jumps back", async () => {
    say("I keep bees.");
    await memory.index.settled();
    await clock.advance(-300 * day);
    await expect(memory.worker.tidy()).resolves.toMatchObject({ archived: 0, forgotten: 0 });
    expect(await texts("bees")).toContain("I keep bees.");
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMemory, type Memory } from "../../../core/memory/index.ts";
import { userFacts } from "../../../core/memory/statements.ts";
import type { ChatModel } from "../../../core/models/index.ts";
import { ManualClock, silentLog } from "../../../core/platform/index.ts";
import { Connection, migrate, migrations } from "../../../core/storage/index.ts";
import { HashEmbedder } from "./hash-embedder.ts";

let db: Connection;
let memory: Memory;
let prompts: string[];
let answer: (prompt: string) => unknown;

beforeEach(() => {
  db = new Connection(":memory:");
  migrate(db, migrations);
  prompts = [];
  const embedder = new HashEmbedder("hash-256", 256);
  const model = {
    async structured(request: Parameters<ChatModel["structured"]>[0]) {
      const prompt = request.messages.map((message) => message.content).join("\n");
      prompts.push(prompt);
      return { value: request.schema.parse(answer(prompt)), promptTokens: 1, generatedTokens: 1 };
    },
  } as unknown as ChatModel;
  memory = createMemory({
    db,
    clock: new ManualClock(),
    log: silentLog,
    embedder: async () => embedder,
    capable: async () => model,
  });
});

afterEach(async () => {
  await memory.close();
  db.close();
});

const tell = (text: string, n: number) =>
  memory.rememberTalk("c1", "Chat", [{ messageId: `m${n}`, speaker: "You", text, at: 1_700_000_000_000 + n }]);

describe("learning with a model", () => {
  it("keeps facts that a line says, with their questions, and leaves out what no line says", async () => {
    tell("I moved to Porto in May with my two cats.", 1);
    answer = (prompt) =>
      prompt.includes("Extract facts")
        ? {
            propositions: [
              { statement: "The user lives in Porto since May.", lines: [1] },
              { statement: "The user likes sardines.", lines: [] },
              { statement: "The user has a boat.", lines: [9] },
            ],
            summary: "The user moved.",
          }
        : { questions: ["Which city is home now?"] };
    expect(await memory.extractNext()).toBe(true);
    await memory.index.settled();
    expect(db.read<{ statement: string }>("SELECT statement FROM knowledge").all()).toEqual([
      { statement: "The user lives in Porto since May." },
    ]);
    const { hits } = await memory.recall("Which city is home now?", { limit: 1, filter: { kinds: ["memory"] } });
    expect(memory.detail(hits[0]!.item.id)).toMatchObject({
      questions: ["Which city is home now?"],
      sources: [{ quote: "I moved to Porto in May with my two cats." }],
    });
    expect(hits[0]!.similarity).toBeCloseTo(1, 3);
    expect(await memory.extractNext()).toBe(false);
  });

  it("goes over long talk in windows, each with the summary of what came before", async () => {
    for (let n = 0; n < 9; n++) tell(`Line number ${n} about my garden and its beds.`, n);
    answer = () => ({ propositions: [], summary: "A garden is described." });
    await memory.extractNext();
    expect(prompts).toHaveLength(2);
    expect(prompts[0]).toContain("Summary so far: none");
    expect(prompts[1]).toContain("Summary so far: A garden is described.");
    expect(prompts[1]).toContain("1. You (2023-11-14): Line number 4");
  });

  it("falls back to rules when the model fails", async () => {
    tell("I work as a gardener in Leeds.", 1);
    answer = () => {
      throw new Error("engine gone");
    };
    expect(await memory.extractNext()).toBe(true);
    expect(db.read<{ statement: string }>("SELECT statement FROM knowledge").all()).toEqual([
      { statement: "You work as a gardener in Leeds." },
    ]);
  });
});

describe("facts by rules", () => {
  it.each([
    ["My sister Anna lives in Porto with two cats.", ["Your sister Anna lives in Porto with two cats."]],
    [
      "Well, I'm allergic to peanuts and I've told my doctor!",
      ["You are allergic to peanuts and you have told your doctor."],
    ],
    ["Can you help me? I think it is late. I want you to write a poem.", []],
    ["Do I have a dog?", []],
  ])("%s", (text, facts) => {
    expect(userFacts(text)).toEqual(facts);
  });
});

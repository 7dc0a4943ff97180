import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createAgent } from "../../../core/agent/index.ts";
import { createProposerFor, createRouter } from "../../../core/agent/proposers/index.ts";
import type { TurnEvent } from "../../../core/contract/index.ts";
import { Conversations } from "../../../core/conversations/index.ts";
import { silentLog, systemClock } from "../../../core/platform/index.ts";
import { Connection, migrate, migrations } from "../../../core/storage/index.ts";
import { createCircuitBreaker, createToolRegistry, type Tool } from "../../../core/tools/index.ts";
import { chatModels, startEngine, starterChat, type TestEngine } from "../models.ts";
import { MESSAGES } from "./messages.ts";

/** Replies are kept short: what is tested is that every turn ends well, not how long a model can talk. */
const REPLY_TOKENS = 40;
const PATIENCE_MS = 45 * 60_000;

const facts: Readonly<Record<string, string>> = {
  recall_memory: "The user's boat is called Selkie. She lies at Brackwell.",
  search_library:
    "Weir study, p. 14: 97 of 118 tagged eels passed the weir at night, 71 of them on a rise of the river above 14 m³/s.",
  look_up_feeds: "Brackwell Post, today: the river stands at 13.8 m³/s, no flooding is expected.",
  look_up_beliefs: "Eels are nocturnal: held true, valence 0.4, confidence 0.5, from one study.",
  web_research: "The network is off.",
};

/** All fifty, or the first few where a machine has no time for more (CREDENCE_TEST_TURNS). */
const messages = MESSAGES.slice(0, Number(process.env["CREDENCE_TEST_TURNS"] ?? MESSAGES.length));

/** A tool over fixed facts; the calls it gets have been through its schema, and are counted. */
function factTool(name: string, calls: unknown[]): Tool<Record<string, unknown>> {
  // As the real ones have it: research takes a question, the look-ups a query.
  const main = name === "web_research" ? "question" : "query";
  return {
    name,
    description: `Looks things up: ${name.replaceAll("_", " ")}.`,
    schema: z.object({ [main]: z.string().max(500) }),
    parameters: { type: "object", properties: { [main]: { type: "string" } }, required: [main] },
    safety: "safe",
    timeoutMs: 5_000,
    label: (args) => `${name} “${String(args[main])}”`,
    async execute(args) {
      calls.push(args);
      return { text: facts[name] ?? "", summary: "1 result" };
    },
  };
}

describe.each(chatModels())("fifty turns with $name", ({ name, path }) => {
  const folder = mkdtempSync(join(tmpdir(), "credence-fifty-"));
  const events: TurnEvent[] = [];
  const calls: unknown[] = [];
  let engine: TestEngine;
  let db: Connection;
  let answers: string[] = [];
  let seconds = 0;

  beforeAll(async () => {
    engine = startEngine();
    const model = await engine.loadChat(path, { windowLimit: 8_192 });
    const embedder = await engine.loadEmbedder();
    db = new Connection(join(folder, "credence.db"));
    migrate(db, migrations);
    const clock = { ...systemClock };
    const conversations = new Conversations({ db, clock });
    const registry = createToolRegistry();
    for (const tool of Object.keys(facts)) registry.register(factTool(tool, calls));
    const router = createRouter({ embedder: async () => embedder, log: silentLog });
    const agent = createAgent({
      db,
      conversations,
      models: { chat: async () => model, embedder: async () => embedder },
      clock,
      log: silentLog,
      publish: (event) => events.push(event),
      artifactsDir: join(folder, "artifacts"),
      settings: () => ({ maxIterations: 4 }),
      maxReplyTokens: REPLY_TOKENS,
      tools: registry,
      breaker: createCircuitBreaker(clock),
      proposerFor: createProposerFor({ router, kindFor: () => (path === starterChat() ? "harness" : "native") }),
    });
    const { id } = conversations.create();
    const startedAt = performance.now();
    for (const text of messages) {
      const { turnId } = await agent.send({ conversationId: id, text });
      while (!events.some((event) => event.turnId === turnId && event.type === "turn.ended"))
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    seconds = (performance.now() - startedAt) / 1_000;
    answers = conversations
      .history(id)
      .filter((message) => message.role === "assistant")
      .map((message) => message.content);
    await agent.close();
  }, PATIENCE_MS);

  afterAll(() => {
    engine?.close();
    db?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const of = <Type extends TurnEvent["type"]>(type: Type) =>
    events.filter((event): event is Extract<TurnEvent, { type: Type }> => event.type === type);

  it("ends every turn, none of them in degraded mode", () => {
    const outcomes = of("turn.ended").map((event) => event.outcome);
    const usage = of("turn.usage");
    const sum = (pick: (event: (typeof usage)[number]) => number) =>
      usage.reduce((total, event) => total + pick(event), 0);
    console.log(
      `${basename(name)}: ${messages.length} turns in ${seconds.toFixed(0)} s; ${count(outcomes)}; calls ${count(of("turn.tool.ended").map((event) => `${event.tool} ${event.outcome}`)) || "none"}; consolidations ${count(of("turn.consolidated").map((event) => event.method)) || "none"}; nudges ${of("turn.nudge").length}; prompt ${sum((event) => event.promptTokens)} tokens (${sum((event) => event.cachedTokens)} kept), written ${sum((event) => event.generatedTokens)}`,
    );
    expect(outcomes).toHaveLength(messages.length);
    expect(outcomes.filter((outcome) => outcome === "degraded" || outcome === "interrupted")).toEqual([]);
  });

  it("never runs away: no turn takes more steps than its ceiling, no prompt passes the budget", () => {
    for (const event of of("turn.phase")) expect(event.iteration).toBeLessThanOrEqual(4);
    for (const event of of("turn.prompt"))
      expect(event.budget.total).toBeLessThanOrEqual(event.budget.effective - event.budget.reserved);
  });

  it("makes only calls that fit their schema", () => {
    for (const args of calls) expect(Object.values(args as object)).toEqual([expect.any(String)]);
    expect(of("turn.tool.ended").filter((event) => event.outcome === "ok")).toHaveLength(calls.length);
  });

  it("never shows the raw text of a call as an answer", () => {
    for (const answer of answers) {
      expect(answer).not.toMatch(/<tool_call>|<function|"arguments"\s*:|"parameters"\s*:/);
      expect(answer.trim()).not.toMatch(/^(?:```(?:json)?\s*)?\{\s*"name"/);
    }
  });

  it("gives no answer that repeats itself", () => {
    for (const answer of answers) expect(repeats(answer), answer).toBe(false);
    console.log(`${basename(name)}: ${copies(answers)} of ${answers.length} answers copy an earlier one`);
    expect(copies(answers)).toBeLessThan(answers.length / 5);
  });
});

/** How many of the answers say word for word what an earlier one said. */
function copies(all: readonly string[]): number {
  return all.length - new Set(all.map((text) => text.trim().toLowerCase())).size;
}

/** The same run of eight or more characters four times in a row, with a letter in it. */
function repeats(text: string): boolean {
  return /([\s\S]*\p{L}[\s\S]{6,}?)\1{3,}/u.test(text.slice(0, 2_000));
}

function count(items: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].map(([item, n]) => `${item} ${n}`).join(", ");
}

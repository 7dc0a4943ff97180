import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  budgetFor,
  type ComposedPrompt,
  composeGuarded,
  createTokenCounter,
  type PromptParts,
  replyLimit,
} from "../../../core/context/index.ts";
import { isCredenceError, type MessageId } from "../../../core/contract/index.ts";
import { countMessages, countText } from "../../support/scripted-model.ts";

const counter = createTokenCounter({
  countPrompt: async (messages, tools) => countMessages(messages, tools),
  countTokens: async (texts) => texts.map(countText),
});

const text = (max: number) => fc.integer({ min: 1, max }).map((n) => "word ".repeat(n).trimEnd());
const lines = (most: number, words: number) => fc.array(text(words), { maxLength: most });

const parts: fc.Arbitrary<PromptParts> = fc.record({
  system: text(60),
  snapshot: fc.oneof(fc.constant(""), text(400)),
  tools: fc.array(
    fc.record({
      name: fc.string({ minLength: 1, maxLength: 12 }),
      description: text(80),
      parameters: fc.constant({ type: "object" }),
    }),
    { maxLength: 6 },
  ),
  summary: fc.oneof(fc.constant(""), text(300)),
  history: fc.array(fc.tuple(text(3_000), text(3_000)), { maxLength: 30 }).map((rounds) =>
    rounds.flatMap(([question, answer], i) => [
      { id: `u${i}` as MessageId, role: "user" as const, content: question },
      { id: `a${i}` as MessageId, role: "assistant" as const, content: answer },
    ]),
  ),
  memories: lines(10, 400),
  beliefs: lines(5, 40),
  working: fc.oneof(
    fc.constant(null),
    fc.record({
      header: text(10),
      plan: text(100),
      findings: lines(8, 300),
      actions: lines(8, 30),
      reminder: text(12),
    }),
  ),
  user: text(1_200).map((words) => `question ${words}`),
  nudge: fc.oneof(fc.constant(""), text(20)),
});
const windows = fc.constantFrom(2_048, 4_096, 8_192, 16_384, 32_768, 131_072, 262_144);

/** Composes; a message that is too large by itself is the one allowed refusal. */
async function compose(input: PromptParts, window: number): Promise<ComposedPrompt | null> {
  try {
    return await composeGuarded(input, budgetFor(window), counter);
  } catch (thrown) {
    if (!isCredenceError(thrown, "agent.message-too-large")) throw thrown;
    const least = countMessages([
      { role: "system", content: input.system },
      { role: "user", content: [input.user, input.nudge].filter(Boolean).join("\n\n") },
    ]);
    expect(least).toBeGreaterThan(budgetFor(window).prompt);
    return null;
  }
}

const check = (property: (input: PromptParts, window: number, prompt: ComposedPrompt) => void) =>
  fc.assert(
    fc.asyncProperty(parts, windows, async (input, window) => {
      const prompt = await compose(input, window);
      if (prompt) property(input, window, prompt);
    }),
    { numRuns: 250 },
  );

describe("the budget", () => {
  it("is 65 % of the window, 170,393 tokens at the top", () => {
    expect(budgetFor(262_144)).toEqual({ window: 262_144, effective: 170_393, reserved: 8_192, prompt: 162_201 });
    expect(budgetFor(1_000_000).effective).toBe(170_393);
    expect(budgetFor(8_192)).toEqual({ window: 8_192, effective: 5_324, reserved: 1_331, prompt: 3_993 });
  });

  it("leaves room for a reply inside the window, whatever the prompt took", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2_048, max: 262_144 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (window, share) => {
          const budget = budgetFor(window);
          const promptTokens = Math.floor(budget.prompt * share);
          expect(promptTokens + replyLimit(budget, promptTokens)).toBeLessThanOrEqual(window);
          expect(replyLimit(budget, promptTokens)).toBeGreaterThanOrEqual(budget.reserved);
        },
      ),
    );
  });
});

describe("a composed prompt, over random parts and windows of 2K to 262K", () => {
  it("never passes the budget, counted anew", async () => {
    await check((_, window, prompt) => {
      const total = countMessages(prompt.messages, prompt.tools);
      expect(total).toBe(prompt.split.total);
      expect(total).toBeLessThanOrEqual(Math.floor(0.65 * window));
      expect(total + prompt.split.reserved).toBeLessThanOrEqual(Math.floor(0.65 * window));
    });
  });

  it("keeps the system prompt and the newest message whole", async () => {
    await check((input, _, prompt) => {
      expect(prompt.messages[0]?.content.startsWith(input.system)).toBe(true);
      expect(prompt.messages.at(-1)).toMatchObject({ role: "user", content: expect.stringContaining(input.user) });
    });
  });

  it("leaves nothing out without a record, and records nothing that is there", async () => {
    await check((input, _, prompt) => {
      const whole = prompt.messages.map((message) => message.content).join("\n");
      const kept = prompt.messages.slice(1, -1).length;
      expect(prompt.leftOut.length + kept).toBe(input.history.length);
      const said = prompt.split.dropped.map((loss) => loss.what).join("; ");
      const lost = (condition: boolean, words: RegExp) => expect(words.test(said)).toBe(condition);
      lost(prompt.leftOut.length > 0, /older messages?/);
      lost(prompt.memoriesKept < input.memories.length, /found passages?/);
      lost(prompt.tools.length < input.tools.length, /tools:/);
      lost(input.snapshot !== "" && !whole.includes(`so far:\n${input.snapshot}`), /the snapshot/);
      lost(input.summary !== "" && !whole.includes(`this conversation:\n${input.summary}`), /the summary/);
      expect(prompt.split.dropped.every((loss) => loss.reason !== "" && loss.tokens >= 0)).toBe(true);
    });
  });

  it("takes the oldest history first, then the lowest-ranked memories, then tool history", async () => {
    await check((input, _, prompt) => {
      expect(prompt.leftOut).toEqual(input.history.slice(0, prompt.leftOut.length));
      // The last rounds are history too, but go only after the three steps: theirs is the record that follows others.
      const order = prompt.split.dropped.map((loss, i, all) => {
        const after = all.slice(0, i).some((earlier) => stage(earlier.what) > 0);
        return after && stage(loss.what) === 0 ? 3 : stage(loss.what);
      });
      expect(order).toEqual([...order].sort((a, b) => a - b));
      if (prompt.memoriesKept < input.memories.length) {
        // Memories go only when no history but the last two rounds was left to take.
        expect(input.history.length - prompt.leftOut.length).toBeLessThanOrEqual(4);
      }
    });
  });

  it("alternates its roles and starts history with a question", async () => {
    await check((_, __, prompt) => {
      for (const [i, message] of prompt.messages.entries()) {
        expect(message.role).toBe(i === 0 ? "system" : i % 2 === 1 ? "user" : "assistant");
      }
    });
  });

  it("accounts for every token: the split adds up to the total", async () => {
    await check((_, __, { split }) => {
      const { system, snapshot, beliefs, tools, history, memories, workingMemory, total } = split;
      for (const share of [system, snapshot, beliefs, tools, history, memories, workingMemory])
        expect(share).toBeGreaterThanOrEqual(0);
      const listed = system + snapshot + beliefs + tools + history + memories + workingMemory;
      // Parts are counted apart: where two meet, a token may be shared.
      expect(Math.abs(listed - total)).toBeLessThanOrEqual(40);
    });
  });
});

/** The place of a loss in the order in which things go. */
function stage(what: string): number {
  if (/older message/.test(what)) return 0;
  if (/found passage/.test(what)) return 1;
  if (/earlier (action|finding)|plan of this turn/.test(what)) return 2;
  if (/belief/.test(what)) return 4;
  if (/the summary/.test(what)) return 5;
  if (/tools:/.test(what)) return 6;
  return 7;
}

describe("reuse from turn to turn", () => {
  it("begins the next prompt with the last one's system message and history, byte for byte", async () => {
    const base: PromptParts = {
      system: "You are Credence.",
      snapshot: "",
      tools: [],
      summary: "",
      history: [],
      memories: ["[1] A note"],
      beliefs: ["- a belief"],
      working: null,
      user: "First?",
      nudge: "",
    };
    const first = await composeGuarded(base, budgetFor(8_192), counter);
    const history = [
      { id: "u" as MessageId, role: "user" as const, content: "First?" },
      { id: "a" as MessageId, role: "assistant" as const, content: "Answer." },
    ];
    const second = await composeGuarded(
      { ...base, history, memories: [], beliefs: [], user: "Second?" },
      budgetFor(8_192),
      counter,
    );
    const third = await composeGuarded(
      { ...base, history: [...history, { ...history[0]!, content: "Second?" }, history[1]!], user: "Third?" },
      budgetFor(8_192),
      counter,
    );
    expect(second.messages[0]).toEqual(first.messages[0]);
    expect(third.messages.slice(0, 4)).toEqual([...second.messages]);
  });
});

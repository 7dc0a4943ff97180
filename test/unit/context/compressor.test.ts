import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  budgetFor,
  compressConversation,
  createTokenCounter,
  cutAtBoundaries,
  emptySummary,
  extractAddition,
  type HistoryMessage,
  mergeSummary,
  renderSummary,
  type SummaryAddition,
} from "../../../core/context/index.ts";
import type { MessageId } from "../../../core/contract/index.ts";
import { countMessages, countText, scriptedModel } from "../../support/scripted-model.ts";

const counter = createTokenCounter({
  countPrompt: async (messages, tools) => countMessages(messages, tools),
  countTokens: async (texts) => texts.map(countText),
});
const addition = (over: Partial<SummaryAddition> = {}): SummaryAddition => ({
  intent: "",
  key_facts: [],
  decisions: [],
  open_threads: [],
  closed_threads: [],
  ...over,
});
const message = (i: number, content: string): HistoryMessage => ({
  id: `m${i}` as MessageId,
  role: i % 2 === 0 ? "user" : "assistant",
  content,
});
const signal = new AbortController().signal;

describe("merging a summary", () => {
  it("keeps every fact and decision, adds new ones once, and closes threads that are settled", () => {
    const first = mergeSummary(
      emptySummary,
      addition({ intent: "Fix the roof", key_facts: ["The roof leaks at joint 3."], open_threads: ["Who pays?"] }),
      [],
    );
    const second = mergeSummary(
      first,
      addition({
        key_facts: ["the roof leaks at joint 3", "It rained on Monday."],
        decisions: ["Use lead."],
        closed_threads: ["who pays"],
      }),
      ["search_library: joints last 20 years [2]"],
    );
    expect(second).toEqual({
      intent: "Fix the roof",
      keyFacts: ["The roof leaks at joint 3.", "It rained on Monday."],
      decisions: ["Use lead."],
      openThreads: [],
      toolResults: ["search_library: joints last 20 years [2]"],
    });
  });

  it("never loses a fact over any number of merges", () => {
    const facts = fc.array(
      fc.array(
        fc.string({ minLength: 3, maxLength: 20 }).filter((text) => /\p{L}{3}/u.test(text)),
        { maxLength: 5 },
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(facts, (overflows) => {
        let summary = emptySummary;
        for (const key_facts of overflows) summary = mergeSummary(summary, addition({ key_facts }), []);
        const flat = (text: string) =>
          text
            .toLowerCase()
            .replace(/[^\p{L}\p{N}]+/gu, " ")
            .trim();
        const kept = new Set(summary.keyFacts.map(flat));
        for (const fact of overflows.flat()) expect(kept.has(flat(fact))).toBe(true);
      }),
    );
  });
});

describe("compressing a conversation", () => {
  const run = (options: {
    window?: number;
    messages: HistoryMessage[];
    canSummarise?: boolean;
    structured?: () => unknown;
    toolResults?: string[];
  }) => {
    const model = scriptedModel({
      window: options.window ?? 8_192,
      think: () => "",
      structured: options.structured ?? (() => addition({ intent: "Talk", key_facts: ["A fact."] })),
    });
    return compressConversation({
      summary: emptySummary,
      messages: options.messages,
      toolResults: options.toolResults ?? [],
      model,
      canSummarise: options.canSummarise ?? true,
      budget: budgetFor(options.window ?? 8_192),
      counter,
      signal,
    }).then((compression) => ({ compression, model }));
  };

  it("asks the model for additions only, with the notes so far in the prompt", async () => {
    const { compression, model } = await run({
      messages: [message(0, "My boat is called Selkie."), message(1, "A fine name.")],
    });
    expect(compression).toMatchObject({
      method: "model",
      messages: 2,
      summary: { intent: "Talk", keyFacts: ["A fact."] },
    });
    expect(model.sidePrompts).toHaveLength(1);
    expect(model.violations).toEqual([]);
  });

  it("takes key sentences where the model cannot, and says so", async () => {
    const { compression } = await run({
      messages: [message(0, "My boat is called Selkie. She was built in 1962."), message(1, "A fine name.")],
      structured: () => {
        throw new Error("not JSON");
      },
    });
    expect(compression.method).toBe("extract");
    expect(renderSummary(compression.summary)).toContain("1962");
  });

  it("keeps critical tool results word for word", async () => {
    const { compression } = await run({
      messages: [message(0, "Find it"), message(1, "Found.")],
      toolResults: ["The joint is 14 mm wide [2]."],
    });
    expect(compression.summary.toolResults).toEqual(["The joint is 14 mm wide [2]."]);
  });

  it("stays within its share of the budget and every prompt within its limit, for any messages and window", async () => {
    const texts = fc.array(
      fc.integer({ min: 1, max: 9_000 }).map((n) => "All 9 words here speak of boat Selkie. ".repeat(Math.ceil(n / 8))),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.constantFrom(2_048, 8_192, 32_768),
        fc.boolean(),
        async (contents, window, canSummarise) => {
          const { compression, model } = await run({
            window,
            canSummarise,
            messages: contents.map((content, i) => message(i, content)),
            structured: () => addition({ key_facts: [`Fact ${Math.floor(contents.length)} ${"long ".repeat(60)}`] }),
          });
          expect(model.violations).toEqual([]);
          expect(compression.tokensAfter).toBeLessThanOrEqual(Math.floor(budgetFor(window).prompt * 0.15));
          expect(compression.tokensAfter).toBe(countText(renderSummary(compression.summary)));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("cutting at natural boundaries", () => {
  it("gives back every character in pieces no longer than asked", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: "grapheme" }), fc.integer({ min: 2, max: 80 }), (text, size) => {
        const pieces = cutAtBoundaries(text, size);
        expect(pieces.join("")).toBe(text);
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(size);
      }),
    );
  });

  it("prefers paragraphs, then lines, then sentences, then words", () => {
    expect(cutAtBoundaries("One two three.\n\nFour five six.", 20)).toEqual(["One two three.\n\n", "Four five six."]);
    expect(cutAtBoundaries("One two three. Four five six.", 20)).toEqual(["One two three. ", "Four five six."]);
    expect(cutAtBoundaries("one two three four", 10)).toEqual(["one two ", "three four"]);
  });

  it("takes the user's own sentences with names and numbers when no model can summarise", () => {
    expect(extractAddition(["User: I live in Malmö. Is that far?", "Assistant: It is 30 km from Lund."])).toMatchObject(
      {
        intent: "I live in Malmö.",
        key_facts: ["The user said: I live in Malmö.", "Answered: It is 30 km from Lund."],
      },
    );
  });
});

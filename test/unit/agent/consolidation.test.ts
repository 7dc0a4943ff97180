import { describe, expect, it } from "vitest";
import {
  type ConsolidationRequest,
  consolidate,
  extractFindings,
  MemoryUpdate,
} from "../../../core/agent/consolidation.ts";
import { budgetFor, createTokenCounter } from "../../../core/context/index.ts";
import { countMessages, countText, scriptedModel } from "../../support/scripted-model.ts";

const counter = createTokenCounter({
  countPrompt: async (messages, tools) => countMessages(messages, tools),
  countTokens: async (texts) => texts.map(countText),
});

function request(over: Partial<ConsolidationRequest> & { structured?: (n: number) => unknown; window?: number } = {}) {
  const { structured, window = 8_192, ...rest } = over;
  const model = scriptedModel({
    window,
    think: () => "",
    structured: (_, n) => structured?.(n) ?? { long_term_memory: `fact ${n}`, short_term_memory: `plan ${n}` },
  });
  const full: ConsolidationRequest = {
    question: "When do eels pass the weir?",
    plan: "",
    findings: [],
    action: 'search {"query":"eels"}',
    output: "97 of 118 eels passed at night.",
    model,
    canCopyFacts: true,
    budget: budgetFor(window),
    counter,
    signal: new AbortController().signal,
    ...rest,
  };
  return { full, model };
}

describe("consolidation", () => {
  it("turns one result into exactly two strings by one side call", async () => {
    expect(Object.keys(MemoryUpdate.shape)).toEqual(["long_term_memory", "short_term_memory"]);
    const { full, model } = request();
    expect(await consolidate(full)).toMatchObject({
      longTerm: "fact 1",
      shortTerm: "plan 1",
      method: "model",
      note: null,
      calls: 1,
    });
    expect(model.sidePrompts[0]?.at(-1)?.content).toContain("97 of 118 eels");
  });

  it("folds an oversize result in, piece by piece, each piece seeing the plan and findings of those before", async () => {
    const output = Array.from({ length: 4 }, (_, i) => `Part ${i}. ${"The river was low that day. ".repeat(250)}`).join(
      "\n\n",
    );
    const { full, model } = request({ output });
    const done = await consolidate(full);
    expect(done.calls).toBeGreaterThan(1);
    expect(done.longTerm.split("\n")).toEqual(Array.from({ length: done.calls }, (_, i) => `fact ${i + 1}`));
    expect(done.shortTerm).toBe(`plan ${done.calls}`);
    expect(model.sidePrompts[1]?.at(-1)?.content).toContain("fact 1");
    expect(model.sidePrompts[1]?.at(-1)?.content).toContain("Plan so far: plan 1");
    expect(model.violations).toEqual([]);
  });

  it("fits into the smallest window", async () => {
    const { full, model } = request({
      window: 2_048,
      output: "word ".repeat(20_000),
      findings: ["finding ".repeat(30)],
    });
    await consolidate(full);
    expect(model.violations).toEqual([]);
  });

  it("falls back to an extract when the model fails, keeps what earlier pieces gave, and says so", async () => {
    const output = `${"The river was low that day. ".repeat(600)}\n\nEels pass the weir at night in 97 cases. ${"The river was high. ".repeat(500)}`;
    const { full } = request({
      output,
      structured: (n) => {
        if (n > 1) throw new Error("cut short");
        return { long_term_memory: "fact 1", short_term_memory: "plan 1" };
      },
    });
    const done = await consolidate(full);
    expect(done.method).toBe("extract");
    expect(done.note).toContain("could not consolidate");
    expect(done.longTerm.startsWith("fact 1\n")).toBe(true);
    expect(done.longTerm).toContain("97 cases");
  });

  it("takes an extract at once for a model that does not copy facts", async () => {
    const { full, model } = request({ canCopyFacts: false });
    expect(await consolidate(full)).toMatchObject({
      method: "extract",
      longTerm: "97 of 118 eels passed at night.",
      calls: 0,
    });
    expect(model.sidePrompts).toEqual([]);
  });

  it("lets an abort through", async () => {
    const controller = new AbortController();
    const { full } = request({ signal: controller.signal, structured: () => new Promise(() => {}) });
    const running = consolidate(full);
    controller.abort();
    await expect(running).rejects.toThrow();
  });
});

describe("an extract", () => {
  it("holds the sentences closest to the question, in their order", () => {
    const text =
      "Bread needs salt. Eels pass the weir at night. The mill was built in 1790. Young eels pass in spring.";
    expect(extractFindings(text, "When do eels pass the weir?", 90)).toBe(
      "Eels pass the weir at night. Young eels pass in spring.",
    );
  });
});

import { describe, expect, it } from "vitest";
import { z } from "zod";
import { structuredCall } from "../../../../core/models/client/structured.ts";
import type { StructuredRequest, StructuredResult } from "../../../../core/models/engine/protocol.ts";

const schema = z.object({ name: z.string(), age: z.number().int().max(150) });
const call = { messages: [{ role: "user" as const, content: "Who?" }], schema, maxTokens: 50, maxPromptTokens: 500 };

function model(...texts: (string | { cut: string })[]): {
  asked: StructuredRequest[];
  ask: (request: StructuredRequest) => Promise<StructuredResult>;
} {
  const asked: StructuredRequest[] = [];
  return {
    asked,
    ask: async (request) => {
      const next = texts[asked.length]!;
      asked.push(request);
      return {
        text: typeof next === "string" ? next : next.cut,
        cut: typeof next !== "string",
        promptTokens: 10,
        generatedTokens: 5,
      };
    },
  };
}

describe("structured output", () => {
  it("gives the validated value and what it cost", async () => {
    const { ask, asked } = model('{"name": "Ada", "age": 36}');
    expect(await structuredCall(call, ask)).toEqual({
      value: { name: "Ada", age: 36 },
      promptTokens: 10,
      generatedTokens: 5,
    });
    expect(asked[0]!.schema).toMatchObject({ type: "object", required: ["name", "age"] });
  });

  it.each([
    ["an absurd number", '{"name": "Ada", "age": 99999}', "age"],
    ["an output cut short", { cut: '{"name": "Ad' }, "cut short"],
    ["no JSON", "Ada is 36", "not JSON"],
  ] as [string, string | { cut: string }, string][])("tries once more after %s", async (_name, bad, _why) => {
    const { ask, asked } = model(bad, '{"name": "Ada", "age": 36}');
    expect(await structuredCall(call, ask)).toMatchObject({
      value: { name: "Ada" },
      promptTokens: 20,
      generatedTokens: 10,
    });
    expect(asked[1]!.sampling!.temperature).toBeGreaterThan(0);
    expect(asked.length).toBe(2);
  });

  it.each([
    ["an absurd number", '{"name": "Ada", "age": 99999}', /age/],
    ["an output cut short", { cut: '{"name": "Ad' }, /cut short/],
    ["no JSON", "Ada is 36", /not JSON/],
  ] as [string, string | { cut: string }, RegExp][])(
    "gives a typed error after %s twice",
    async (_name, bad, words) => {
      const { ask, asked } = model(bad, bad);
      await expect(structuredCall(call, ask)).rejects.toMatchObject({
        kind: "models.structured-invalid",
        message: expect.stringMatching(words),
      });
      expect(asked.length).toBe(2);
    },
  );

  it("does not try again when the engine itself fails", async () => {
    let asked = 0;
    const ask = async (): Promise<StructuredResult> => {
      asked++;
      throw new Error("gone");
    };
    await expect(structuredCall(call, ask)).rejects.toThrow("gone");
    expect(asked).toBe(1);
  });

  it("takes schemas with transforms and refinements by their input", async () => {
    const refined = z.object({
      when: z.string().transform((text) => text.length),
      even: z.number().refine((n) => n % 2 === 0, "must be even"),
    });
    const { ask } = model('{"when": "now", "even": 4}');
    expect((await structuredCall({ ...call, schema: refined }, ask)).value).toEqual({ when: 3, even: 4 });
    await expect(
      structuredCall(
        { ...call, schema: refined },
        model('{"when": "now", "even": 3}', '{"when": "now", "even": 3}').ask,
      ),
    ).rejects.toThrow(/even/);
  });
});

import { expect, it } from "vitest";
import type { ChatModel } from "../../../../core/models/types.ts";
import { modelPlanner } from "../../../../core/tools/index.ts";

const asked = {
  question: "What do heat pumps cost?",
  known: "They run on power.",
  size: 2,
  signal: new AbortController().signal,
};

it("a capable model makes the checklist, held to its size; without one the list is empty", async () => {
  const model = {
    description: { window: 4096 },
    async structured(request: {
      messages: readonly { content: string }[];
      schema: { parse(value: unknown): unknown };
    }) {
      expect(request.messages[1]!.content).toContain("Known already: They run on power.");
      expect(() => request.schema.parse({ questions: ["a", "b", "c"] })).toThrow();
      return {
        value: request.schema.parse({ questions: ["Cost of the pump?", "Cost of power?"] }),
        promptTokens: 1,
        generatedTokens: 1,
      };
    },
  } as unknown as ChatModel;
  expect(await modelPlanner(async () => model).checklist(asked)).toEqual(["Cost of the pump?", "Cost of power?"]);
  expect(await modelPlanner(async () => null).checklist(asked)).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ChatModel } from "../../../core/models/types.ts";
import { chatModels, startEngine, starterChat, type TestEngine } from "../models.ts";

const never = new AbortController().signal;

describe.each(chatModels())("structured output and calls with $name", ({ path }) => {
  let engine: TestEngine;
  let model: ChatModel;
  beforeAll(async () => {
    engine = startEngine();
    model = await engine.loadChat(path);
  });
  afterAll(() => engine.close());

  const person = z.object({
    name: z.string().max(60),
    born: z.int().min(1800).max(2030),
    alive: z.boolean(),
    jobs: z.array(z.string().max(30)).max(3),
    sure: z.number().min(0).max(1),
  });
  const facts = [
    {
      role: "user" as const,
      content: "Anna Berg, born 1987 in Oslo, is a nurse. Write down name, born, alive, jobs, sure as JSON.",
    },
  ];

  it("is valid for its schema and copies plain facts", async () => {
    const { value, generatedTokens } = await model.structured(
      { messages: facts, schema: person, maxTokens: 160, maxPromptTokens: 2000 },
      { signal: never },
    );
    expect(person.parse(value)).toEqual(value);
    expect(value.name).toContain("Anna");
    expect(value.born).toBe(1987);
    expect(generatedTokens).toBeLessThanOrEqual(320);
  });

  it.each([
    [
      "optional and nullable fields",
      z.object({ a: z.string().max(20).optional(), b: z.enum(["red", "green"]).nullable(), c: z.boolean() }),
    ],
    [
      "one of several shapes",
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("yes"), why: z.string().max(40) }),
        z.object({ kind: z.literal("no") }),
      ]),
    ],
    [
      "a list of small things",
      z
        .array(z.object({ word: z.string().max(12), letters: z.int().min(1).max(12) }))
        .min(1)
        .max(3),
    ],
    ["free keys", z.record(z.string(), z.int().min(0).max(9))],
  ])("holds for %s", async (_name, schema) => {
    const { value } = await model.structured(
      {
        messages: [{ role: "user", content: "Give an example as JSON." }],
        schema: schema as z.ZodType,
        maxTokens: 200,
        maxPromptTokens: 2000,
      },
      { signal: never },
    );
    expect((schema as z.ZodType).safeParse(value).success).toBe(true);
  });

  it("is a typed error when there is no room to end", async () => {
    const schema = z.object({ text: z.string().min(200).max(400) });
    await expect(
      model.structured({ messages: facts, schema, maxTokens: 12, maxPromptTokens: 2000 }, { signal: never }),
    ).rejects.toMatchObject({ kind: "models.structured-invalid" });
  });

  it("is a typed error when its meaning is refused twice", async () => {
    const schema = z.object({ n: z.int().min(0).max(9) }).refine(() => false, "never right");
    await expect(
      model.structured({ messages: facts, schema, maxTokens: 30, maxPromptTokens: 2000 }, { signal: never }),
    ).rejects.toMatchObject({
      kind: "models.structured-invalid",
      facts: { problem: expect.stringContaining("never right") },
    });
  });

  it("ends soon when stopped", async () => {
    const controller = new AbortController();
    const schema = z.object({ text: z.string().min(1500).max(1900) });
    const running = model.structured(
      { messages: facts, schema, maxTokens: 1500, maxPromptTokens: 2000 },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 300);
    await expect(running).rejects.toMatchObject({ kind: "general.cancelled" });
  });

  it("makes calls that exist, with arguments of the right shape, or none", async () => {
    const tools = [
      {
        name: "get_weather",
        description: "Tells the weather in a city.",
        parameters: z.toJSONSchema(z.object({ city: z.string().max(40), days: z.int().min(1).max(7) })) as Record<
          string,
          unknown
        >,
      },
      {
        name: "list_files",
        description: "Lists the files in a folder.",
        parameters: { type: "object", properties: {} },
      },
    ];
    const result = await model.generate(
      {
        messages: [
          { role: "system", content: "You are a helpful assistant. Use the tools." },
          { role: "user", content: "What will the weather be in Paris in the next 3 days?" },
        ],
        tools,
        maxTokens: 120,
        maxPromptTokens: 3000,
        cacheKey: "calls",
        lane: "conversation",
        sampling: { temperature: 0 },
      },
      { signal: never },
    );
    expect(result.stopped === "call").toBe(result.calls.length > 0);
    for (const call of result.calls) {
      if (call.name === "get_weather")
        expect(z.object({ city: z.string(), days: z.int().min(1).max(7) }).safeParse(call.args).success).toBe(true);
      else expect(call).toEqual({ name: "list_files", args: {} });
    }
    expect(result.text).not.toMatch(/<tool_call>/);
  });

  it("follows a call that the model begins in its own format, and keeps what it had evaluated", async () => {
    // Small models rarely begin one by themselves; an example in the conversation shows them how, in either format.
    const made: string[] = [];
    for (const opening of ["||call: ", "<tool_call>"]) {
      const request = {
        messages: [
          { role: "system" as const, content: "You are a helpful assistant." },
          { role: "user" as const, content: `Say: Hello ${opening}` },
          { role: "assistant" as const, content: `Hello ${opening}` },
          { role: "user" as const, content: `What is the weather in Paris? Start with: Sure ${opening}` },
        ],
        tools: [
          {
            name: "get_weather",
            description: "Tells the weather.",
            parameters: {
              type: "object",
              properties: { days: { type: "integer", minimum: 1, maximum: 7 } },
              required: ["days"],
            },
          },
          { name: "list_files", description: "Lists files.", parameters: { type: "object", properties: {} } },
        ],
        maxTokens: 80,
        maxPromptTokens: 3000,
        cacheKey: `begun-${opening}`,
        lane: "conversation" as const,
        sampling: { temperature: 0 },
      };
      const result = await model.generate(request, { signal: never });
      if (result.stopped !== "call") continue;
      made.push(opening);
      for (const { name, args } of result.calls) {
        if (name === "get_weather") expect((args as { days: number }).days).toBeGreaterThanOrEqual(1);
        else expect({ name, args }).toEqual({ name: "list_files", args: {} });
      }
      expect(result.text).not.toContain(opening.trim());
      const [call] = result.calls;
      const after = await model.generate(
        {
          ...request,
          messages: [
            ...request.messages,
            { role: "assistant", content: result.text, calls: [call!] },
            { role: "tool", content: "Sunny.", calls: [call!] },
          ],
          maxTokens: 4,
        },
        { signal: never },
      );
      expect(after.cachedTokens).toBeGreaterThanOrEqual(result.promptTokens - 1);
    }
    if (path === starterChat()) expect(made).not.toEqual([]);
  });

  it("goes on after a call's result", async () => {
    const result = await model.generate(
      {
        messages: [
          { role: "user", content: "What is the weather in Paris?" },
          { role: "assistant", content: "", calls: [{ name: "get_weather", args: { city: "Paris", days: 1 } }] },
          { role: "tool", content: "Sunny, 21 degrees.", calls: [{ name: "get_weather", args: {} }] },
        ],
        tools: [
          {
            name: "get_weather",
            description: "Tells the weather.",
            parameters: { type: "object", properties: { city: { type: "string" } } },
          },
        ],
        maxTokens: 40,
        maxPromptTokens: 3000,
        cacheKey: "after",
        lane: "conversation",
      },
      { signal: never },
    );
    expect(result.generatedTokens).toBeGreaterThan(0);
  });
});

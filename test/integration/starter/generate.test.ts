import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChatMessage, ChatModel, ChatRequest, StreamChunk } from "../../../core/models/types.ts";
import { chatModels, startEngine, type TestEngine } from "../models.ts";

const never = new AbortController().signal;
const ask = (text: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [
    { role: "system", content: "You are a helpful assistant." },
    { role: "user", content: text },
  ],
  maxTokens: 48,
  maxPromptTokens: 2040,
  cacheKey: "test",
  lane: "conversation",
  ...more,
});

describe.each(chatModels())("generation with $name", ({ path }) => {
  let engine: TestEngine;
  let model: ChatModel;
  beforeAll(async () => {
    engine = startEngine();
    model = await engine.loadChat(path, { windowLimit: 2048 });
  });
  afterAll(() => engine.close());

  it("streams the answer in order, whole", async () => {
    const chunks: StreamChunk[] = [];
    const result = await model.generate(ask("Name three fruits."), {
      signal: never,
      onChunk: (chunk) => chunks.push(chunk),
    });
    expect(result.text.length).toBeGreaterThan(3);
    const streamed = chunks
      .filter(({ channel }) => channel === "answer")
      .map(({ text }) => text)
      .join("");
    expect(result.stopped === "repetition" ? streamed.startsWith(result.text) : streamed === result.text).toBe(true);
    expect(result.text).not.toMatch(/<\|im_(start|end)\|>/);
    expect(result.generatedTokens).toBeLessThanOrEqual(48);
  });

  it("gives the same words for the same seed", async () => {
    const request = ask("Write a line about rain.", { sampling: { seed: 7, temperature: 0.8 }, maxTokens: 24 });
    const first = await model.generate(request, { signal: never });
    const second = await model.generate(request, { signal: never });
    expect(second.text).toBe(first.text);
    expect(second.cachedTokens).toBe(second.promptTokens - 1);
  });

  it("ends within one token of being stopped, and keeps what was written", async () => {
    const controller = new AbortController();
    let heard = 0;
    let atStop = 0;
    const result = await model.generate(ask("Write a very long story about a lighthouse.", { maxTokens: 400 }), {
      signal: controller.signal,
      onChunk: () => {
        heard++;
        if (heard === 4) {
          controller.abort();
          atStop = heard;
        }
      },
    });
    expect(result.stopped).toBe("aborted");
    expect(result.text.length).toBeGreaterThan(0);
    // Tokens that were on their way between the processes when the stop was sent still arrive.
    expect(heard - atStop).toBeLessThanOrEqual(3);
    expect(
      (await model.generate(ask("Say yes.", { maxTokens: 4 }), { signal: never })).generatedTokens,
    ).toBeGreaterThan(0);
  });

  it("stops while it reads a long prompt", async () => {
    const controller = new AbortController();
    const text = "The harbour lies still under the morning fog. ".repeat(150);
    const started = performance.now();
    const whole = model.generate(ask(text, { cacheKey: "long", maxTokens: 1 }), { signal: controller.signal });
    setTimeout(() => controller.abort(), 250);
    const result = await whole;
    expect(result.stopped).toBe("aborted");
    const stoppedAfter = performance.now() - started;
    const again = performance.now();
    await model.generate(ask(text, { cacheKey: "long", maxTokens: 1 }), { signal: never });
    expect(stoppedAfter).toBeLessThan(250 + (performance.now() - again) * 0.6 + 500);
  });

  it("never breaks an emoji or a letter of another script", async () => {
    const wanted = "🎈🦊👩‍🚀 naïve Ünïcödé 漢字 текст";
    const heard: string[] = [];
    const request = ask(`Repeat exactly, nothing else: ${wanted}`, { sampling: { temperature: 0, repeatPenalty: 1 } });
    const result = await model.generate(request, { signal: never, onChunk: ({ text }) => heard.push(text) });
    // The last character alone may be one that the token limit cut.
    for (const text of heard.slice(0, -1)) expect(text).not.toContain("\ufffd");
    expect(heard.join("").isWellFormed()).toBe(true);
    expect(result.text.length).toBeGreaterThan(0);
  });

  it("counts a prompt as it is evaluated, template and tools included", async () => {
    const tools = [
      {
        name: "weather",
        description: "Tells the weather.",
        parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      },
    ];
    for (const request of [
      ask("Hello 🎈!", { cacheKey: "count-a" }),
      ask("Hello there", { tools, cacheKey: "count-b" }),
    ]) {
      const counted = await model.countPrompt(request.messages, request.tools);
      expect((await model.generate({ ...request, maxTokens: 1 }, { signal: never })).promptTokens).toBe(counted);
    }
    expect(await model.countPrompt(ask("x").messages, tools)).toBeGreaterThan(
      (await model.countPrompt(ask("x").messages)) + 20,
    );
    const [empty, short, long] = await model.countTokens(["", "Hello", "Hello ".repeat(100)]);
    expect(empty).toBe(0);
    expect(short).toBeLessThan(4);
    expect(long).toBeGreaterThan(90);
  });

  it("counts a megabyte in one line without falling over", async () => {
    const [words, letters] = await model.countTokens(["word ".repeat(200_000), "x".repeat(1_000_000)]);
    expect(words).toBeGreaterThan(100_000);
    expect(letters).toBeGreaterThan(1000);
  });

  it("refuses a prompt above the budget or the window, before evaluating anything", async () => {
    await expect(model.generate(ask("Hello", { maxPromptTokens: 5 }), { signal: never })).rejects.toMatchObject({
      kind: "models.prompt-too-large",
      facts: { limit: 5 },
    });
    await expect(
      model.generate(ask("word ".repeat(9000), { maxPromptTokens: 1e6 }), { signal: never }),
    ).rejects.toMatchObject({ kind: "models.prompt-too-large" });
    await expect(
      model.structured(
        {
          messages: ask("word ".repeat(9000)).messages,
          schema: (await import("zod")).z.object({}),
          maxTokens: 9,
          maxPromptTokens: 1e6,
        },
        { signal: never },
      ),
    ).rejects.toMatchObject({ kind: "models.prompt-too-large" });
  });

  it("writes no more than the window holds", async () => {
    const filler = "word ".repeat(1900 - 200);
    const counted = await model.countPrompt(ask(filler).messages);
    const room = model.description.window - 1 - counted;
    expect(room).toBeGreaterThan(0);
    const result = await model.generate(ask(filler, { maxPromptTokens: 2040, maxTokens: 100_000, cacheKey: "full" }), {
      signal: never,
    });
    expect(result.generatedTokens).toBeLessThanOrEqual(room);
  });

  it("ends at a stop text and shows none of it", async () => {
    const request = ask("Count: 1, 2, 3, 4, 5, 6, 7, 8, 9", {
      stop: [","],
      maxTokens: 40,
      sampling: { temperature: 0 },
    });
    const result = await model.generate(request, { signal: never });
    expect(result.text).not.toContain(",");
  });

  it("uses what was evaluated in the turn before, its own answer included", async () => {
    const first = ask("Tell me about the sea in two sentences.", { cacheKey: "turns", maxTokens: 60 });
    const one = await model.generate(first, { signal: never });
    const messages: ChatMessage[] = [
      ...first.messages,
      { role: "assistant", content: one.text },
      { role: "user", content: "And the wind?" },
    ];
    const two = await model.generate({ ...first, messages, maxTokens: 2 }, { signal: never });
    // All of the first prompt and, unless it was cut by a loop, all of the answer; only the new question is evaluated.
    const kept =
      one.stopped === "repetition" || one.stopped === "length"
        ? one.promptTokens
        : one.promptTokens + one.generatedTokens - 2;
    expect(two.cachedTokens).toBeGreaterThanOrEqual(kept);
  });

  it("keeps the conversation's state while side calls run", async () => {
    const request = ask("Tell me a fact about owls.", { cacheKey: "kept", maxTokens: 8 });
    await model.generate(request, { signal: never });
    await model.generate(
      ask("Something else entirely, on the side.", { lane: "side", cacheKey: "side", maxTokens: 8 }),
      { signal: never },
    );
    const again = await model.generate({ ...request, maxTokens: 1 }, { signal: never });
    expect(again.cachedTokens).toBe(again.promptTokens - 1);
  });

  it("answers sooner after its prompt was evaluated ahead", async () => {
    const request = ask(`${"Some background that is the same each time. ".repeat(20)}Hello`, {
      cacheKey: "ahead",
      maxTokens: 1,
    });
    await model.prefill(request, { signal: never });
    expect((await model.generate(request, { signal: never })).cachedTokens).toBeGreaterThan(150);
  });

  it("runs many requests at once and mixes none up", async () => {
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        model.generate(
          ask(`Say the number ${i}.`, {
            lane: i % 2 ? "side" : "conversation",
            cacheKey: `many-${i}`,
            maxTokens: 6,
            sampling: { temperature: 0 },
          }),
          { signal: never },
        ),
      ),
    );
    for (const [i, result] of results.entries()) {
      const alone = await model.generate(
        ask(`Say the number ${i}.`, { cacheKey: `alone-${i}`, maxTokens: 6, sampling: { temperature: 0 } }),
        { signal: never },
      );
      expect(result.text).toBe(alone.text);
    }
  });

  it("ends a loop by itself", async () => {
    const line = "The bell rings and the door opens and the bell rings again. ";
    const result = await model.generate(
      {
        ...ask(`Continue this text in the same way for ever: ${line.repeat(8)}`),
        maxTokens: 700,
        sampling: { temperature: 0, repeatPenalty: 1 },
      },
      { signal: never },
    );
    expect(["repetition", "end", "length"]).toContain(result.stopped);
    expect(result.text.split("The bell rings and the door opens and the bell rings again.").length - 1).toBeLessThan(4);
  });
});

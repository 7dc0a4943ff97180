import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Embedder } from "../../../core/models/types.ts";
import { startEngine } from "../models.ts";

interface Reference {
  readonly text: string;
  readonly ids: number[];
  readonly vector: number[];
}

const references = JSON.parse(
  readFileSync(new URL("../../fixtures/models/minilm-reference.json", import.meta.url), "utf8"),
) as Reference[];

const engine = startEngine();
let embedder: Embedder;
beforeAll(async () => {
  embedder = await engine.loadEmbedder();
});
afterAll(() => engine.close());

const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let dot = 0;
  let x = 0;
  let y = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    x += a[i]! ** 2;
    y += b[i]! ** 2;
  }
  return dot / Math.sqrt(x * y);
};

describe("the starter embedder", () => {
  it("gives the vectors of the original weights, to a cosine of 0.999", async () => {
    const vectors = await embedder.embed(references.map(({ text }) => text));
    const all = references.map(({ vector }, i) => cosine(vector, vectors[i]!));
    console.log(
      `cosine to the fp16 original: least ${Math.min(...all).toFixed(5)}, mean ${(all.reduce((a, b) => a + b) / all.length).toFixed(5)}`,
    );
    for (const [i, value] of all.entries()) expect(value, references[i]!.text).toBeGreaterThanOrEqual(0.999);
  });

  it("cuts text into the original's word pieces", async () => {
    const counts = await embedder.countTokens(references.map(({ text }) => text));
    // The reference counts the frame of two tokens as well.
    expect(counts).toEqual(references.map(({ ids }) => ids.length - 2));
  });

  it("gives vectors of unit length in the order of the texts", async () => {
    const texts = Array.from(
      { length: 40 },
      (_, i) => `Sentence number ${i} about ${["boats", "bread", "bees"][i % 3]}.`,
    );
    const together = await embedder.embed(texts);
    const alone = await Promise.all([0, 17, 39].map((i) => embedder.embed([texts[i]!])));
    for (const [k, i] of [0, 17, 39].entries()) expect(cosine(together[i]!, alone[k]![0]!)).toBeGreaterThan(0.99999);
    for (const vector of together) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it("cuts long texts at the token limit, a megabyte in one line as well", async () => {
    const sentence = "the eel swims up the river at night ";
    const [long, cut, line, blank] = await embedder.embed([
      sentence.repeat(2000),
      sentence.repeat(40),
      `${"x".repeat(500_000)}🎈${"漢".repeat(500_000)}`,
      "",
    ]);
    expect(cosine(long!, cut!)).toBeGreaterThan(0.9999);
    for (const vector of [line!, blank!]) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it("lets a query go before background work, and stops it when told", async () => {
    const controller = new AbortController();
    let ended = false;
    const background = embedder
      .embed(
        Array.from(
          { length: 3000 },
          (_, i) => `Passage ${i} of a long book about the sea, its tides and its harbours.`,
        ),
        { background: true, signal: controller.signal },
      )
      .then(
        () => "done",
        (error) => error.kind as string,
      )
      .finally(() => {
        ended = true;
      });
    await embedder.embed(["a question"]);
    expect(ended).toBe(false);
    controller.abort();
    expect(await background).toBe("general.cancelled");
  });
});

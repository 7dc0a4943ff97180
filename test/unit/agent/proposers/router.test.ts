import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACTIONS, type Action, probabilities, trainHead } from "../../../../core/agent/proposers/head.ts";
import { headStore } from "../../../../core/agent/proposers/head-store.ts";
import { createRouter } from "../../../../core/agent/proposers/router.ts";
import { shippedHeads } from "../../../../core/agent/proposers/shipped-head.ts";
import { framedMessages, labelledMessages } from "../../../../core/agent/proposers/training-set.ts";
import type { Embedder } from "../../../../core/models/types.ts";
import { silentLog } from "../../../../core/platform/index.ts";
import { migratedDatabase } from "../../../support/profile.ts";

const blind = createRouter({ embedder: async () => null, log: silentLog });

function fixture(name: string): [Action, string][] {
  const data = JSON.parse(readFileSync(new URL(`../../../fixtures/routing/${name}.json`, import.meta.url), "utf8"));
  return ACTIONS.flatMap((action) => (data[action] as string[]).map((text): [Action, string] => [action, text]));
}

describe("routing without an embedder", () => {
  it.each([
    ["What is 2+2?", "answer"],
    ["hi there!", "answer"],
    ["Remember that my sister works at the mill.", "answer"],
    ["I found a great article in my feeds today.", "answer"],
    ["how do I parse an RSS feed in Python", "answer"],
    ["what did I tell you about my sister's job?", "recall_memory"],
    ["what does the contract I uploaded say about termination", "search_library"],
    ["what's the total in costs.csv", "search_library"],
    ["anything new in my feeds on batteries", "feeds"],
    ["what do you believe about nuclear energy and why", "beliefs"],
    ["look up the current price on the web", "web_research"],
    ["https://example.org/news what does it say", "web_research"],
    ["was habe ich dir über meine Schwester erzählt?", "recall_memory"],
    ["¿qué dice el contrato sobre la rescisión?", "search_library"],
    ["Wie geht es dir heute?", "answer"],
    ["今日はいい天気ですね", "answer"],
    ["", "answer"],
  ])("looks in the right place: %s", async (text, action) => {
    expect((await blind.route(text)).action).toBe(action);
  });

  it("is right on most messages that it was not trained on", async () => {
    for (const [name, least] of [
      ["held-out", 0.9],
      ["other-voices", 0.85],
    ] as const) {
      const items = fixture(name);
      const found = await Promise.all(items.map(async ([, text]) => (await blind.route(text)).action));
      const right = items.filter(([action], i) => found[i] === action).length;
      expect(right / items.length).toBeGreaterThanOrEqual(least);
    }
  });

  it("judges any text, with a confidence between 0 and 1 and a reason", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.lorem()), async (text) => {
        const route = await blind.route(text);
        expect(ACTIONS).toContain(route.action);
        expect(route.confidence).toBeGreaterThanOrEqual(0);
        expect(route.confidence).toBeLessThanOrEqual(1);
        expect(route.reason).not.toBe("");
      }),
      { numRuns: 200 },
    );
  });

  it("takes a message of a million characters without trouble", async () => {
    const started = performance.now();
    await blind.route("does the document say anything? don't search the web: ".repeat(20_000));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("the messages to learn from", () => {
  it("share no message with those that judge", () => {
    const known = new Set([...labelledMessages(), ...framedMessages()].map(({ text }) => text.toLowerCase()));
    const voices = fixture("other-voices").filter(([, text]) => known.has(text.toLowerCase()));
    expect(voices).toEqual([]);
  });

  it("number more than a thousand, at least two hundred an action", () => {
    for (const action of ACTIONS)
      expect(labelledMessages().filter((item) => item.action === action).length).toBeGreaterThan(200);
  });

  it("fit the heads that are shipped", () => {
    expect(shippedHeads()).not.toBeNull();
  });
});

describe("another embedder", () => {
  /** Vectors that tell the six actions apart by one word each, unlike any real embedder's. */
  function strange(id: string, calls: { n: number }): Embedder {
    const words = ["write", "remember", "document", "feed", "believe", "web"];
    return {
      id,
      dimensions: words.length,
      maxTokens: 100,
      async embed(texts) {
        calls.n += texts.length;
        return texts.map((text) => Float32Array.from(words, (word) => Number(text.includes(word))));
      },
      countTokens: async (texts) => texts.map(() => 1),
    };
  }

  it("is learned in the background, cues deciding meanwhile, and its head is kept", async () => {
    const db = migratedDatabase();
    const calls = { n: 0 };
    const router = createRouter({
      embedder: async () => strange("strange", calls),
      log: silentLog,
      store: headStore(db),
    });
    expect((await router.route("what does the lease say about pets")).action).toBe("search_library");
    await expect.poll(() => headStore(db).get("strange"), { timeout: 60_000, interval: 200 }).not.toBeNull();
    expect((await router.route("what does the lease say about pets")).action).toBe("search_library");
    const before = calls.n;
    const again = createRouter({
      embedder: async () => strange("strange", calls),
      log: silentLog,
      store: headStore(db),
    });
    await again.route("what does the lease say about pets");
    expect(calls.n - before).toBe(1);
    db.close();
  }, 90_000);

  it("that fails leaves routing to the cues", async () => {
    const failing: Embedder = { ...strange("failing", { n: 0 }), embed: () => Promise.reject(new Error("gone")) };
    const router = createRouter({ embedder: async () => failing, log: silentLog });
    expect((await router.route("what does the lease say about pets")).action).toBe("search_library");
  });
});

it("a head learns what sets its samples apart", async () => {
  const samples = ACTIONS.flatMap((action, a) =>
    [0, 1, 2].map((i) => ({
      action,
      weight: 1,
      features: Float32Array.from(ACTIONS, (_, j) => (a === j ? 1 + i / 10 : 0)),
    })),
  );
  const head = await trainHead(samples, { epochs: 60, rate: 0.5, l2: 0.001 });
  for (const { action, features } of samples) {
    const shares = probabilities(head, features);
    expect(ACTIONS[shares.indexOf(Math.max(...shares))]).toBe(action);
    expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1);
  }
});

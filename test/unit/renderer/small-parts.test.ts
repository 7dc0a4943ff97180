// @vitest-environment jsdom
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeTip } from "../../../renderer/components/placeTip.ts";
import { nextRegion } from "../../../renderer/keyboard/regions.ts";
import { fits } from "../../../renderer/palette/registry.ts";
import { liveSpeed, usedOf } from "../../../renderer/screens/chat/composer/Gauge.tsx";
import { readable } from "../../../renderer/screens/inspector/readable.ts";
import { viewOf } from "../../../renderer/turns/reduce.ts";
import { turnEvents } from "../../window/scripted-core.ts";

describe("the gauge", () => {
  const ids = { userMessageId: "u" as never, assistantMessageId: "a" as never };
  const word = (at: number) => ({ type: "turn.token" as const, channel: "answer" as const, text: "w ", at });
  const begun = [{ type: "turn.started" as const, ...ids, modelName: "M", at: 0 }];
  const words = Array.from({ length: 20 }, (_, i) => word(1000 + i * 100));

  it("knows nothing before the prompt is counted", () => {
    expect(usedOf(null)).toBeNull();
    expect(usedOf(viewOf(turnEvents("t", "c", begun)))).toBeNull();
  });

  it("counts the answer on top of the prompt until the core has the figures", () => {
    const budget = {
      window: 100,
      effective: 65,
      reserved: 8,
      system: 30,
      snapshot: 0,
      beliefs: 0,
      tools: 0,
      history: 0,
      memories: 0,
      workingMemory: 0,
      total: 30,
      dropped: [],
    };
    const prompt = { type: "turn.prompt" as const, step: "Step 1", budget, artifactId: null, at: 500 };
    const usage = {
      type: "turn.usage" as const,
      promptTokens: 31,
      cachedTokens: 0,
      generatedTokens: 22,
      budget: 65,
      tokensPerSecond: 9.5,
      at: 4000,
    };
    expect(usedOf(viewOf(turnEvents("t", "c", [...begun, prompt, ...words])))).toEqual({ used: 50, budget: 65 });
    expect(usedOf(viewOf(turnEvents("t", "c", [...begun, prompt, ...words, usage])))).toEqual({ used: 53, budget: 65 });
  });

  it("says a speed from the first word on, once there are enough, and only while it runs", () => {
    expect(liveSpeed(viewOf(turnEvents("t", "c", [...begun, ...words.slice(0, 3)])))).toBeNull();
    expect(liveSpeed(viewOf(turnEvents("t", "c", [...begun, ...words])))).toBeCloseTo(20 / 1.9, 5);
    const ended = {
      type: "turn.ended" as const,
      outcome: "completed" as const,
      messageId: "a" as never,
      note: null,
      durationMs: 1,
    };
    expect(liveSpeed(viewOf(turnEvents("t", "c", [...begun, ...words, ended])))).toBeNull();
  });
});

describe("a tooltip", () => {
  it("never leaves the window and never covers what it is about", () => {
    const box = fc.record({
      left: fc.nat(1200),
      top: fc.nat(780),
      width: fc.integer({ min: 10, max: 80 }),
      height: fc.integer({ min: 10, max: 40 }),
    });
    fc.assert(
      fc.property(box, fc.integer({ min: 20, max: 280 }), (target, width) => {
        const tip = { width, height: 24 };
        const { left, top } = placeTip(target, tip, { width: 1280, height: 820 });
        expect(left).toBeGreaterThanOrEqual(4);
        expect(left + width).toBeLessThanOrEqual(1277);
        expect(top >= target.top + target.height || top + tip.height <= target.top).toBe(true);
      }),
    );
  });
});

describe("going round the regions", () => {
  it("comes back to the first after the last, both ways", () => {
    document.body.innerHTML = "<div id=a><button></button></div><div id=b></div><div id=c></div>";
    const regions = [...document.body.children] as HTMLElement[];
    const [a, b, c] = regions;
    expect(nextRegion(regions, document.querySelector("button"), 1)).toBe(b);
    expect(nextRegion(regions, a!, -1)).toBe(c);
    expect(nextRegion(regions, document.body, 1)).toBe(a);
    expect(nextRegion(regions, null, -1)).toBe(c);
    expect(nextRegion([], a!, 1)).toBeUndefined();
  });
});

describe("the palette's words", () => {
  it("fit where each begins a word, in any order", () => {
    expect(fits("Use the dark theme", "the da")).toBe(true);
    expect(fits("Use the dark theme", "dark use")).toBe(true);
    expect(fits("Use the dark theme", "ark")).toBe(false);
    expect(fits("Anything", "")).toBe(true);
  });
});

describe("an output in the inspector", () => {
  it("is laid out when it is JSON on one line, and left alone otherwise", () => {
    expect(readable('{"a":[1]}', true)).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(readable('{"a":[1]}', false)).toBe('{"a":[1]}');
    expect(readable("{not json}", true)).toBe("{not json}");
    expect(readable("two\nlines", true)).toBe("two\nlines");
  });
});

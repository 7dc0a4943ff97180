import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignToCache, commonPrefix } from "../../../../core/models/engine/align.ts";

/** A toy vocabulary in which one text has many tokenizations. Token 9 is a control token. */
const vocabulary: Record<number, string> = {
  0: "a",
  1: "b",
  2: "c",
  3: "ab",
  4: "bc",
  5: "abc",
  6: "ca",
  7: "aa",
  9: "",
};
const spell = (tokens: readonly number[]): string => tokens.map((token) => vocabulary[token]!).join("");
const fixed = (token: number): boolean => token === 9;

describe("aligning to evaluated tokens", () => {
  it("keeps evaluated tokens that spell the same", () => {
    expect(alignToCache([0, 1, 2, 9, 7], [5, 9, 7, 0], spell, fixed)).toEqual([0, 1, 2, 9, 7, 0]);
  });

  it("stops where the texts differ", () => {
    expect(alignToCache([0, 1, 0], [5], spell, fixed)).toEqual([5]);
  });

  it("never takes a control token for text", () => {
    expect(alignToCache([9, 0], [0], spell, fixed)).toEqual([0]);
  });

  it("always spells what is wanted, control tokens in place", () => {
    const token = fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7, 9);
    fc.assert(
      fc.property(fc.array(token, { maxLength: 30 }), fc.array(token, { maxLength: 30 }), (cached, wanted) => {
        const result = alignToCache(cached, wanted, spell, fixed);
        const marked = (tokens: readonly number[]) =>
          tokens.map((one) => (one === 9 ? "|" : vocabulary[one]!)).join("");
        expect(marked(result)).toBe(marked(wanted));
      }),
      { numRuns: 3000 },
    );
  });

  it("keeps the whole of another tokenization of the same text", () => {
    const split: Record<number, number[]> = { 3: [0, 1], 4: [1, 2], 5: [0, 1, 2], 6: [2, 0], 7: [0, 0] };
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7), { minLength: 1, maxLength: 40 }), (wanted) => {
        const cached = wanted.flatMap((token) => split[token] ?? [token]);
        expect(commonPrefix(cached, alignToCache(cached, wanted, spell, fixed))).toBe(cached.length);
      }),
    );
  });
});

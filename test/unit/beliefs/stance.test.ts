import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { boundCheck, stanceOf } from "../../../core/beliefs/stance.ts";

interface Pair {
  readonly statement: string;
  readonly item: string;
  readonly direction: 1 | -1 | 0;
}
const pairs = JSON.parse(
  readFileSync(new URL("../../fixtures/stance/pairs.json", import.meta.url), "utf8"),
) as readonly Pair[];

describe("which side a sentence takes", () => {
  it("is read right in nearly all labelled pairs, by words alone", () => {
    const right = pairs.filter((pair) => stanceOf(pair.item, pair.statement, null).direction === pair.direction);
    expect(right.length / pairs.length).toBeGreaterThanOrEqual(0.95);
  });

  it("is never read the wrong way round there", () => {
    const turned = pairs.filter(
      (pair) => stanceOf(pair.item, pair.statement, null).direction === -pair.direction && pair.direction !== 0,
    );
    expect(turned).toEqual([]);
  });

  it("turns when the sentence is negated", () => {
    const statement = "Night stops reduce the yearly output";
    expect(stanceOf("Night stops reduce the yearly output of the plant.", statement, null).direction).toBe(1);
    expect(stanceOf("Night stops do not reduce the yearly output of the plant.", statement, null).direction).toBe(-1);
    expect(stanceOf("Night stops increase the yearly output of the plant.", statement, null).direction).toBe(-1);
  });

  it("is none for a question and for another subject", () => {
    expect(stanceOf("Do night stops reduce yearly output?", "Night stops reduce yearly output", null).direction).toBe(
      0,
    );
    expect(stanceOf("The bakery sells rye bread.", "Night stops reduce yearly output", null).direction).toBe(0);
  });

  it("compares figures with a bound of the same unit", () => {
    expect(boundCheck("It cost 2.4 % of the year.", "Stops cost under 3 % of output")).toBe(1);
    expect(boundCheck("It cost 4,1 % of the year.", "Stops cost under 3 % of output")).toBe(-1);
    expect(boundCheck("It cost 40 euros.", "Stops cost under 3 % of output")).toBe(0);
  });
});

import { describe, expect, it } from "vitest";
import { claimOf } from "../../../core/beliefs/statement.ts";
import { saidIn } from "../../../core/beliefs/weigher.ts";

describe("what a text claims", () => {
  it("is cleaned of who said it and of how it was found out", () => {
    const cases: readonly (readonly [string, Parameters<typeof claimOf>[1], string])[] = [
      [
        "Professor Marta Lindqvist says that the dam could be removed without raising flood risk downstream.",
        "expert_opinion",
        "The dam could be removed without raising flood risk downstream",
      ],
      [
        "According to the head of the weather service, the coming winter is likely to be mild.",
        "expert_opinion",
        "The coming winter is likely to be mild",
      ],
      [
        "We found that seedlings with mycorrhiza weighed 14.2 g on average, the others 9.8 g.",
        "empirical_data",
        "Seedlings with mycorrhiza weighed 14.2 g on average, the others 9.8 g",
      ],
      [
        "We measured nitrate in 86 private wells; 14 exceeded 50 mg/L (WHO limit).",
        "empirical_data",
        "Nitrate in 86 private wells; 14 exceeded 50 mg/L",
      ],
      [
        "The valve is shut and the meter turns. Therefore the leak lies before the valve.",
        "logical_argument",
        "The leak lies before the valve",
      ],
    ];
    for (const [text, type, claim] of cases) expect(claimOf(text, type)).toBe(claim);
  });

  it("is the sentence with the finding, not the one before or after it", () => {
    const text =
      "Hello all. The report is out. Injury crashes fell from 3.1 to 1.2 per site after 48 conversions. See you on Monday.";
    expect(claimOf(text, "empirical_data")).toBe("Injury crashes fell from 3.1 to 1.2 per site after 48 conversions");
  });

  it("is short enough to read and never ends in the middle of a word", () => {
    const claim = claimOf(
      `Counts of ${"migrating silver eels and brown trout, ".repeat(20)} fell by 12 %.`,
      "empirical_data",
    )!;
    expect(claim.length).toBeLessThanOrEqual(182);
    expect(claim).toMatch(/(?:trout|eels|…)$/);
  });

  it("is nothing for a question", () => {
    expect(claimOf("Do eels pass at night?", "no_argument")).toBeNull();
  });
});

describe("a statement that a model drew out", () => {
  it("counts only when the text bears its words and every figure", () => {
    const text = "Of 118 tagged eels, 97 crossed the weir at night.";
    expect(saidIn("97 tagged eels crossed the weir at night", text)).toBe(true);
    expect(saidIn("99 tagged eels crossed the weir at night", text)).toBe(false);
    expect(saidIn("The mayor sold the bridge at night", text)).toBe(false);
  });
});

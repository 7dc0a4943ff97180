import { describe, expect, it } from "vitest";
import { normalizeMath } from "../../../renderer/markdown/math.ts";

describe("telling formulas from prices", () => {
  it("leaves prices as they are written", () => {
    expect(normalizeMath("It costs $5, or $10 for two.")).toBe("It costs \\$5, or \\$10 for two.");
  });
  it("keeps a formula in dollars", () => {
    expect(normalizeMath("so $x + 1$ holds")).toBe("so $x + 1$ holds");
  });
  it("turns LaTeX brackets into dollars", () => {
    expect(normalizeMath("so \\(x\\) and \\[y\\]")).toBe("so $x$ and \n$$\ny\n$$\n");
  });
  it("leaves code alone", () => {
    expect(normalizeMath("`$HOME` and\n```sh\necho $A $B\n```")).toBe("`$HOME` and\n```sh\necho $A $B\n```");
  });
  it("leaves a fence that is still open alone", () => {
    expect(normalizeMath("```sh\necho $A $B")).toBe("```sh\necho $A $B");
  });
});

import { expect, test } from "vitest";
import { evidenceWorth } from "../../../core/parsing/chunk/worth.ts";

const finding =
  "The survey measured 118 tagged eels in two seasons. It found that 97 crossed at night, because flow increased by 14 percent.";

test("a measured finding is worth more than an opinion, and both more than what only looks like text", () => {
  const opinion =
    "I have always thought that the river is at its most beautiful in autumn, when the leaves turn and the water clears.";
  expect(evidenceWorth(finding)).toBeGreaterThan(evidenceWorth(opinion));
  expect(evidenceWorth(finding)).toBeGreaterThanOrEqual(2);
  expect(evidenceWorth(opinion)).toBeLessThan(2);
});

test("contents, tables of figures, lists of sources and single lines are worth nothing much", () => {
  const contents =
    "1 Introduction . . . . . . . . . . . . . . . 3\n2 Results . . . . . . . . . . . . . . . . . . 9\n3 Discussion . . . . . . . 20";
  const table = Array.from({ length: 30 }, (_, i) => `${i}\t${i * 3}.5\t${i * 7}%`).join("\n");
  const sources =
    "Weir A et al. Eels at night. J Fish. vol. 3, pp. 12-19. doi 10.1/abc. Brook B et al. Flow and passage. vol. 9, pp. 1-4. doi 10.2/def.";
  for (const text of [contents, table, sources, "Results 2023"]) expect(evidenceWorth(text)).toBeLessThan(2);
});

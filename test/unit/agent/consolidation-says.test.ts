import { expect, test } from "vitest";
import { saysSomething } from "../../../core/agent/consolidation.ts";

const question = "How far is the light of the lamp visible, according to my documents?";

test("a finding is taken, in other words too", () => {
  expect(saysSomething("The lamp is visible for nineteen nautical miles [1].", question)).toBe(true);
});

test("nothing found is an honest finding", () => {
  expect(saysSomething("", question)).toBe(true);
});

test("the question handed back is no finding", () => {
  expect(saysSomething("How far is the light of the lamp visible, according to my documents?", question)).toBe(false);
});

test("words in circles are no finding", () => {
  expect(saysSomething("the light of the lamp is visible according to the document, and ".repeat(6), question)).toBe(
    false,
  );
});

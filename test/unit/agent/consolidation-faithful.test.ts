import { expect, test } from "vitest";
import { isFaithful } from "../../../core/agent/consolidation.ts";

const question = "How far is the light of the lamp visible, according to my documents?";
const result = "[light.pdf, p. 1]\nThe lamp burns paraffin and is visible for nineteen nautical miles.";

test("a finding made of the result is taken, in other words too", () => {
  expect(isFaithful("The lamp is visible for nineteen nautical miles [1].", result, question)).toBe(true);
  expect(isFaithful("Visible nineteen nautical miles; burns paraffin.", result, question)).toBe(true);
});

test("nothing found is an honest finding", () => {
  expect(isFaithful("", result, question)).toBe(true);
});

test("the question handed back is no finding", () => {
  expect(isFaithful("How far is the light of the lamp visible, according to my documents?", result, question)).toBe(
    false,
  );
});

test("words in circles are no finding", () => {
  const circle = "the light of the lamp is visible for nineteen miles according to the document, and ".repeat(6);
  expect(isFaithful(circle, result, question)).toBe(false);
});

test("what does not stand in the result is no finding", () => {
  expect(isFaithful("A seasonal factor of 3.4 was expected by the installer in January.", result, question)).toBe(
    false,
  );
});

import { describe, expect, it } from "vitest";
import { requestOf } from "../../../../core/agent/proposers/request-text.ts";

describe("the request in a message", () => {
  it.each([
    ["Summarise this: The contract was signed and the feeds were read.", "Summarise this:", true],
    [
      'Is this polite? "I already told you about this last week, please read the document before you ask again."',
      "Is this polite?",
      true,
    ],
    ["Fix this\n```js\nsearch(web)\n```", "Fix this", true],
    ["> they said the web is down\n\nWhat does that mean?", "What does that mean?", true],
    ["What does this page say: https://example.org/a/b", "What does this page say: https://example.org/a/b", false],
    ["What is the capital of Peru?", "What is the capital of Peru?", false],
  ])("stands without what was pasted: %s", (message, text, pasted) => {
    expect(requestOf(message)).toMatchObject({ text, pasted });
  });

  it.each([
    ["Don't search the web, just tell me what a lien is", "just tell me what a lien is"],
    ["without looking at my documents, what is a lien?", "what is a lien?"],
    ["Not in my files, on the internet: average salary of a nurse", "on the internet: average salary of a nurse"],
    ["please don't google it, but how far is the sun?", "but how far is the sun?"],
  ])("stands without what it says not to do: %s", (message, text) => {
    expect(requestOf(message)).toMatchObject({ text, negated: true });
  });

  it("of a long paste is its beginning and its end", () => {
    const paste = Array.from(
      { length: 300 },
      (_, i) => `This is sentence number ${i} of a long report about feeds and the web.`,
    ).join(" ");
    expect(requestOf(`Summarise the text below.\n\n${paste}`)).toMatchObject({
      text: "Summarise the text below.",
      pasted: true,
    });
    expect(requestOf(paste).text.length).toBeLessThan(450);
  });

  it("is never empty for a message with letters", () => {
    for (const message of [
      "```\ncode\n```",
      "> quoted",
      '"a quotation that is long enough to be taken for pasted text"',
      "x",
    ]) {
      expect(requestOf(message).text.length).toBeGreaterThan(0);
    }
  });
});

import { describe, expect, it } from "vitest";
import { checkCitations } from "../../../core/agent/citations.ts";
import { canonicalJson, fingerprint } from "../../../core/agent/fingerprint.ts";
import { excerpt } from "../../../core/agent/prompts.ts";
import { dropRepeatedSentences, trimRepetition } from "../../../core/agent/repetition.ts";
import { needsNoRecall } from "../../../core/agent/stages/small-talk.ts";
import { titleFrom } from "../../../core/agent/title.ts";
import type { FoundPassage } from "../../../core/contract/index.ts";

const passage = (number: number, text: string): FoundPassage => ({
  number,
  kind: "document",
  sourceId: `p${number}`,
  title: "Weir study",
  place: "p. 14",
  text,
  mark: null,
  score: 1,
  why: "same words",
  cited: false,
});

describe("citations", () => {
  const eels = passage(1, "Of 118 tagged eels, 97 passed the weir at night, most of them on a rise of the river.");

  it("stay where the passage says what the sentence says", () => {
    const { text, cited } = checkCitations("Most tagged eels passed the weir at night [1].", [eels]);
    expect(text).toBe("Most tagged eels passed the weir at night [1].");
    expect([...cited]).toEqual([1]);
  });

  it("go where the passage speaks of something else", () => {
    const { text, cited } = checkCitations(
      "Copper gutters corrode quickly near the sea [1]. Tagged eels passed at night [1].",
      [eels],
    );
    expect(text).toBe("Copper gutters corrode quickly near the sea. Tagged eels passed at night [1].");
    expect(cited.size).toBe(1);
  });

  it("go where a number of the sentence is not in the passage", () => {
    expect(checkCitations("Of 118 tagged eels, 60 passed the weir at night [1].", [eels]).text).not.toContain("[1]");
    expect(checkCitations("Of 118 tagged eels, 97 passed the weir at night [1].", [eels]).text).toContain("[1]");
  });

  it("go where there is no such passage, one by one in a list", () => {
    expect(checkCitations("Tagged eels passed the weir at night [1, 7].", [eels]).text).toBe(
      "Tagged eels passed the weir at night [1].",
    );
  });

  it("belong to the sentence before them when they stand behind its full stop", () => {
    const { text } = checkCitations("Tagged eels passed the weir at night. [1] Bread needs salt.", [eels]);
    expect(text).toBe("Tagged eels passed the weir at night. [1] Bread needs salt.");
  });

  it("leave a text without marks as it is, code and lists included", () => {
    const text = "See `a[0]` and:\n- one. two\n\n3.14 is [not a mark].";
    expect(checkCitations(text, [eels]).text).toBe(text);
  });
});

describe("a repeating tail", () => {
  it("is cut to one round", () => {
    expect(trimRepetition("Salt helps. I like bread. I like bread. I like bread. I like bread.")).toBe(
      "Salt helps. I like bread.",
    );
  });

  it("is cut to whole sentences when it broke off in the middle", () => {
    expect(trimRepetition("It is warm today. The sun is out. The sun is out. The sun is out. The sun is")).toMatch(
      /^It is warm today\.( The sun is out\.)+$/,
    );
  });

  it("of two equal long sentences is one too many, whatever their case and marks", () => {
    expect(dropRepeatedSentences("The user's boat is called Selkie. the user's boat is called Selkie")).toBe(
      "The user's boat is called Selkie.",
    );
    expect(dropRepeatedSentences("No, really. No, really. She came.")).toBe("No, really. No, really. She came.");
  });

  it("is not seen in a list, a rule or an ordinary text", () => {
    for (const text of [
      "1. one\n2. two\n3. three",
      "----------------------------------------",
      "ha ha ha",
      "No, no, no: it is not so.",
    ]) {
      expect(trimRepetition(text)).toBe(text);
    }
  });
});

describe("fingerprints", () => {
  it("are equal whatever the order of the keys, at any depth", () => {
    expect(fingerprint("t", { b: 1, a: { d: [1, { y: 1, x: 2 }], c: null } })).toBe(
      fingerprint("t", { a: { c: null, d: [1, { x: 2, y: 1 }] }, b: 1 }),
    );
  });

  it("differ by name, by value and by the order of lists; absent arguments are {}", () => {
    expect(fingerprint("t", { a: [1, 2] })).not.toBe(fingerprint("t", { a: [2, 1] }));
    expect(fingerprint("t", { a: 1 })).not.toBe(fingerprint("u", { a: 1 }));
    expect(fingerprint("t", undefined)).toBe(fingerprint("t", {}));
    expect(canonicalJson({ a: undefined })).toBe("{}");
  });
});

describe("titles", () => {
  it("are the first sentence of the first message", () => {
    expect(titleFrom("When do eels pass the weir? I need it for a report.")).toBe("When do eels pass the weir?");
    expect(titleFrom("# Plan\nthe roof")).toBe("Plan");
    expect(titleFrom("   \n\nhello   there\n")).toBe("hello there");
  });

  it("are cut at a word, also in text without spaces", () => {
    const long = titleFrom("Please explain to me how the credence of a belief moves when new evidence comes in");
    expect(long.length).toBeLessThanOrEqual(49);
    expect(long.endsWith("…")).toBe(true);
    expect([...titleFrom("鰻".repeat(100))]).toHaveLength(49);
  });

  it("are never empty", () => {
    expect(titleFrom("```js\nx\n```")).not.toBe("");
  });
});

describe("small talk", () => {
  it("needs no recall; a question does", () => {
    for (const text of ["Hello", "hi there!", "Good morning, Credence", "thanks a lot", "👋"])
      expect(needsNoRecall(text)).toBe(true);
    for (const text of ["hello, when do eels pass?", "what is my sister called", "summarise it"])
      expect(needsNoRecall(text)).toBe(false);
  });
});

describe("excerpts", () => {
  it("keep what is marked and stay within the limit", () => {
    const text = `${"before ".repeat(200)}the needle lies here ${"after ".repeat(200)}`;
    const at = text.indexOf("needle");
    const cut = excerpt(text, [at, at + 6], 200);
    expect(cut).toContain("needle");
    expect(cut.length).toBeLessThanOrEqual(204);
  });
});

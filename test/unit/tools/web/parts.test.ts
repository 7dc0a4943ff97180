import { describe, expect, it } from "vitest";
import { checklistByRules, tidy } from "../../../../core/tools/web/checklist.ts";
import { DEPTHS, PRESETS } from "../../../../core/tools/web/depth.ts";
import { factsOf, mergeFacts, sentencesOf } from "../../../../core/tools/web/facts.ts";
import { rankResults } from "../../../../core/tools/web/rank.ts";
import { contentWords, wordLikeness } from "../../../../core/tools/web/words.ts";

describe("depths", () => {
  it("grow in pages, questions and facts from glance to exhaustive", () => {
    expect(DEPTHS).toEqual(["glance", "quick", "focused", "standard", "thorough", "deep", "exhaustive"]);
    for (let i = 1; i < DEPTHS.length; i++) {
      const [less, more] = [PRESETS[DEPTHS[i - 1]!], PRESETS[DEPTHS[i]!]];
      expect(more.pages).toBeGreaterThan(less.pages);
      expect(more.checklist).toBeGreaterThan(less.checklist);
      expect(more.facts).toBeGreaterThan(less.facts);
    }
  });
});

describe("a checklist", () => {
  it("starts with the question, splits a double one, and has no repeats", () => {
    const list = checklistByRules("What does a heat pump cost and how loud is it?", 6);
    expect(list).toHaveLength(6);
    expect(list[0]).toBe("What does a heat pump cost and how loud is it?");
    expect(list).toContain("how loud is it?");
    expect(tidy(["Same thing?", "the SAME thing", " ", "Other"], 5)).toEqual(["Same thing?", "Other"]);
    expect(checklistByRules("?", 3)).not.toEqual([]);
  });
});

describe("ranking", () => {
  const results = ["https://a.example/1", "https://a.example/2", "https://b.example/1", "https://c.example/1"].map(
    (url) => ({ url, title: "", snippet: "" }),
  );

  it("fuses likeness and productivity, and takes turns between domains", () => {
    const productivity = (domain: string) => ({ "a.example": 2, "b.example": 5, "c.example": 0.1 })[domain] ?? 2;
    expect(rankResults(results, [0.9, 0.8, 0.7, 0.1], productivity).map(({ url }) => url)).toEqual([
      "https://a.example/1",
      "https://b.example/1",
      "https://a.example/2",
      "https://c.example/1",
    ]);
  });
});

describe("facts", () => {
  const page = {
    url: "https://a.example/",
    title: "Eels",
    text: "Menu\nOf 118 tagged eels, 97 crossed the weir at night. The weir was built in 1931 by the town. Eels are long fish that people like to eat in autumn.",
    publishedAt: null,
  };

  it("are the sentences that answer a question, by vectors or by words", async () => {
    const byWords = await factsOf(
      page,
      ["How many eels crossed the weir at night?"],
      3,
      async () => null,
      new AbortController().signal,
    );
    expect(byWords.map(({ text }) => text)).toEqual(["Of 118 tagged eels, 97 crossed the weir at night."]);
    const embed = async (texts: readonly string[]) =>
      texts.map((text) => Float32Array.from(/built|when/i.test(text) ? [1, 0] : [0, 1]));
    const byVectors = await factsOf(page, ["When did they start?"], 3, embed, new AbortController().signal);
    expect(byVectors.map(({ text }) => text)).toEqual(["The weir was built in 1931 by the town."]);
  });

  it("on two pages in the same words are one", () => {
    const fact = {
      text: "The pilot plant cost 4.2 million euros in 2024.",
      question: 0,
      url: "https://a.example/",
      title: "",
      publishedAt: null,
      fit: 0.9,
    };
    expect(
      mergeFacts(
        [
          fact,
          { ...fact, url: "https://b.example/", fit: 0.8 },
          { ...fact, text: "It was built by forty people from the village." },
        ],
        5,
      ),
    ).toHaveLength(2);
  });

  it("come from sentences, not from menus", () => {
    expect(sentencesOf(page.text)).toHaveLength(3);
    expect(wordLikeness(contentWords("eel counts"), contentWords("The eels were counted"))).toBeGreaterThan(0.3);
  });
});

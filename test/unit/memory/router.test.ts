import { describe, expect, it } from "vitest";
import { routeByRules } from "../../../core/memory/router.ts";

const route = (text: string) => routeByRules(text, Date.UTC(2023, 4, 8));

describe("the router's rules", () => {
  it.each([
    ["hello there!", "none"],
    ["Thanks so much", "none"],
    ["", "none"],
    ["what is my dog called?", "simple"],
    ["When did Nadia start her course?", "temporal"],
    ["What did we say about eels last week?", "temporal"],
    ["What do you think about night stops?", "belief"],
    ["狗", "simple"],
  ])("%s: %s", (text, expected) => {
    expect(route(text).route).toBe(expected);
  });

  it("asks about each of two people, and about each of two things", () => {
    expect(route("How do Jon and Gina both like to unwind?").queries).toEqual([
      "How do Jon and Gina both like to unwind?",
      "How do Jon like to unwind?",
      "How do Gina like to unwind?",
    ]);
    expect(route("compare the weir with the bypass").queries).toEqual([
      "compare the weir with the bypass",
      "the weir",
      "the bypass",
    ]);
  });

  it("splits a question made of questions into two to four, the whole first", () => {
    const { route: kind, queries } = route("Where does my sister live and what does she do for work?");
    expect(kind).toBe("aggregation");
    expect(queries).toEqual([
      "Where does my sister live and what does she do for work?",
      "Where does my sister live",
      "what does she do for work?",
    ]);
  });

  it("does not take every both, and or to for two questions", () => {
    expect(route("How do they both like to unwind?").route).toBe("simple");
    expect(route("What bread and butter did I buy?").route).toBe("simple");
  });
});

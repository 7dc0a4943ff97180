import { describe, expect, it } from "vitest";
import { bytes, duration, signed, speed } from "../../../renderer/format/numbers.ts";
import { dayGroup, shortTime } from "../../../renderer/format/times.ts";
import { formatRoute, parseRoute } from "../../../renderer/hooks/useRoute.ts";
import { newSentences } from "../../../renderer/screens/chat/thread/sentences.ts";

describe("figures", () => {
  it("carry their units", () => {
    expect([bytes(0), bytes(98_362_432), bytes(4.7e9), bytes(16e9), bytes(820_000)]).toEqual([
      "0 bytes",
      "98 MB",
      "4.7 GB",
      "16 GB",
      "820 KB",
    ]);
    expect([duration(300), duration(14_000), duration(125_000)]).toEqual(["0.3 s", "14 s", "2 min 5 s"]);
    expect([signed(0.43), signed(-0.22), signed(-0.001)]).toEqual(["+0.43", "−0.22", "0.00"]);
    expect([speed(18.43), speed(96.2)]).toEqual(["18.4 tokens a second", "96 tokens a second"]);
  });
});

describe("times", () => {
  const now = new Date(2026, 10, 26, 12, 0).getTime(); // a Thursday
  const ago = (days: number) => now - days * 86_400_000;
  it("group a list by day, newest first", () => {
    expect([0, 1, 2, 3, 4, 10, 11, 40, 400].map((days) => dayGroup(ago(days), now))).toEqual([
      "Today",
      "Yesterday",
      "This week",
      "This week",
      "Last week",
      "Last week",
      "November",
      "October",
      "October 2025",
    ]);
  });
  it("are short in a row", () => {
    expect([shortTime(ago(0), now), shortTime(ago(2), now), shortTime(ago(20), now)]).toEqual([
      "12:00",
      "Tue",
      "6 Nov",
    ]);
  });
});

describe("addresses in the window", () => {
  it("survive the way there and back", () => {
    const route = { screen: "chat", path: ["a/b c", "turn"], query: { find: "naïve & co" } };
    expect(parseRoute(formatRoute(route))).toEqual(route);
  });
  it("of nonsense are the first screen, without an exception", () => {
    expect(parseRoute("#/%E0%A4%A/%")).toEqual({ screen: "%E0%A4%A", path: ["%"], query: {} });
    expect(parseRoute("")).toEqual({ screen: "chat", path: [], query: {} });
  });
});

describe("reading an answer aloud", () => {
  it("says whole sentences only, each once", () => {
    const first = newSentences("One **two**. Thr", 0, false);
    expect(first).toEqual({ text: "One two.", length: 12 });
    expect(newSentences("One **two**. Three? Fo", first.length, false).text).toBe("Three?");
    expect(newSentences("One **two**. Three? Four", 19, true).text).toBe("Four");
  });
  it("does not read code", () => {
    expect(newSentences("See:\n\n```js\nx.y. z\n```\nDone.", 0, true).text).toBe("See: Done.");
  });
});

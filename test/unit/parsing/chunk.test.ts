import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunk } from "../../../core/parsing/chunk/index.ts";
import type { Section } from "../../../core/parsing/index.ts";

const sentence = (n: number) => `The gauge at the upper weir showed a rise of ${n} centimetres in the night.`;
const section = (change: Partial<Section> & Pick<Section, "start" | "end">): Section => ({
  kind: "section",
  number: null,
  title: null,
  level: 1,
  ...change,
});

describe("cutting text into passages", () => {
  it("covers every character that is not blank once, in order", () => {
    const word = fc.constantFrom(
      "weir",
      "eel",
      "1904",
      "größe",
      "鰻",
      "\n",
      "\n\n",
      "\t",
      "a.b",
      "🌊",
      " ",
      "Rise. ",
      "x".repeat(400),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 300 }), fc.integer({ min: 8, max: 60 }), (words, maxTokens) => {
        const text = words.join(" ");
        let at = 0;
        for (const passage of chunk({ text, sections: [] }, { key: "k", maxTokens })) {
          expect(text.slice(at, passage.start).trim()).toBe("");
          expect(passage.end).toBeGreaterThan(passage.start);
          at = passage.end;
        }
        expect(text.slice(at).trim()).toBe("");
      }),
    );
  });

  it("keeps within the tokens it is given, by any way of counting", () => {
    const count = (text: string) => text.split(/\s+/).filter(Boolean).length;
    fc.assert(
      fc.property(fc.array(fc.nat(90), { minLength: 1, maxLength: 120 }), (numbers) => {
        const text = numbers.map((n) => sentence(n) + (n % 7 === 0 ? "\n\n" : " ")).join("");
        for (const passage of chunk({ text, sections: [] }, { key: "k", maxTokens: 40, countTokens: count })) {
          expect(count(text.slice(passage.start, passage.end))).toBeLessThanOrEqual(40);
        }
      }),
    );
  });

  it("gives the same ids for the same words, wherever the document is read, and other ids for another document", () => {
    const text = Array.from({ length: 60 }, (_, i) => sentence(i)).join(" ");
    const ids = (key: string, body: string) =>
      chunk({ text: body, sections: [] }, { key }).map((passage) => passage.id);
    expect(ids("a", text)).toEqual(ids("a", text));
    expect(new Set([...ids("a", text), ...ids("b", text)]).size).toBe(ids("a", text).length * 2);
  });

  it("keeps the ids of passages that did not change", () => {
    const paragraphs = Array.from({ length: 8 }, (_, i) =>
      Array.from({ length: 9 }, (_, j) => sentence(i * 10 + j)).join(" "),
    );
    const before = chunk({ text: paragraphs.join("\n\n"), sections: [] }, { key: "a" });
    const after = chunk({ text: [...paragraphs.slice(0, 7), "Another end."].join("\n\n"), sections: [] }, { key: "a" });
    const kept = after.filter((passage) => before.some((old) => old.id === passage.id));
    expect(kept.length).toBeGreaterThanOrEqual(6);
  });

  it("tells repeated words apart", () => {
    const text = "Same words.\n\nSame words.";
    const sections = [
      section({ kind: "page", number: 1, start: 0, end: 11 }),
      section({ kind: "page", number: 2, start: 13, end: 24 }),
    ];
    const [one, two] = chunk({ text, sections }, { key: "a" });
    expect(one!.id).not.toBe(two!.id);
    expect([one!.place, two!.place]).toEqual(["p. 1", "p. 2"]);
  });

  it("never crosses a page, and names headings, rows, lines and times", () => {
    const rows = Array.from({ length: 120 }, (_, i) => `2023-10-${i}\t${i * 3}\tnight`).join("\n");
    const sheet = chunk(
      {
        text: rows,
        sections: [
          section({
            kind: "sheet",
            number: 1,
            title: "Nights",
            start: 0,
            end: rows.length,
            rows: Array.from({ length: 120 }, (_, i) => i + 5),
          }),
        ],
      },
      { key: "a" },
    );
    expect(sheet[0]!.place).toMatch(/^Nights, rows 5–\d+$/);
    expect(sheet.at(-1)!.place).toMatch(/–124$/);
    const text = "Intro.\n\nTiming\nIt passed at night.";
    const headed = chunk({ text, sections: [section({ title: "Timing", start: 8, end: text.length })] }, { key: "a" });
    expect(headed.map((passage) => passage.place)).toEqual(["line 1", "§ Timing"]);
    expect(headed[1]!.path).toEqual(["Timing"]);
    const cues = "Yes.\nNo.";
    expect(
      chunk(
        {
          text: cues,
          sections: [
            section({ kind: "cue", number: 1, title: "00:00:01", start: 0, end: 4 }),
            section({ kind: "cue", number: 2, title: "00:00:09", start: 5, end: 8 }),
          ],
        },
        { key: "a" },
      ).map((passage) => passage.place),
    ).toEqual(["00:00:01"]);
  });

  it("does not cut a character in two", () => {
    const text = "🌊".repeat(5000);
    for (const passage of chunk({ text, sections: [] }, { key: "a" }))
      expect(text.slice(passage.start, passage.end)).toMatch(/^(?:🌊)+$/u);
  });
});

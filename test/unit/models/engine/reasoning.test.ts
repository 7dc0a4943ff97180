import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReasoningSplitter } from "../../../../core/models/engine/reasoning.ts";
import type { StreamChunk } from "../../../../core/models/types.ts";

type Parts = { answer: string; reasoning: string };

function run(pieces: readonly string[], startsIn: "answer" | "reasoning" = "answer"): Parts {
  const splitter = new ReasoningSplitter(startsIn);
  const chunks: StreamChunk[] = [];
  for (const piece of pieces) chunks.push(...splitter.feed(piece));
  chunks.push(...splitter.end());
  const join = (channel: StreamChunk["channel"]) =>
    chunks
      .filter((chunk) => chunk.channel === channel)
      .map((chunk) => chunk.text)
      .join("");
  return { answer: join("answer"), reasoning: join("reasoning") };
}

const known: readonly (readonly [string, Parts])[] = [
  ["<think>a plan</think>\n\nHello", { reasoning: "a plan", answer: "Hello" }],
  ["<think>\nfirst\n</think>\nThen <think>second</think>end", { reasoning: "first\nsecond", answer: "Then end" }],
  ["<Thinking>x</Thinking>y", { reasoning: "x", answer: "y" }],
  ["<reasoning>r</reasoning>a", { reasoning: "r", answer: "a" }],
  ["<reflection>r</reflection>a", { reasoning: "r", answer: "a" }],
  ["<thought>r</thought>a", { reasoning: "r", answer: "a" }],
  ["[THINK]r[/THINK]a", { reasoning: "r", answer: "a" }],
  ["<seed:think>r</seed:think>a", { reasoning: "r", answer: "a" }],
  [
    "<|channel|>analysis<|message|>why<|end|><|start|>assistant<|channel|>final<|message|>because",
    { reasoning: "why", answer: "because" },
  ],
  ["<|channel|>commentary<|message|>note<|end|>", { reasoning: "", answer: "note" }],
  ["<|channel>thought\nhm<channel|>so", { reasoning: "hm", answer: "so" }],
  ["no tags < here > at all, 3 <4", { reasoning: "", answer: "no tags < here > at all, 3 <4" }],
  ["`<think>` is a tag", { reasoning: "", answer: "`<think>` is a tag" }],
  ["```\n<think>\n```\nafter <think>x</think>", { reasoning: "x", answer: "```\n<think>\n```\nafter " }],
  ["<think>never closed", { reasoning: "never closed", answer: "" }],
  ["ends in a half tag <thi", { reasoning: "", answer: "ends in a half tag <thi" }],
  ["<think>a < b and <b>bold</b> [x]</think>ok", { reasoning: "a < b and <b>bold</b> [x]", answer: "ok" }],
  ["<thinker>not a tag</thinker>", { reasoning: "", answer: "<thinker>not a tag</thinker>" }],
];

describe("reasoning splitter", () => {
  it.each(known)("parts %j", (text, parts) => {
    expect(run([text])).toEqual(parts);
  });

  it("gives the same parts wherever the text is cut once", () => {
    for (const [text, parts] of known)
      for (let at = 0; at <= text.length; at++)
        expect(run([text.slice(0, at), text.slice(at)]), `${text} cut at ${at}`).toEqual(parts);
  });

  it("gives the same parts letter by letter", () => {
    for (const [text, parts] of known) expect(run([...text])).toEqual(parts);
  });

  it("starts in the reasoning that a template has opened", () => {
    expect(run(["so I wonder</think>", "\nYes"], "reasoning")).toEqual({ reasoning: "so I wonder", answer: "Yes" });
  });

  it("gives any text the same parts however it is cut", () => {
    const token = fc.constantFrom(
      "<think>",
      "</think>",
      "<",
      "<|",
      "<|channel|>",
      "analysis",
      "final",
      "<|message|>",
      "<|end|>",
      "`",
      "```",
      "\n",
      "a ",
      "[THINK]",
      "[/THINK]",
      "</thi",
      "nk>",
      "<|channel>",
      "thought\n",
      "<channel|>",
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 24 }), fc.array(fc.nat(), { maxLength: 12 }), (tokens, cuts) => {
        const text = tokens.join("");
        const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
        const pieces = [0, ...places].map((from, i, all) => text.slice(from, all[i + 1] ?? text.length));
        expect(run(pieces)).toEqual(run([text]));
      }),
      { numRuns: 2000 },
    );
  });

  it("loses no letter of a text without tags", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "<", ">", "/", "t", "[", "|", " ", "é", "🎈") }), {
          maxLength: 10,
        }),
        (pieces) => {
          const text = `x${pieces.join("")}`;
          fc.pre(!/<\/?(think|thought|reason|reflect|seed)|\[\/?think\]|<\|?channel/i.test(text));
          expect(run(["x", ...pieces])).toEqual({ answer: text, reasoning: "" });
        },
      ),
    );
  });

  it("gives out text before a possible tag at once", () => {
    const splitter = new ReasoningSplitter();
    expect(splitter.feed("Hello <thi")).toEqual([{ channel: "answer", text: "Hello " }]);
    expect(splitter.feed("s is not")).toEqual([{ channel: "answer", text: "<this is not" }]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOpenFence, splitBlocks } from "../../../renderer/markdown/blocks.ts";

/** Pieces from which Markdown of every awkward shape is put together. */
const piece = fc.oneof(
  fc.constantFrom(
    "\n",
    "\n\n",
    "\n\n\n",
    "```",
    "```ts\n",
    "~~~\n",
    "$$",
    "$$\n",
    "\\[\n",
    "\\]\n",
    "- a\n",
    "1. b\n",
    "1",
    "2)",
    "*",
    "> q\n",
    "# h\n",
    "| a | b |\n|--|--|\n",
    "    ",
    "   ",
    " ",
    "[1]",
    "text",
  ),
  fc.string({ maxLength: 6 }),
);
const markdown = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));

describe("splitting streamed Markdown into blocks", () => {
  it("loses and adds no letter", () => {
    fc.assert(fc.property(markdown, (text) => splitBlocks(text).join("") === text));
  });

  it("never changes a block that is not the last when text is added", () => {
    fc.assert(
      fc.property(markdown, fc.nat(), (text, cut) => {
        const before = splitBlocks(text.slice(0, text.length === 0 ? 0 : cut % (text.length + 1)));
        const after = splitBlocks(text);
        expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps a fence with blank lines whole, and a list whose items are apart", () => {
    expect(splitBlocks("a\n\n```js\nx\n\ny\n```\n\nb")).toEqual(["a\n\n", "```js\nx\n\ny\n```\n\n", "b"]);
    expect(splitBlocks("1. a\n\n2. b\n\nend")).toEqual(["1. a\n\n2. b\n\n", "end"]);
  });

  it("keeps a formula with blank lines whole", () => {
    expect(splitBlocks("$$\na\n\nb\n$$\n\nend")).toEqual(["$$\na\n\nb\n$$\n\n", "end"]);
  });

  it("knows a fence that is still being written", () => {
    expect(isOpenFence("```py\nprint(1)")).toBe(true);
    expect(isOpenFence("```py\nprint(1)\n```\n")).toBe(false);
    expect(isOpenFence("text")).toBe(false);
  });
});

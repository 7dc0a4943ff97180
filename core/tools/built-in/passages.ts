import type { Passage, ToolOutput } from "../types.ts";
import { NOTHING_FOUND } from "./nothing.ts";

/** Passages as a tool's output: one block each, so that the text folds well. */
export function passageOutput(passages: readonly Passage[], words: { none: string; noun: string }): ToolOutput {
  if (passages.length === 0) return { text: words.none, summary: NOTHING_FOUND, passages: [] };
  const sources = new Set(passages.map((passage) => passage.title)).size;
  const places = sources > 1 ? ` in ${sources} places` : "";
  return {
    text: passages.map(block).join("\n\n"),
    summary: `${passages.length} ${words.noun}${passages.length === 1 ? "" : "s"}${places}`,
    passages,
  };
}

function block(passage: Passage): string {
  const where = [passage.title, passage.place].filter((part) => part !== "").join(", ");
  return where === "" ? passage.text : `[${where}]\n${passage.text}`;
}

/** Words of a query for a label, cut to a length that fits on a line. */
export function quoted(query: string): string {
  const words = query.replace(/\s+/g, " ").trim();
  return `“${words.length > 60 ? `${words.slice(0, 57).trimEnd()}…` : words}”`;
}

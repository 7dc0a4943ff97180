import type { Section } from "../types.ts";
import type { LineCounter } from "./chunk.ts";

/** Where a passage stands, in words a reader would use: "p. 14", "Nights, rows 40–61", "§ Timing", "lines 12–30". */
export function placeOf(
  section: Section | null,
  path: readonly string[],
  range: { readonly start: number; readonly end: number },
  text: string,
  lines: LineCounter,
): string {
  if (section === null) return span("line", lines.lineAt(range.start), lines.lineAt(range.end - 1));
  const number = section.number ?? 1;
  switch (section.kind) {
    case "page":
      return `p. ${number}`;
    case "slide":
      return `slide ${number}`;
    case "sheet":
      return sheetPlace(section, range, text);
    case "message":
      return section.title ? `message ${number}, ${short(section.title)}` : `message ${number}`;
    case "cell":
      return `cell ${number}`;
    case "cue":
      return section.title ?? `cue ${number}`;
    case "chapter":
      return section.title ? short(section.title) : `chapter ${number}`;
    case "file":
      return section.title ?? `file ${number}`;
    case "section":
      return `§ ${short(path.at(-1) ?? section.title ?? String(number))}`;
  }
}

function sheetPlace(section: Section, range: { readonly start: number; readonly end: number }, text: string): string {
  const first = countLines(text, section.start, range.start);
  const last = first + countLines(text, range.start, range.end - 1);
  const rows = section.rows;
  const words = span("row", rows?.[first] ?? first + 1, rows?.[last] ?? last + 1);
  return section.title ? `${short(section.title)}, ${words}` : words;
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function span(unit: string, first: number, last: number): string {
  return first === last ? `${unit} ${first}` : `${unit}s ${first}–${last}`;
}

function short(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59).trimEnd()}…`;
}

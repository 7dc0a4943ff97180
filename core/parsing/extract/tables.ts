import Papa from "papaparse";
import type { Extracted } from "../types.ts";
import type { ExtractContext } from "./context.ts";
import { rowText } from "./rows.ts";
import { TextBuilder } from "./text-builder.ts";

const delimiters = [",", ";", "\t", "|"] as const;

/** Separated values: a row a line, fields with tabs; quoted line breaks become spaces. The one section is the sheet. */
export function extractTable(source: string, context: ExtractContext): Extracted {
  const hint = /^sep=(.)\r?\n/.exec(source);
  const body = hint ? source.slice(hint[0].length) : source;
  const delimiter = hint ? hint[1]! : (findDelimiter(body) ?? ",");
  const builder = new TextBuilder(context.limits.maxTextChars);
  const rows: number[] = [];
  let number = 0;
  builder.open("sheet", null, 1, 1);
  Papa.parse<string[]>(body, {
    delimiter,
    step: ({ data }) => {
      number++;
      const text = rowText(data);
      if (text.trim() === "" || builder.full) return;
      builder.add(`${text}\n`);
      rows.push(number);
    },
  });
  if (builder.full)
    context.warn({ kind: "cut-short", message: "The table is too large to read whole; the text ends early." });
  const { text, sections } = builder.finish();
  return {
    format: delimiter === "\t" ? "tsv" : "csv",
    text,
    sections: sections.map((section) => ({ ...section, rows })),
    title: null,
    language: null,
    warnings: [],
    metadata: { rows: rows.length, delimiter },
  };
}

/** The delimiter that cuts most of the first lines into the same number of fields, at least two; null when none does. */
export function findDelimiter(source: string): string | null {
  const sample = source.slice(0, 65_536);
  let best: { delimiter: string; score: number } | null = null;
  for (const delimiter of delimiters) {
    const { data } = Papa.parse<string[]>(sample, { delimiter, preview: 60 });
    const rows = data.filter((row) => row.length > 1 || (row[0] ?? "").trim() !== "");
    const whole = sample.length < source.length ? rows.slice(0, -1) : rows;
    if (whole.length < 2) continue;
    const counts = new Map<number, number>();
    for (const row of whole) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
    const [fields, times] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0]);
    if (fields < 2) continue;
    const score = (times / whole.length) * (1 + Math.min(fields, 20) / 100);
    if (times / whole.length >= 0.75 && (!best || score > best.score)) best = { delimiter, score };
  }
  return best?.delimiter ?? null;
}

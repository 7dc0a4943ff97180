import { normalise } from "./cues.ts";

/**
 * Words and pairs of neighbouring words, numbers as `#`, punctuation that matters as itself, `^` and `$` at the ends.
 * The head has learnt which of them go with which kind of reasoning.
 */
export function grams(text: string): Set<string> {
  const tokens = normalise(text)
    .toLowerCase()
    .replace(/\d+(?:[.,]\d+)*/g, " # ")
    .match(/[\p{L}']+|[#?!%".,;:]/gu);
  const line = ["^", ...(tokens ?? []), "$"];
  const found = new Set<string>();
  for (let i = 0; i < line.length; i++) {
    found.add(line[i]!);
    if (i + 1 < line.length) found.add(`${line[i]} ${line[i + 1]}`);
  }
  return found;
}

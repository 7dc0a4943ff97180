import { contentId } from "../platform/index.ts";
import { sentences } from "./text/sentences.ts";

/** An episode is split into at most this many pieces. */
export const maximumDerivatives = 15;
/** Characters of one piece: about 200 tokens, inside what small embedders read. */
const pieceChars = 800;

/**
 * Splits a text at sentence ends into 1..15 pieces of about 800 characters; longer texts get larger pieces, of which the
 * embedder reads the beginning and the word index all. White space alone gives none.
 */
export function split(text: string): string[] {
  const whole = text.trim();
  if (!/[\p{L}\p{N}]/u.test(whole)) return [];
  if (whole.length <= pieceChars) return [whole];
  const size = Math.max(pieceChars, Math.ceil(whole.length / (maximumDerivatives - 1)));
  const pieces: string[] = [];
  let start = -1;
  let end = 0;
  for (const span of sentences(whole, size)) {
    if (start >= 0 && span.end - start > size) {
      pieces.push(whole.slice(start, end));
      start = -1;
    }
    if (start < 0) start = span.start;
    end = span.end;
  }
  if (start >= 0) pieces.push(whole.slice(start, end));
  while (pieces.length > maximumDerivatives) {
    const last = pieces.pop()!;
    pieces[pieces.length - 1] += `\n${last}`;
  }
  return pieces.filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

/** The id of a piece: the same text of the same message at the same place has the same id on every run. */
export function derivativeId(origin: string, ordinal: number, text: string): string {
  return contentId("dv", origin, String(ordinal), text);
}

/**
 * What of an answer is new: sentences that only repeat what was recalled for it are left out, so that recalled text is
 * never stored again. A sentence repeats when four fifths of its word triples stand in one recalled text.
 */
export function withoutRecalled(answer: string, recalled: readonly string[]): string {
  if (recalled.length === 0) return answer;
  const sources = recalled.map((text) => shingles(text));
  let result = "";
  let last = 0;
  for (const span of sentences(answer, 2_000)) {
    const sentence = answer.slice(span.start, span.end);
    const triples = shingles(sentence);
    const repeats = triples.size > 0 && sources.some((source) => overlap(triples, source) >= 0.8);
    if (!repeats) result += answer.slice(last, span.end);
    last = span.end;
  }
  return result.trim();
}

function shingles(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < 3) return new Set(words.length > 0 ? [words.join(" ")] : []);
  const found = new Set<string>();
  for (let i = 0; i + 2 < words.length; i++) found.add(`${words[i]} ${words[i + 1]} ${words[i + 2]}`);
  return found;
}

function overlap(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  let shared = 0;
  for (const item of part) if (whole.has(item)) shared++;
  return shared / part.size;
}

import type { TermGroup } from "../text/query.ts";
import { sentences } from "../text/sentences.ts";
import { words } from "../text/words.ts";

/** The sentence of `text` that answers the query best by its words, or the first one when none matches. Null for an empty text. */
export function markSentence(
  text: string,
  groups: readonly TermGroup[],
  weights: readonly number[],
  grams: readonly string[] = [],
): [number, number] | null {
  // Marks are for reading: a text of a megabyte is not searched through for one.
  const spans = sentences(text.slice(0, 20_000));
  if (spans.length === 0) return null;
  let best = spans[0]!;
  let bestScore = 0;
  for (const span of spans) {
    const sentence = text.slice(span.start, span.end);
    const found = new Set(words(sentence).map((word) => word.stem));
    let score = 0;
    for (let g = 0; g < groups.length; g++) {
      let weight = 0;
      for (const [stem, share] of groups[g]!.stems) if (found.has(stem) && share > weight) weight = share;
      score += weights[g]! * weight;
    }
    for (const gram of grams) if (sentence.includes(gram)) score += 1;
    // A question repeats the words of the query and answers nothing.
    if (sentence.endsWith("?")) score *= 0.6;
    if (score > bestScore) {
      bestScore = score;
      best = span;
    }
  }
  return [best.start, best.end];
}

/** Runs shorter than this in all are style ("ha ha ha"), not a loop. */
const SHORTEST_LOOP = 24;
const LONGEST_UNIT = 400;

/**
 * Takes off the tail of a text that only repeats itself: the same run of characters three times or more up to the end,
 * of which one stays, ended at a sentence where it can be. A model's loop is no part of its answer.
 */
export function trimRepetition(text: string): string {
  const plain = text.trimEnd();
  for (let size = 4; size <= Math.min(LONGEST_UNIT, Math.floor(plain.length / 3)); size++) {
    const unit = plain.slice(plain.length - size);
    if (!/\p{L}/u.test(unit)) continue;
    let count = 1;
    while (plain.length >= size * (count + 1) && plain.startsWith(unit, plain.length - size * (count + 1))) count++;
    if (count < 3 || size * count < SHORTEST_LOOP) continue;
    const start = plain.length - size * count;
    const once = plain.slice(0, start + size);
    const sentence = Math.max(...[".", "!", "?", "\n"].map((mark) => once.lastIndexOf(mark)));
    return (sentence > start - size ? once.slice(0, sentence + 1) : once).trimEnd();
  }
  return dropRepeatedSentences(plain);
}

/** From this length on, a sentence that comes twice in a row is a loop and no emphasis. */
const LONG_SENTENCE = 20;

/** Of the same sentence in a row (case and marks apart) one stays: twice for a long one, three times for a short one. */
export function dropRepeatedSentences(text: string): string {
  const parts = text.match(/[^.!?\n]*[.!?\n]+\s*|[^.!?\n]+$/gu);
  if (!parts) return text;
  const kept: string[] = [];
  let run = 1;
  for (const part of parts) {
    const words = plainWords(part);
    const same = words.length >= 8 && words === plainWords(kept.at(-1) ?? "");
    run = same ? run + 1 : 1;
    if (same && (words.length >= LONG_SENTENCE || run >= 3)) {
      if (run === 3 && words.length < LONG_SENTENCE) kept.pop();
      continue;
    }
    kept.push(part);
  }
  return kept.join("").trimEnd();
}

function plainWords(sentence: string): string {
  return sentence
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

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

/** The same sentence three times or more in a row stays once. */
function dropRepeatedSentences(text: string): string {
  const parts = text.match(/[^.!?\n]*[.!?\n]+\s*|[^.!?\n]+$/gu);
  if (!parts) return text;
  const kept: string[] = [];
  let run = 1;
  for (const part of parts) {
    const same = part.trim().length >= 8 && kept.at(-1)?.trim() === part.trim();
    run = same ? run + 1 : 1;
    if (run >= 3) {
      if (run === 3) kept.pop();
      continue;
    }
    kept.push(part);
  }
  return kept.join("").trimEnd();
}

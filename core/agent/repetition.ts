/**
 * Takes off the tail of a text that only repeats itself: the same run of characters three times or more up to the end,
 * of which one stays. What a small model's loop leaves behind is no part of its answer.
 */
export function trimRepetition(text: string): string {
  const plain = text.trimEnd();
  const longest = Math.min(400, Math.floor(plain.length / 3));
  for (let size = 4; size <= longest; size++) {
    const unit = plain.slice(plain.length - size);
    if (/^\s*$/.test(unit) || !/\p{L}/u.test(unit)) continue;
    let count = 1;
    while (plain.length - size * (count + 1) >= 0 && plain.startsWith(unit, plain.length - size * (count + 1))) count++;
    if (count < 3 || size * count < 24) continue;
    let start = plain.length - size * count;
    // The cut-off last round may hide the true boundary: begin at the sentence or line that contains it.
    const kept = plain.slice(0, start + size);
    start = kept.length;
    return kept.slice(0, start).trimEnd();
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

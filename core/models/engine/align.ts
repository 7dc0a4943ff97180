/**
 * A chat history that is written out and tokenized again need not give the tokens the model generated: the same words can
 * be cut differently. The evaluated tokens are then still the right ones, so they are kept wherever both say the same text.
 */

/**
 * Returns `wanted`, with stretches replaced by the `cached` tokens that spell the same text, from the start up to where the two
 * really differ. `spell` gives the text of some tokens; `fixed` tells tokens that mean more than their text (control tokens).
 * The result always spells what `wanted` spells.
 */
export function alignToCache(
  cached: readonly number[],
  wanted: readonly number[],
  spell: (tokens: readonly number[]) => string,
  fixed: (token: number) => boolean,
  longestStretch = 24,
): number[] {
  const result: number[] = [];
  let c = 0;
  let w = 0;
  while (c < cached.length && w < wanted.length) {
    if (cached[c] === wanted[w]) {
      result.push(cached[c]!);
      c++;
      w++;
      continue;
    }
    const stretch = meet(cached, c, wanted, w, spell, fixed, longestStretch);
    if (!stretch) break;
    for (let i = 0; i < stretch.cached; i++) result.push(cached[c + i]!);
    c += stretch.cached;
    w += stretch.wanted;
  }
  for (; w < wanted.length; w++) result.push(wanted[w]!);
  return result;
}

/** The shortest stretches from `c` and `w` that spell the same text, or null when there are none. */
function meet(
  cached: readonly number[],
  c: number,
  wanted: readonly number[],
  w: number,
  spell: (tokens: readonly number[]) => string,
  fixed: (token: number) => boolean,
  longest: number,
): { cached: number; wanted: number } | null {
  let nc = 1;
  let nw = 1;
  while (nc <= longest && nw <= longest && c + nc <= cached.length && w + nw <= wanted.length) {
    if (fixed(cached[c + nc - 1]!) || fixed(wanted[w + nw - 1]!)) return null;
    const a = spell(cached.slice(c, c + nc));
    const b = spell(wanted.slice(w, w + nw));
    // Half a character is spelled as a replacement sign: not comparable until the rest is there.
    if (a === b && !a.includes("\ufffd")) return { cached: nc, wanted: nw };
    const common = Math.min(a.length, b.length);
    if (
      !a.slice(0, common).includes("\ufffd") &&
      !b.slice(0, common).includes("\ufffd") &&
      a.slice(0, common) !== b.slice(0, common)
    )
      return null;
    if (a.length < b.length) nc++;
    else if (b.length < a.length) nw++;
    else {
      nc++;
      nw++;
    }
  }
  return null;
}

/** How many tokens two sequences share from the start. */
export function commonPrefix(a: readonly number[], b: readonly number[]): number {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a[i] === b[i]) i++;
  return i;
}

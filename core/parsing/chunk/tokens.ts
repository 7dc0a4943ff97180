/**
 * Estimates how many word pieces MiniLM's tokenizer (BERT, uncased, 30,522 pieces) makes of a text, without its
 * vocabulary. Made to be rather too high than too low, for passages must not be cut by the embedder: marks and
 * ideographs count one each, digits by groups, words by their length, alphabet and whether the text is English,
 * the one language whose words the vocabulary holds whole.
 */
export type TokenEstimate = (text: string) => number;

/** An estimate tuned to a text: how English it is shows in its commonest words. */
export function tokenEstimateFor(sample: string): TokenEstimate {
  const words =
    sample
      .slice(0, 6000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const common = words.filter((word) => englishWords.has(word)).length;
  const share = words.length === 0 ? 0 : common / words.length;
  const perPiece = share > 0.2 ? 9.5 : share > 0.1 ? 5 : 2.9;
  return (text) => {
    let tokens = 0;
    for (const match of text.matchAll(tokenPattern)) tokens += costOf(match, perPiece);
    return Math.ceil(tokens);
  };
}

const englishWords = new Set(
  "the of and to in a is that for it as was with on be by at are this from or an have not which but had they you were his her she he we their been has will would there when who".split(
    " ",
  ),
);

/** Latin words, numbers, ideographs, words of other alphabets, and anything else that is not a space. */
const tokenPattern =
  /((?:\p{Script=Latin}|\p{Mn})+)|(\p{N}+)|([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])|([\p{L}\p{M}]+)|([^\s\p{Cc}])/gu;

function costOf(match: RegExpMatchArray, perPiece: number): number {
  const [whole, latin, number, ideograph, other] = match;
  if (latin !== undefined) return latinCost(latin, perPiece);
  if (number !== undefined) return number.length <= 2 ? 1 : 0.6 + number.length * 0.55;
  if (ideograph !== undefined) return 1;
  // English word pieces know other alphabets by letters alone.
  if (other !== undefined) return other.length;
  return whole.length === 0 ? 0 : 1;
}

function latinCost(word: string, perPiece: number): number {
  const { length } = word;
  const accented = /[^\0-\x7f]/.test(word) ? 1.25 : 1;
  // Capitals and mixed case are names and codes, which break into more pieces.
  const strange = length > 1 && /\p{Lu}/u.test(word.slice(1)) ? 1.35 : 1;
  if (length <= 2) return strange;
  if (length <= 4) return (perPiece > 4.5 ? 1.05 : 1.35) * accented * strange;
  return Math.max(1.1, 0.55 + length / perPiece) * accented * strange;
}

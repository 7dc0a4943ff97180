import { stem } from "./stem.ts";

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts written without spaces between words, and Hangul, whose words carry their particles. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const hasUnspaced = new RegExp(unspaced.source, "u");

/** Words that carry no subject. Two-letter words that are also names of things ("it" and "IT") are told apart by case. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any anyone anything are aren as at be because been before being below
  between both but by can cannot could couldn d did didn do does doesn doing don during each either else ever every few
  for from further had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn
  it its itself just ll m ma may me might mine more most much must my myself need no nor not now of off on once only or
  other our ours out over own re s same shall she should shouldn so some someone something such t than that the their
  theirs them themselves then there these they this those through to too under until up upon us ve very was wasn we were
  weren what whatever when where which while who whom whose why will with won would wouldn yes yet you your yours
  yourself tell know remember please recall mention mentioned say said describe kind type thing things`.split(/\s+/),
);

const plain = /^[a-zA-Z0-9]*$/;

/** Lower case without accents, the way the index folds its terms. */
export function fold(text: string): string {
  // Most words are plain letters, and normalising is what costs.
  if (plain.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}

export interface Word {
  /** Folded. */
  readonly form: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text with their places in it. */
export function words(text: string): Word[] {
  const found: Word[] = [];
  for (const match of text.matchAll(wordPattern)) {
    const form = fold(match[0]);
    found.push({ form, stem: stem(form), start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** The stems of a text, in order, stop words left out. */
export function stems(text: string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(wordPattern)) {
    const form = fold(match[0]);
    if (!stopWords.has(form)) found.push(stem(form));
  }
  return found;
}

/**
 * Overlapping pairs (and single characters) of the runs that are written without spaces, as words of their own:
 * the index finds 東京 inside 東京都 and a one-character word, which neither whole runs nor trigrams would.
 */
export function grams(text: string): string[] {
  const found: string[] = [];
  for (const run of text.normalize("NFKC").matchAll(unspaced)) {
    const characters = [...run[0]];
    for (let i = 0; i < characters.length; i++) {
      found.push(characters[i]!);
      if (i + 1 < characters.length) found.push(characters[i]! + characters[i + 1]!);
    }
  }
  return found;
}

/** The grams that a query needs: pairs where there are any, single characters only for a run of one. */
export function queryGrams(text: string): string[] {
  const found: string[] = [];
  for (const run of text.normalize("NFKC").matchAll(unspaced)) {
    const characters = [...run[0]];
    if (characters.length === 1) found.push(characters[0]!);
    for (let i = 0; i + 1 < characters.length; i++) found.push(characters[i]! + characters[i + 1]!);
  }
  return [...new Set(found)];
}

/** Whether a word is of a script that `grams` covers. */
export function isUnspaced(word: string): boolean {
  return hasUnspaced.test(word);
}

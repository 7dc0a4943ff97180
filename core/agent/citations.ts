import type { FoundPassage } from "../contract/index.ts";
import { contentWords } from "./text.ts";

/** A sentence's content words of which this share stands in the passage are enough for "supported". */
const SUPPORT_SHARE = 0.5;

/**
 * Keeps only citations that hold: `[n]` stays where passage n says what its sentence says (enough shared words, and every
 * number of the sentence found in the passage), and goes where it does not, or where there is no passage n.
 */
export function checkCitations(
  answer: string,
  passages: readonly FoundPassage[],
): { text: string; cited: ReadonlySet<number> } {
  const cited = new Set<number>();
  if (!/\[\d+(?:\s*,\s*\d+)*\]/.test(answer)) return { text: answer, cited };
  const words = new Map(
    passages.map((passage) => [passage.number, new Set(contentWords(`${passage.title} ${passage.text}`))]),
  );
  // Code is not prose: `a[1]` in it is no citation. Odd parts of the split are code.
  const text = answer
    .split(/(```[\s\S]*?(?:```|$)|`[^`\n]*`)/)
    .map((part, i) => (i % 2 === 1 ? part : checkProse(part, words, cited)))
    .join("");
  return { text, cited };
}

function checkProse(prose: string, words: ReadonlyMap<number, ReadonlySet<string>>, cited: Set<number>): string {
  return sentencesWithMarks(prose)
    .map((sentence) =>
      sentence.replace(/[ \t]*\[(\d+(?:\s*,\s*\d+)*)\]/g, (mark: string, list: string) => {
        const kept = list
          .split(",")
          .map((number) => Number(number.trim()))
          .filter((number) => supports(words.get(number), sentence));
        for (const number of kept) cited.add(number);
        const lead = /^[ \t]*/.exec(mark)?.[0] ?? "";
        return kept.length === 0 ? "" : lead + kept.map((number) => `[${number}]`).join("");
      }),
    )
    .join("");
}

function supports(passage: ReadonlySet<string> | undefined, sentence: string): boolean {
  if (!passage) return false;
  const claim = contentWords(sentence.replace(/\[[\d,\s]+\]/g, " "));
  if (claim.length === 0) return false;
  const numbers = claim.filter((word) => /\p{N}/u.test(word));
  if (numbers.some((number) => !passage.has(number))) return false;
  const shared = claim.filter((word) => passage.has(word) || passage.has(stem(word)) || hasStem(passage, word)).length;
  return shared / claim.length >= SUPPORT_SHARE;
}

/** Cheap endings: enough to let "eels" meet "eel" and "moved" meet "move". */
function stem(word: string): string {
  return word.replace(/(?:ing|ed|es|s)$/u, "");
}

function hasStem(passage: ReadonlySet<string>, word: string): boolean {
  const root = stem(word);
  if (root.length < 4) return false;
  for (const other of passage) if (other.startsWith(root)) return true;
  return false;
}

/** Sentences with the marks that follow their full stop ("… at night. [1] Next") and all white space kept. */
function sentencesWithMarks(text: string): string[] {
  return (
    text
      .match(/[^.!?\n]*(?:[.!?]+(?!\s|$|\[)[^.!?\n]*)*(?:[.!?]+(?:[ \t]*\[\d+(?:\s*,\s*\d+)*\])*|\n|$)[ \t]*/gu)
      ?.filter((part) => part !== "") ?? [text]
  );
}

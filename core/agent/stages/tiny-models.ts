import type { HistoryMessage } from "../../context/index.ts";
import type { ModelDescription } from "../../models/types.ts";

/**
 * Models below this many parameters copy what stands before them: given a long chat they repeat their own earlier answers
 * word for word (seen with 135 million; from about half a billion on it fades).
 */
const TINY = 300e6;

export function isTiny(description: ModelDescription): boolean {
  return description.parameters !== undefined && description.parameters < TINY;
}

/** Whether a message is understood without what was said before: nothing in it points back or speaks of the two of you. */
export function standsAlone(text: string): boolean {
  const words = text
    .toLowerCase()
    .replace(possessions, " ")
    .match(/[\p{L}\p{N}']+/gu);
  if (!words || words.length < 4) return false;
  return !words.some((word) => pointingBack.has(word));
}

/** Places to look, not something that was said before. */
const possessions = /\b(?:my|our) (?:documents?|library|files?|feeds?|notes?|papers?|books?|pdfs?|collections?)\b/g;

const pointingBack = new Set(
  "it its it's that that's this these those they them their he him his she her hers there then again more continue further else another same so why earlier before previous previously above last first already instead too also i i'm i've i'd my me mine we we're our ours us said told mentioned talked discussed conversation chat summarise summarize rephrase shorten translate rewrite correct wrong".split(
    " ",
  ),
);

/** Rounds whose answer opens like an earlier one are left out: they are what a tiny model would copy next. */
export function withoutEchoes(history: readonly HistoryMessage[]): HistoryMessage[] {
  const openings = new Set<string>();
  const kept: HistoryMessage[] = [];
  for (let i = 0; i + 1 < history.length; i += 2) {
    const question = history[i];
    const answer = history[i + 1];
    if (!question || !answer) break;
    const opening = (answer.content.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).slice(0, 4).join(" ");
    if (openings.has(opening)) continue;
    openings.add(opening);
    kept.push(question, answer);
  }
  return kept;
}

/** Words of a text that carry meaning: lower case, three letters or more, without the commonest words. */
export function contentWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => (word.length >= 3 || /\p{N}/u.test(word)) && !commonest.has(word),
  );
}

/** Sentences and lines of a text, trimmed, without empty ones. */
export function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?…])\s+(?=\S)|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

const commonest = new Set(
  "the and for are was were has have had been that this these those with from what which who whom whose when where why how not but you your yours our ours his her hers its they them their theirs she him can could will would shall should may might must does did doing done about into over under than then there here some any all each more most such only own same too very just also because while after before between both again further once out off she's it's don't isn't i'm i've tell me please know".split(
    " ",
  ),
);

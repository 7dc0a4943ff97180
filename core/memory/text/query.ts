import { relatedForms } from "./lexicon.ts";
import { isUnspaced, queryGrams, stopWords, words } from "./words.ts";

/** One thing that the query asks for: a word with its other forms, each with how much a match by it counts. */
export interface TermGroup {
  readonly word: string;
  /** Folded surface forms by weight 0..1; the word itself has weight 1. */
  readonly forms: ReadonlyMap<string, number>;
  readonly stems: ReadonlyMap<string, number>;
  /** Position in the query, to reward neighbours that stay neighbours. */
  readonly order: number;
}

/** What kind of answer the question wants. */
export type Want = "time" | "number" | "place" | "person" | null;

export interface ParsedQuery {
  readonly text: string;
  readonly groups: readonly TermGroup[];
  readonly grams: readonly string[];
  /** Words written with a capital inside the query: people, places, works. Folded. */
  readonly capitals: readonly string[];
  /** The user asks about themself: "my dog", "did I". */
  readonly aboutUser: boolean;
  readonly want: Want;
}

const wants: readonly (readonly [RegExp, Exclude<Want, null>])[] = [
  [/\b(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|since when|how long ago)\b/i, "time"],
  [/\bhow (?:many|much|old|long|often|far|tall|big)\b/i, "number"],
  [/\b(?:where|which (?:city|country|town|place|state)|what (?:city|country|town|place|state))\b/i, "place"],
  [/\b(?:who|whom|whose)\b/i, "person"],
];

const maximumTerms = 24;

/** Reads a query: its content words with their other forms, the grams of unspaced scripts, who and what it is about. */
export function parseQuery(text: string): ParsedQuery {
  const found = words(text.slice(0, 4000));
  const groups: TermGroup[] = [];
  const capitals = new Set<string>();
  const seen = new Set<string>();
  const all = found.filter((word) => !isUnspaced(word.form));
  const kept = all.filter((word) => isContent(word.form, text.slice(word.start, word.end)));
  // A query of nothing but stop words ("who are you") still has to search for something.
  for (const word of kept.length > 0 ? kept : all) {
    const surface = text.slice(word.start, word.end);
    if (word.start > 0 && /^\p{Lu}/u.test(surface)) capitals.add(word.form);
    if (seen.has(word.stem) || groups.length >= maximumTerms) continue;
    seen.add(word.stem);
    groups.push(termGroup(word.form, word.stem, groups.length));
  }
  return {
    text,
    groups,
    grams: queryGrams(text).slice(0, 64),
    capitals: [...capitals],
    aboutUser: /\b(?:i|me|my|mine|myself|i'm|i've)\b/i.test(text),
    want: wants.find(([pattern]) => pattern.test(text))?.[1] ?? null,
  };
}

/** "IT", "US" and "AI" are names although "it" and "us" are stop words. */
function isContent(form: string, surface: string): boolean {
  if (!stopWords.has(form)) return form.length > 1 || /\p{N}/u.test(form) || /\p{Lu}/u.test(surface) === false;
  return form.length === 2 && /^\p{Lu}{2}$/u.test(surface);
}

function termGroup(form: string, stemmed: string, order: number): TermGroup {
  const forms = new Map([[form, 1]]);
  const stems = new Map([[stemmed, 1]]);
  for (const related of relatedForms(form, stemmed)) {
    if (!forms.has(related.form)) forms.set(related.form, related.weight);
    if ((stems.get(related.stem) ?? 0) < related.weight) stems.set(related.stem, related.weight);
  }
  return { word: form, forms, stems, order };
}

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
  /** The speakers that the query names, as they are stored. */
  readonly people: readonly string[];
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
export function parseQuery(text: string, speakers: readonly string[] = []): ParsedQuery {
  const found = words(text.slice(0, 4000));
  const groups: TermGroup[] = [];
  const people = namedSpeakers(text, speakers);
  const nameWords = new Set(people.flatMap((name) => words(name).map((word) => word.form)));
  const seen = new Set<string>();
  const all = found.filter((word) => !isUnspaced(word.form));
  const kept = all.filter((word) => isContent(word.form, text.slice(word.start, word.end)));
  // A query of nothing but stop words ("who are you") still has to search for something.
  // A name says whose words are wanted; as a word it would only find whoever was addressed by it.
  const subject = kept.filter((word) => !nameWords.has(word.form));
  for (const word of subject.length > 0 ? subject : kept.length > 0 ? kept : all) {
    if (seen.has(word.stem) || groups.length >= maximumTerms) continue;
    seen.add(word.stem);
    groups.push(termGroup(word.form, word.stem, groups.length));
  }
  return {
    text,
    groups,
    grams: queryGrams(text).slice(0, 64),
    people,
    aboutUser: /\b(?:i|me|my|mine|myself|i'm|i've)\b/i.test(text),
    want: wants.find(([pattern]) => pattern.test(text))?.[1] ?? null,
  };
}

/** The speakers whose name, or a word of it, stands in the text. */
function namedSpeakers(text: string, speakers: readonly string[]): string[] {
  const present = new Set(words(text.slice(0, 4000)).map((word) => word.form));
  return speakers.filter((name) => words(name).some((word) => word.form.length > 1 && present.has(word.form)));
}

/**
 * The query as the person named would say it: "What did Nadia adopt?" becomes "What did I adopt?". A small embedder hears
 * a name louder than the subject, and people do not say their own name when they tell something.
 */
export function asTold(text: string, people: readonly string[]): string {
  let told = text;
  for (const name of people) {
    for (const word of words(name)) {
      if (word.form.length < 2) continue;
      const surface = name.slice(word.start, word.end).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      told = told
        .replace(new RegExp(`(?<![\\p{L}\\p{N}])${surface}['’]s(?![\\p{L}\\p{N}])`, "giu"), "my")
        .replace(new RegExp(`(?<![\\p{L}\\p{N}])${surface}(?![\\p{L}\\p{N}])`, "giu"), "I");
    }
  }
  return told;
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

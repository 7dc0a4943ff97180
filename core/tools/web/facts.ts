/** Sentences of a page that answer a checklist. */
import type { EmbedPort, WebFact } from "./ports.ts";
import { contentWords, cosine, wordLikeness } from "./words.ts";

/** Below this a sentence says nothing about the question. */
const FIT = { vectors: 0.42, words: 0.34 } as const;
const SENTENCES_JUDGED = 160;
const FACT_CHARS = 400;

export interface PageText {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly publishedAt: string | null;
}

/** The best facts of a page, at most `limit`; empty when it says nothing about any question. */
export async function factsOf(
  page: PageText,
  checklist: readonly string[],
  limit: number,
  embed: EmbedPort,
  signal: AbortSignal,
): Promise<WebFact[]> {
  const questionWords = checklist.map(contentWords);
  const sentences = likely(sentencesOf(page.text), questionWords);
  if (sentences.length === 0) return [];
  const vectors = await embed([...checklist, ...sentences], signal);
  const judged = sentences.map((text, i) => {
    const words = contentWords(text);
    const fits = checklist.map((_, q) => {
      const byWords = wordLikeness(questionWords[q]!, words);
      return vectors ? 0.8 * cosine(vectors[q]!, vectors[checklist.length + i]!) + 0.2 * byWords : byWords;
    });
    const best = Math.max(...fits);
    return { text, question: fits.indexOf(best), fit: Math.max(0, Math.min(1, best)) };
  });
  return judged
    .filter(({ fit }) => fit >= (vectors ? FIT.vectors : FIT.words))
    .sort((a, b) => b.fit - a.fit)
    .slice(0, limit)
    .map((fact) => ({ ...fact, url: page.url, title: page.title, publishedAt: page.publishedAt }));
}

/** Sentences long enough to say something, in the order of the page. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?…]["”’)]?)\s+(?=[\p{Lu}\p{N}"“(])/u)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence.length >= 25 && sentence.length <= 1500 && contentWords(sentence).length >= 4)
    .map((sentence) => (sentence.length > FACT_CHARS ? `${sentence.slice(0, FACT_CHARS - 1).trimEnd()}…` : sentence));
}

/** On long pages only sentences that share words with a question are worth a vector, with the page's opening. */
function likely(sentences: readonly string[], questions: readonly (readonly string[])[]): string[] {
  if (sentences.length <= SENTENCES_JUDGED) return [...sentences];
  return sentences
    .map((text, i) => {
      const words = contentWords(text);
      return {
        text,
        i,
        likeness: Math.max(...questions.map((question) => wordLikeness(question, words))) + (i < 12 ? 0.2 : 0),
      };
    })
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, SENTENCES_JUDGED)
    .sort((a, b) => a.i - b.i)
    .map(({ text }) => text);
}

/** Facts without repeats (the same words on two pages), best first; a second source for a fact is kept as one more. */
export function mergeFacts(facts: readonly WebFact[], limit: number): WebFact[] {
  const kept: { fact: WebFact; words: string[] }[] = [];
  for (const fact of [...facts].sort((a, b) => b.fit - a.fit)) {
    const words = contentWords(fact.text);
    const repeats = kept.some(
      (other) => wordLikeness(words, other.words) > 0.9 && wordLikeness(other.words, words) > 0.9,
    );
    if (!repeats) kept.push({ fact, words });
    if (kept.length === limit) break;
  }
  return kept.map(({ fact }) => fact);
}

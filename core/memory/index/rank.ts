import type { ParsedQuery, TermGroup } from "../text/query.ts";
import { stem } from "../text/stem.ts";
import { fold, stopWords } from "../text/words.ts";
import type { TermStatistics } from "./lexical.ts";
import type { PassageRow } from "./rows.ts";

/** What is known of one candidate before the scores are weighed together. */
export interface Candidate {
  readonly row: PassageRow;
  /** BM25 of the item's own words, of its title, and of the words around it. */
  own: number;
  title: number;
  around: number;
  /** Cosines to the query by role; null where the part has no vector. */
  whole: number | null;
  window: number | null;
  sentence: number | null;
  question: number | null;
  /** Score of the unspaced-script match, from the word index. */
  grams: number;
  speaks: number;
  score: number;
}

const k1 = 1.2;
const b = 0.6;

interface Bag {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

const bags = new Map<string, Bag>();

/** Stems of a text with their counts; kept for texts seen lately. */
function bag(text: string): Bag {
  let known = bags.get(text);
  if (known) return known;
  const counts = new Map<string, number>();
  let length = 0;
  for (const match of text.slice(0, 20_000).matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const form = fold(match[0]);
    if (stopWords.has(form)) continue;
    const stemmed = stem(form);
    counts.set(stemmed, (counts.get(stemmed) ?? 0) + 1);
    length++;
  }
  known = { counts, length };
  if (bags.size > 20_000) bags.clear();
  if (text.length < 4000) bags.set(text, known);
  return known;
}

/** Weight of a term: rare words count more (Robertson and Spärck Jones). */
export function inverseFrequency(group: TermGroup, statistics: TermStatistics): number {
  let frequency = 0;
  for (const [stemmed, weight] of group.stems) frequency = Math.max(frequency, weight * statistics.frequency(stemmed));
  const n = Math.max(statistics.passages, 1);
  return Math.log(1 + (n - Math.min(frequency, n) + 0.5) / (frequency + 0.5));
}

/** BM25 of a text for the query's groups: the forms of one group count together as one term. */
export function bm25(
  text: string,
  groups: readonly TermGroup[],
  weights: readonly number[],
  averageLength: number,
): number {
  if (!text) return 0;
  const { counts, length } = bag(text);
  let score = 0;
  for (let g = 0; g < groups.length; g++) {
    let frequency = 0;
    for (const [stemmed, weight] of groups[g]!.stems) frequency += weight * (counts.get(stemmed) ?? 0);
    if (frequency === 0) continue;
    score += (weights[g]! * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / averageLength));
  }
  return score;
}

export interface Weights {
  readonly title: number;
  readonly around: number;
  readonly dense: number;
  readonly window: number;
  readonly speaker: number;
}

export const defaultWeights: Weights = { title: 0.4, around: 0.4, dense: 0.5, window: 0.3, speaker: 0.15 };

/** Fills in `score`: every signal scaled to 0..1 over the candidates, then added by weight. */
export function weigh(candidates: readonly Candidate[], query: ParsedQuery, weights: Weights = defaultWeights): void {
  const lexical = candidates.map((c) => c.own + weights.title * c.title + weights.around * c.around + c.grams);
  const top = Math.max(...lexical, 1e-9);
  const dense = scaled(candidates.map((c) => best(c.whole, c.sentence, c.question)));
  const window = scaled(candidates.map((c) => c.window));
  const named = candidates.some((c) => c.speaks > 0);
  candidates.forEach((c, i) => {
    c.score = lexical[i]! / top + weights.dense * dense[i]! + weights.window * window[i]!;
    if (named) c.score += weights.speaker * c.speaks;
    if (query.aboutUser && c.row.speaker === "") c.score += 0;
  });
}

function best(...values: (number | null)[]): number | null {
  let most: number | null = null;
  for (const value of values) if (value !== null && (most === null || value > most)) most = value;
  return most;
}

/** To 0..1 between the mean and the largest; what has no value counts as 0. */
function scaled(values: readonly (number | null)[]): number[] {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return values.map(() => 0);
  const largest = Math.max(...known);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const span = Math.max(largest - mean, 1e-6);
  return values.map((value) => (value === null ? 0 : Math.max(-0.5, (value - mean) / span)));
}

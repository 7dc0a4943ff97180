import type { ParsedQuery, TermGroup } from "../text/query.ts";
import { stem } from "../text/stem.ts";
import { fold, stopWords } from "../text/words.ts";
import { userSpeaker } from "../types.ts";
import type { TermStatistics } from "./lexical.ts";
import type { PassageRow } from "./rows.ts";

/** What is known of one candidate before the scores are weighed together. */
export interface Candidate {
  readonly row: PassageRow;
  /** BM25 of the item's own words, of its title, and of the words around it. */
  readonly own: number;
  readonly title: number;
  readonly around: number;
  /** Cosines to the query by role; null where the part has no vector. */
  readonly whole: number | null;
  readonly window: number | null;
  readonly sentence: number | null;
  readonly question: number | null;
  /** Score of the unspaced-script match, from the word index. */
  readonly grams: number;
  /** 1 when the one person whom the query names said it. */
  readonly speaks: number;
  /** 0..1: how well the time asked for fits; 0 when none was. */
  readonly date: number;
  /** Whether the text speaks of a time. */
  readonly timed: boolean;
  score: number;
}

const k1 = 1.2;
const b = 0.6;

/**
 * The query's words, ready to be counted in many texts. Only words that begin like one of its stems are stemmed: nearly
 * all words of a text are passed over by their first two letters.
 */
export class TermCounter {
  readonly #groups: readonly TermGroup[];
  readonly #weights: readonly number[];
  readonly #beginnings = new Set<string>();
  /** Groups that a stem counts for, with its share. */
  readonly #shares = new Map<string, [number, number][]>();

  constructor(groups: readonly TermGroup[], weights: readonly number[]) {
    this.#groups = groups;
    this.#weights = weights;
    groups.forEach((group, g) => {
      for (const [stemmed, share] of group.stems) {
        this.#beginnings.add(stemmed.slice(0, 2));
        const known = this.#shares.get(stemmed);
        if (known) known.push([g, share]);
        else this.#shares.set(stemmed, [[g, share]]);
      }
    });
  }

  /** BM25 of a text: the forms of one group count together as one term. */
  score(text: string, averageLength: number): number {
    if (!text || this.#groups.length === 0) return 0;
    const frequencies = new Float64Array(this.#groups.length);
    let length = 0;
    for (const token of text.slice(0, 20_000).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
      const form = fold(token);
      if (stopWords.has(form)) continue;
      length++;
      if (!this.#beginnings.has(form.slice(0, 2))) continue;
      for (const [group, share] of this.#shares.get(stem(form)) ?? []) frequencies[group]! += share;
    }
    let score = 0;
    for (let g = 0; g < frequencies.length; g++) {
      const frequency = frequencies[g]!;
      if (frequency === 0) continue;
      score += (this.#weights[g]! * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / averageLength));
    }
    return score;
  }
}

/** Weight of a term: rare words count more (Robertson and Spärck Jones). */
export function inverseFrequency(group: TermGroup, statistics: TermStatistics): number {
  let frequency = 0;
  for (const [stemmed, weight] of group.stems) frequency = Math.max(frequency, weight * statistics.frequency(stemmed));
  const n = Math.max(statistics.passages, 1);
  return Math.log(1 + (n - Math.min(frequency, n) + 0.5) / (frequency + 0.5));
}

/**
 * Weights of the signals, each scaled to about 0..1. Found on one half of the conversations in test/fixtures/recall and
 * checked on the other; the optimum is flat, so round figures.
 */
export const weights = {
  title: 0.4,
  around: 0.45,
  meaning: 0.9,
  window: 0.4,
  speaker: 0.15,
  user: 0.1,
  date: 0.2,
  timed: 0.2,
  asking: 0.08,
  length: 0.1,
} as const;

/** Typical cosines of the query to texts that have nothing to do with it, by role: where "no likeness" begins. */
export interface Background {
  readonly meaning: number;
  readonly window: number;
}

/** Fills in `score`: every signal scaled, then added by weight. */
export function weigh(candidates: readonly Candidate[], query: ParsedQuery, background: Background | null): void {
  const lexical = candidates.map((c) => c.own + weights.title * c.title + weights.around * c.around + c.grams);
  const top = Math.max(...lexical, 1e-9);
  const meaning = scaled(
    candidates.map((c) => best(c.whole, c.sentence, c.question)),
    background?.meaning ?? null,
  );
  const window = scaled(
    candidates.map((c) => c.window),
    background?.window ?? null,
  );
  // Small embedders know little of the scripts that are matched by grams; words then weigh more.
  const trust = query.grams.length > query.groups.length ? 0.3 : 1;
  candidates.forEach((c, i) => {
    const talk = c.row.kind === "message";
    c.score =
      lexical[i]! / top +
      trust * (weights.meaning * meaning[i]! + weights.window * window[i]!) +
      weights.speaker * c.speaks +
      weights.date * c.date +
      (query.want === "time" && c.timed ? weights.timed : 0) +
      (query.aboutUser && c.row.speaker === userSpeaker ? weights.user : 0) -
      (talk && /[?？؟]\s*$/.test(c.row.text) ? weights.asking : 0) +
      (talk ? weights.length * Math.min(1, Math.log10(Math.max(2, c.row.text.length / 20))) : 0);
  });
}

function best(...values: (number | null)[]): number | null {
  let most: number | null = null;
  for (const value of values) if (value !== null && (most === null || value > most)) most = value;
  return most;
}

/** A cosine this far above the background is a sure likeness: less than that never counts in full. */
const certain = 0.3;

/** To 0..1 between the background and the largest; what has no value counts as background. */
function scaled(values: readonly (number | null)[], background: number | null): number[] {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return values.map(() => 0);
  const largest = Math.max(...known);
  const floor = background ?? known.reduce((sum, value) => sum + value, 0) / known.length;
  const span = Math.max(largest - floor, certain);
  return values.map((value) => (value === null ? 0 : (value - floor) / span));
}

/** Which beliefs bear on a text: reciprocal rank fusion of nearness in meaning and of how well a belief is held. */
import type { Embedder } from "../models/types.ts";
import { heldConfidence } from "./arithmetic.ts";
import type { BeliefRow } from "./rows.ts";
import { dot } from "./scorer/head.ts";
import { overlap } from "./stance.ts";
import type { StatementVectors } from "./vectors.ts";

/** Cormack, Clarke and Buettcher (2009). */
const RRF_K = 60;

export interface Ranked {
  readonly belief: BeliefRow;
  /** Cosine to the text, or the share of words in common without an embedder. */
  readonly similarity: number;
  readonly byMeaning: boolean;
  readonly score: number;
}

/** `confidence × (1 + ln(1 + n) / ln 21)` with n items of evidence: how well a belief is held. */
export function heldStrength(belief: BeliefRow, now: number): number {
  const n = belief.state.supports + belief.state.contradicts;
  return heldConfidence(belief.state, now, belief.pinned) * (1 + Math.log(1 + n) / Math.log(21));
}

/** Best first. Retired statements take part only for new evidence, which may bring them back; `least` drops what is about something else. */
export async function rank(
  text: string,
  beliefs: readonly BeliefRow[],
  deps: {
    embedder: Embedder | null;
    vectors: StatementVectors;
    now: number;
    least: number;
    withRetired?: boolean;
    signal?: AbortSignal;
  },
): Promise<Ranked[]> {
  const living = deps.withRetired ? beliefs : beliefs.filter((belief) => !belief.state.retired);
  if (living.length === 0) return [];
  const near = await similarities(text, living, deps);
  const found = living
    .map((belief, i) => ({ belief, similarity: near[i]! }))
    .filter(({ similarity }) => similarity >= deps.least);
  const bySimilarity = ranks(found, (one) => one.similarity);
  const byStrength = ranks(found, (one) => heldStrength(one.belief, deps.now));
  return found
    .map((one, i) => ({
      ...one,
      byMeaning: deps.embedder !== null,
      score: 1 / (RRF_K + bySimilarity[i]!) + 1 / (RRF_K + byStrength[i]!),
    }))
    .sort((a, b) => b.score - a.score || b.similarity - a.similarity);
}

async function similarities(
  text: string,
  beliefs: readonly BeliefRow[],
  deps: { embedder: Embedder | null; vectors: StatementVectors; signal?: AbortSignal },
): Promise<number[]> {
  const { embedder } = deps;
  if (!embedder) return beliefs.map((belief) => overlap(text, belief.statement));
  const [query] = await embedder.embed([text], deps.signal ? { signal: deps.signal } : {});
  const vectors = await deps.vectors.of(beliefs, embedder, deps.signal);
  return vectors.map((vector) => dot(vector, query!));
}

function ranks<Item>(items: readonly Item[], value: (item: Item) => number): number[] {
  const order = items.map((item, i) => ({ i, value: value(item) })).sort((a, b) => b.value - a.value || a.i - b.i);
  const out = new Array<number>(items.length);
  for (const [place, { i }] of order.entries()) out[i] = place + 1;
  return out;
}

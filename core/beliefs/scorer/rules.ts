/**
 * The rule scorer: transparent, always there, in about ten milliseconds. It gives a lower bound: a text whose worth it
 * cannot see is weak, and one that it cannot tell from manipulation does not pass.
 */
import type { Embedder } from "../../models/types.ts";
import { isAllowed } from "../arithmetic.ts";
import { type EvidenceScore, evidenceTypes, freezingTypes, type ReasoningType, reasoningTypes } from "../types.ts";
import { cueCounts, normalise, sentences } from "./cues.ts";
import { createHead, freezeShare, type Head } from "./head.ts";
import { signalsOf, strengthOf, urgencyOf } from "./signals.ts";
import { topicsOf } from "./topics.ts";

/** Longer texts are read in pieces of about this many words, the length of the items that the head was fitted to. */
const PIECE_WORDS = 130;
const MOST_PIECES = 40;
/** For a single case of the writer's own the gate is this much narrower. */
const ONE_CASE_SHARE = 0.5;

export interface RuleScorer {
  score(text: string, options: { topics: readonly string[]; signal?: AbortSignal }): Promise<EvidenceScore>;
}

/** `embedder` may give null at any time: the head that reads words only takes over, with a narrower gate. */
export function createRuleScorer(deps: {
  readonly embedder: () => Promise<Embedder | null>;
  readonly head?: Head;
}): RuleScorer {
  const head = deps.head ?? createHead();
  const known = new Map<string, boolean>();

  /** The embedder, if its vectors are the kind that the head was fitted with. */
  async function usable(): Promise<Embedder | null> {
    const embedder = await deps.embedder();
    if (!embedder) return null;
    let fits = known.get(embedder.id);
    if (fits === undefined) {
      const [probe] = await embedder.embed([head.probeText]);
      fits = probe !== undefined && head.knows(probe);
      known.set(embedder.id, fits);
    }
    return fits ? embedder : null;
  }

  return {
    async score(text, { topics, signal }) {
      const pieces = splitPieces(text);
      let embedder: Embedder | null = null;
      let vectors: Float32Array[] | null = null;
      try {
        embedder = await usable();
        vectors = embedder ? await embedder.embed(pieces, signal ? { signal } : {}) : null;
      } catch (thrown) {
        signal?.throwIfAborted();
        // Without vectors the words decide; the reply says so.
        embedder = null;
        vectors = null;
        if (!(thrown instanceof Error)) throw thrown;
      }
      const read = pieces.map((piece, i) => head.predict(piece, vectors?.[i] ?? null));
      const lengths = pieces.map((piece) => Math.max(1, piece.length));
      const total = lengths.reduce((a, b) => a + b, 0);
      const probabilities = reasoningTypes.map((_, c) =>
        read.reduce((sum, one, i) => sum + (one.probabilities[c]! * lengths[i]!) / total, 0),
      );
      const most = Math.max(...probabilities);
      const reasoningType = reasoningTypes[probabilities.indexOf(most)]!;
      const freezeProbability = freezeShare(probabilities);
      const counts = cueCounts(text);
      const signals = signalsOf(counts);
      const strength = strengthOf(reasoningType, signals, most);
      const gate = read[0]!.gate * (isOneCase(text, counts) ? ONE_CASE_SHARE : 1);
      const recommendUpdate = evidenceTypes.has(reasoningType) && freezeProbability <= gate;
      return {
        reasoningType,
        strength,
        signals,
        urgency: urgencyOf(text),
        recommendUpdate,
        allowed: isAllowed({ reasoningType, strength, recommendUpdate }),
        scorer: vectors ? "rules+embedder" : "rules",
        topics: reasoningType === "no_argument" ? [] : await topicsOf(text, topics, embedder, vectors?.[0] ?? null),
        freezeProbability: Math.round(freezeProbability * 1000) / 1000,
        reasons: reasonsOf(reasoningType, counts, freezeProbability, recommendUpdate),
      };
    },
  };
}

/** What the writer saw on himself, with figures but without a sample, must be told from a story with more certainty. */
function isOneCase(text: string, counts: Readonly<Record<string, number>>): boolean {
  const sampled = ["sample", "sampleN", "interval", "outOf"].some((key) => (counts[key] ?? 0) > 0);
  return !sampled && /(?<![\p{L}'])(?:i|my|me|mine|i've|i'm)(?![\p{L}])/iu.test(text);
}

/** At sentence ends, so that a long article counts as what most of it is. */
export function splitPieces(text: string): string[] {
  const whole = normalise(text);
  if (whole.split(/\s+/).length <= PIECE_WORDS * 1.5) return [whole];
  const pieces: string[] = [];
  let piece = "";
  let size = 0;
  for (const sentence of sentences(whole)) {
    const length = sentence.split(/\s+/).length;
    if (size > 0 && size + length > PIECE_WORDS) {
      pieces.push(piece.trim());
      piece = "";
      size = 0;
    }
    piece += `${sentence}. `;
    size += length;
  }
  if (piece.trim()) pieces.push(piece.trim());
  if (pieces.length <= MOST_PIECES) return pieces;
  // Evenly through the text: the beginning of an article is not the whole of it.
  return Array.from({ length: MOST_PIECES }, (_, i) => pieces[Math.floor((i * pieces.length) / MOST_PIECES)]!);
}

const typeWords: Readonly<Record<ReasoningType, string>> = {
  empirical_data: "measured data",
  logical_argument: "an argument",
  expert_opinion: "an expert's opinion",
  anecdotal: "a single case",
  social_pressure: "social pressure",
  emotional_appeal: "an appeal to feeling",
  debunked_claim: "a claim that has been tested and found false",
  no_argument: "no argument",
};

const cueWords: Readonly<Record<string, string>> = {
  numberUnit: "figures with units",
  sample: "a counted sample",
  interval: "intervals or significance",
  method: "words of measurement",
  change: "a before and after",
  logicStrong: "words of inference",
  conditional: "a condition and what follows",
  expertSays: "an expert who is named and speaks",
  institutionSays: "an institution that takes a position",
  relation: "someone the writer knows",
  firstPast: "what happened to the writer",
  crowd: "how many people think so",
  conform: "the cost of standing alone",
  plea: "a plea",
  threat: "a threat",
  emotionWord: "words of feeling",
  conspiracy: "talk of a hidden plot",
  myths: "a claim that is known to be false",
  refute: "a refutation",
};

function reasonsOf(
  type: ReasoningType,
  counts: Readonly<Record<string, number>>,
  freezeProbability: number,
  recommended: boolean,
): string[] {
  const cues = Object.keys(cueWords)
    .filter((key) => (counts[key] ?? 0) > 0)
    .sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0))
    .slice(0, 4)
    .map((key) => cueWords[key]!);
  const reasons = [`Reads as ${typeWords[type]}${cues.length > 0 ? `: ${cues.join(", ")}` : ""}.`];
  if (evidenceTypes.has(type) && !recommended) {
    reasons.push(
      `It cannot be told from pressure or a story with certainty (${Math.round(freezeProbability * 100)} %).`,
    );
  }
  if (freezingTypes.has(type)) reasons.push("Beliefs stay as they are; what it says may be kept as a claim.");
  return reasons;
}

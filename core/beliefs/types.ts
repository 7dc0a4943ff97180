/** The words of the belief module: what an item is worth as evidence, and what a belief is. */

export const reasoningTypes = [
  "empirical_data",
  "logical_argument",
  "expert_opinion",
  "anecdotal",
  "social_pressure",
  "emotional_appeal",
  "debunked_claim",
  "no_argument",
] as const;
export type ReasoningType = (typeof reasoningTypes)[number];

/** These never move a belief, however strong they sound. What they claim may still be kept as a claim. */
export const freezingTypes: ReadonlySet<ReasoningType> = new Set<ReasoningType>([
  "anecdotal",
  "social_pressure",
  "emotional_appeal",
  "debunked_claim",
]);

/** The types that can carry a revision; `no_argument` neither freezes nor moves anything. */
export const evidenceTypes: ReadonlySet<ReasoningType> = new Set<ReasoningType>([
  "empirical_data",
  "logical_argument",
  "expert_opinion",
]);

/** Credibility, each 0..1. */
export interface Signals {
  /** Names, dates, places, figures rather than generalities. */
  readonly specificity: number;
  /** Tied to something observed or to a source that can be looked up. */
  readonly grounding: number;
  /** Samples, comparisons, intervals, or steps that follow from each other. */
  readonly rigor: number;
  readonly sourceQuality: number;
  /** Free of pleading, insult and pressure. */
  readonly objectivity: number;
}

/** The verdict on one item, seen alone. */
export interface EvidenceScore {
  readonly reasoningType: ReasoningType;
  /** 0..1 */
  readonly strength: number;
  readonly signals: Signals;
  /** 0..1: how soon it would matter. */
  readonly urgency: number;
  readonly recommendUpdate: boolean;
  /** The gate: an evidence type, strong enough, recommended. Only then may a belief move. */
  readonly allowed: boolean;
  /** Who spoke: "rules" (words only), "rules+embedder", or "model: NAME" together with the rules. */
  readonly scorer: string;
  readonly topics: readonly string[];
  /** Probability that the item is of a freezing type, by the rules. */
  readonly freezeProbability: number;
  /** What the verdict rests on, in words for the user. */
  readonly reasons: readonly string[];
}

/** Where a piece of evidence stands: the exact passage, message, entry or memory. */
export interface SourceRef {
  readonly kind: "message" | "document" | "feed" | "memory" | "user";
  /** The passage, message, entry or memory id. */
  readonly id: string;
  /** The document, conversation or feed that it belongs to; deleting that deletes the evidence. */
  readonly sourceId: string;
  readonly title: string;
  /** "p. 14" */
  readonly place: string;
}

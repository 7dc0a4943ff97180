/** The five credibility signals, strength and urgency, from counted cues. A lower bound: cues that it misses count for nothing. */
import type { ReasoningType, Signals } from "../types.ts";
import { words } from "./lexicon.ts";

type Counts = Readonly<Record<string, number>>;

const full = (counts: Counts, weights: Readonly<Record<string, number>>): number => {
  let sum = 0;
  for (const [key, weight] of Object.entries(weights)) sum += weight * (1 - 0.5 ** (counts[key] ?? 0));
  return sum;
};
const clamp = (value: number): number => round(Math.min(1, Math.max(0, value)));

/** Each 0..1; more of a cue never lowers the signal it stands for. */
export function signalsOf(counts: Counts): Signals {
  const tokens = Math.max(1, counts["tokens"] ?? 1);
  const heat =
    (counts["exclamation"] ?? 0) +
    (counts["emotionWord"] ?? 0) +
    2 * (counts["plea"] ?? 0) +
    2 * (counts["threat"] ?? 0) +
    2 * (counts["insult"] ?? 0) +
    (counts["conform"] ?? 0) +
    (counts["conspiracy"] ?? 0) +
    (counts["shout"] ?? 0) * 0.5 +
    (counts["emoji"] ?? 0);
  return {
    specificity: clamp(
      full(counts, {
        numberUnit: 0.34,
        sample: 0.3,
        anyNumber: 0.24,
        decimal: 0.1,
        change: 0.16,
        properName: 0.14,
        dataSource: 0.1,
      }) +
        0.1 * Math.min(1, tokens / 40),
    ),
    grounding: clamp(
      full(counts, {
        method: 0.42,
        dataSource: 0.24,
        sample: 0.24,
        expertSays: 0.3,
        institutionSays: 0.26,
        thirdSaid: 0.12,
        resultVerb: 0.12,
        conditional: 0.1,
      }) - full(counts, { myths: 0.25, conspiracy: 0.2 }),
    ),
    rigor: clamp(
      full(counts, {
        interval: 0.36,
        statistics: 0.26,
        method: 0.22,
        sample: 0.16,
        sampleN: 0.16,
        outOf: 0.14,
        change: 0.14,
        logicStrong: 0.34,
        conditional: 0.2,
        soClause: 0.16,
        mustCannot: 0.12,
        causal: 0.1,
      }) - full(counts, { conform: 0.15, plea: 0.15 }),
    ),
    sourceQuality: clamp(
      0.12 +
        full(counts, {
          expertTitle: 0.34,
          expertSays: 0.2,
          institution: 0.26,
          institutionSays: 0.16,
          dataSource: 0.34,
          method: 0.22,
          interval: 0.14,
        }) -
        full(counts, { myths: 0.3, conspiracy: 0.25, relation: 0.12, insult: 0.1 }),
    ),
    objectivity: clamp(
      1 - Math.min(1, (heat / tokens) * 5) * 0.6 - 0.08 * heat - 0.05 * Math.min(3, counts["secondPerson"] ?? 0),
    ),
  };
}

/** What each kind of reasoning starts from, and the most it can reach. */
const range: Readonly<Record<ReasoningType, readonly [from: number, to: number]>> = {
  empirical_data: [0.36, 0.95],
  logical_argument: [0.3, 0.75],
  expert_opinion: [0.28, 0.62],
  anecdotal: [0.05, 0.24],
  social_pressure: [0.02, 0.16],
  emotional_appeal: [0.02, 0.16],
  debunked_claim: [0.01, 0.1],
  no_argument: [0, 0.2],
};

const mix: Readonly<Record<ReasoningType, Signals>> = {
  empirical_data: { specificity: 0.24, grounding: 0.26, rigor: 0.3, sourceQuality: 0.12, objectivity: 0.08 },
  logical_argument: { specificity: 0.08, grounding: 0.06, rigor: 0.6, sourceQuality: 0.06, objectivity: 0.2 },
  expert_opinion: { specificity: 0.16, grounding: 0.2, rigor: 0.12, sourceQuality: 0.42, objectivity: 0.1 },
  anecdotal: { specificity: 0.35, grounding: 0.25, rigor: 0.2, sourceQuality: 0.1, objectivity: 0.1 },
  social_pressure: { specificity: 0.3, grounding: 0.2, rigor: 0.2, sourceQuality: 0.2, objectivity: 0.1 },
  emotional_appeal: { specificity: 0.3, grounding: 0.2, rigor: 0.2, sourceQuality: 0.2, objectivity: 0.1 },
  debunked_claim: { specificity: 0.2, grounding: 0.2, rigor: 0.2, sourceQuality: 0.2, objectivity: 0.2 },
  no_argument: { specificity: 0.2, grounding: 0.3, rigor: 0.3, sourceQuality: 0.2, objectivity: 0 },
};

/**
 * Strength 0..1 of an item whose type is `type` with probability `sure`. Types that are hard to tell apart give less:
 * an unsure reading is a weak one.
 */
export function strengthOf(type: ReasoningType, signals: Signals, sure: number): number {
  const [from, to] = range[type];
  const weights = mix[type];
  let quality = 0;
  for (const key of Object.keys(weights) as (keyof Signals)[]) quality += weights[key] * signals[key];
  const trust = 0.7 + 0.3 * Math.min(1, sure);
  return round((from + (to - from) * quality) * trust);
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const urgent = words(
  "urgent | urgently | immediately | right now | now | today | tonight | this morning | breaking | alert | warning | recall | recalled | evacuate | evacuation | emergency | deadline | by tomorrow | tomorrow | at once | as soon as possible | asap | just announced | live | danger | do not drink | do not use | outage | outbreak | hours left | expires | last day | this week",
);

/** How soon it would matter, 0..1, from words of time and danger. */
export function urgencyOf(text: string): number {
  const hits = text.match(urgent)?.length ?? 0;
  return round(hits === 0 ? 0.05 : Math.min(1, 0.1 + 0.25 * hits));
}

/**
 * How a belief moves. Pure functions of a state and an event, so that a history replayed from the log gives the same
 * numbers to the last bit. No model output reaches a belief except as the inputs named here.
 */
import { evidenceTypes, type ReasoningType } from "./types.ts";

/** The size of a step before strength and confidence are taken into account. */
export const BASE_STEP = 0.2;
/** The gate: weaker items move nothing. */
export const LEAST_STRENGTH = 0.25;
/** No single item moves a belief by more than its type's cap times its strength. */
export const caps: Readonly<Record<ReasoningType, number>> = {
  empirical_data: 0.2,
  logical_argument: 0.1,
  expert_opinion: 0.08,
  anecdotal: 0.06,
  social_pressure: 0,
  emotional_appeal: 0,
  debunked_claim: 0,
  no_argument: 0,
};
/** The first interactions of a profile count half: one long evening must not make a world view. */
export const BOOTSTRAP_INTERACTIONS = 10;
export const BOOTSTRAP_FACTOR = 0.5;
/** After a change a belief moves at half size for this long. */
export const COOLING_MS = 12 * 3_600_000;
export const COOLING_FACTOR = 0.5;
/** New beliefs start between these, by the strength of their first evidence. */
export const LEAST_CONFIDENCE = 0.2;
export const MOST_FIRST_CONFIDENCE = 0.4;
const CONFIDENCE_CEILING = 0.95;
const CONFIDENCE_GAIN = 0.12;
/** Confidence falls only when contradiction has added up to this much, from at least so many items. */
export const CONTRACTION_AT = 1.2;
export const CONTRACTION_ITEMS = 3;
export const CONTRACTION_FACTOR = 0.75;
/** A belief that contraction has brought below this is retired: kept, shown, and left out of prompts. */
export const RETIRE_BELOW = 0.15;

const DAY_MS = 86_400_000;
/** Fading starts after this long without new evidence, and then follows a power law (Wixted and Ebbesen, 1991). */
export const FADE_AFTER_MS = 30 * DAY_MS;
export const FADE_SCALE_MS = 90 * DAY_MS;
export const FADE_EXPONENT = 0.5;
/** Below this share of its confidence a belief is shown as fading. */
export const FADING_SHARE = 0.85;

/** What the log can rebuild. Everything shown is derived from it. */
export interface BeliefState {
  /** -1 held false .. 1 held true */
  readonly valence: number;
  /** 0..1 as last reinforced; see `heldConfidence` for what is left of it now. */
  readonly confidence: number;
  readonly supports: number;
  readonly contradicts: number;
  /** Strength of the contradicting items since confidence last fell, and how many there were. */
  readonly contradiction: number;
  readonly contradictions: number;
  readonly createdAt: number;
  /** When valence last changed: starts the cooling. */
  readonly changedAt: number;
  /** When it was last confirmed by evidence or by the user: starts the fading. */
  readonly reinforcedAt: number;
  readonly retired: boolean;
}

export interface EvidenceEvent {
  readonly kind: "evidence";
  readonly at: number;
  readonly direction: 1 | -1;
  readonly strength: number;
  readonly type: ReasoningType;
  /** Which weighed item of this profile it was, from 1. */
  readonly interaction: number;
  /** Pinned beliefs do not fade; kept with the event so that a replay knows. */
  readonly pinned: boolean;
}

/** The user says "keep this": fading starts over. */
export interface RenewEvent {
  readonly kind: "renewed";
  readonly at: number;
}

export type BeliefEvent = EvidenceEvent | RenewEvent;

/** Every number of one step, for the equation that is shown and for the log. */
export interface Arithmetic {
  readonly direction: 1 | -1;
  readonly base: number;
  readonly strength: number;
  /** What the step was divided by, less one. */
  readonly confidence: number;
  /** Before cap, damping and cooling. */
  readonly raw: number;
  readonly cap: number;
  readonly capped: boolean;
  readonly damped: boolean;
  readonly cooling: boolean;
  /** The end of the scale was reached. */
  readonly saturated: boolean;
  readonly delta: number;
  /** Confidence fell because contradiction had added up. */
  readonly contracted: boolean;
}

export interface Step {
  readonly state: BeliefState;
  /** Null for events that move nothing. */
  readonly arithmetic: Arithmetic | null;
}

/** The gate, all three: an evidence type, strong enough, and recommended by the scorer. */
export function isAllowed(score: {
  reasoningType: ReasoningType;
  strength: number;
  recommendUpdate: boolean;
}): boolean {
  return evidenceTypes.has(score.reasoningType) && score.strength >= LEAST_STRENGTH && score.recommendUpdate;
}

/** Share of the confidence that is left after `idleMs` without new evidence, 0..1. */
export function retention(idleMs: number): number {
  const faded = Math.max(0, idleMs - FADE_AFTER_MS);
  return (1 + faded / FADE_SCALE_MS) ** -FADE_EXPONENT;
}

/** Confidence as it stands at `now`. The stored confidence is untouched: new evidence brings all of it back. */
export function heldConfidence(state: BeliefState, now: number, pinned: boolean): number {
  return pinned ? state.confidence : state.confidence * retention(now - state.reinforcedAt);
}

export function isFading(state: BeliefState, now: number, pinned: boolean): boolean {
  return !pinned && retention(now - state.reinforcedAt) < FADING_SHARE;
}

/** Half the width of the band around valence: narrow when confident, wider where evidence disagrees. */
export function uncertainty(confidence: number, supports: number, contradicts: number): number {
  const total = supports + contradicts;
  const conflict = total === 0 ? 0 : (2 * Math.min(supports, contradicts)) / total;
  return Math.min(1, 0.36 * (1 - confidence) + 0.08 * conflict);
}

/** One step. `before` is null for the event that forms the belief. */
export function apply(before: BeliefState | null, event: BeliefEvent): Step {
  if (event.kind === "renewed") {
    if (!before) throw new Error("A belief cannot be renewed before it was formed");
    return { state: { ...before, reinforcedAt: event.at }, arithmetic: null };
  }
  return revise(before, event);
}

function revise(before: BeliefState | null, event: EvidenceEvent): Step {
  const { direction, strength, type } = event;
  const start: BeliefState = before ?? {
    valence: 0,
    confidence: LEAST_CONFIDENCE + (MOST_FIRST_CONFIDENCE - LEAST_CONFIDENCE) * strength,
    supports: 0,
    contradicts: 0,
    contradiction: 0,
    contradictions: 0,
    createdAt: event.at,
    changedAt: event.at - COOLING_MS,
    reinforcedAt: event.at,
    retired: false,
  };
  const confidence = heldConfidence(start, event.at, event.pinned);
  const raw = (direction * BASE_STEP * strength) / (confidence + 1);
  const cap = caps[type] * strength;
  const capped = Math.abs(raw) > cap;
  const cooling = event.at - start.changedAt < COOLING_MS;
  const damped = event.interaction <= BOOTSTRAP_INTERACTIONS;
  let step = capped ? direction * cap : raw;
  if (damped) step *= BOOTSTRAP_FACTOR;
  if (cooling) step *= COOLING_FACTOR;
  const wished = start.valence + step;
  const valence = Math.min(1, Math.max(-1, wished));
  const moved = valence !== start.valence;

  const opposes = start.valence !== 0 && Math.sign(start.valence) !== direction;
  const gathered = opposes ? start.contradiction + strength : start.contradiction;
  const items = opposes ? start.contradictions + 1 : start.contradictions;
  const contracted = opposes && gathered >= CONTRACTION_AT && items >= CONTRACTION_ITEMS;
  let held = start.confidence;
  if (contracted) held *= CONTRACTION_FACTOR;
  else if (!opposes && before) {
    held += Math.max(0, CONFIDENCE_CEILING - held) * CONFIDENCE_GAIN * strength * (damped ? BOOTSTRAP_FACTOR : 1);
  }
  return {
    state: {
      valence,
      confidence: held,
      supports: start.supports + (direction === 1 ? 1 : 0),
      contradicts: start.contradicts + (direction === -1 ? 1 : 0),
      contradiction: contracted ? 0 : gathered,
      contradictions: contracted ? 0 : items,
      createdAt: start.createdAt,
      changedAt: moved ? event.at : start.changedAt,
      reinforcedAt: event.at,
      // New evidence on the belief's own side brings a retired belief back.
      retired: contracted ? held < RETIRE_BELOW : start.retired && opposes,
    },
    arithmetic: {
      direction,
      base: BASE_STEP,
      strength,
      confidence,
      raw,
      cap,
      capped,
      damped,
      cooling,
      saturated: wished !== valence,
      delta: valence - start.valence,
      contracted,
    },
  };
}

/** Rebuilds a belief from its events in order, one step an event; the state is null when nothing formed it. */
export function replay(events: readonly BeliefEvent[]): { state: BeliefState | null; steps: readonly (Step | null)[] } {
  let state: BeliefState | null = null;
  const steps: (Step | null)[] = [];
  for (const event of events) {
    // A renewal that came before what now is the first evidence (the earlier one was taken back) has nothing to renew.
    if (event.kind === "renewed" && state === null) {
      steps.push(null);
      continue;
    }
    const step = apply(state, event);
    state = step.state;
    steps.push(step);
  }
  return { state, steps };
}

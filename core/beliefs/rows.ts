/** Rows of the belief tables, and what they mean. */
import type { Arithmetic, BeliefEvent, BeliefState, EvidenceEvent } from "./arithmetic.ts";
import type { ReasoningType, SourceRef } from "./types.ts";

export interface BeliefRow {
  readonly id: string;
  readonly topic: string;
  readonly statement: string;
  readonly state: BeliefState;
  readonly pinned: boolean;
  readonly disputedAt: number | null;
  readonly disputeReason: string | null;
}

export interface EvidenceRow {
  readonly id: string;
  readonly beliefId: string;
  readonly source: SourceRef;
  readonly quote: string;
  readonly direction: 1 | -1;
  readonly strength: number;
  readonly type: ReasoningType;
  readonly scorer: string;
  readonly at: number;
  readonly removedAt: number | null;
}

export type RevisionKind =
  | "evidence"
  | "refused"
  | "renewed"
  | "edited"
  | "disputed"
  | "settled"
  | "pinned"
  | "unpinned";

export interface RevisionRow {
  readonly seq: number;
  readonly id: string;
  readonly beliefId: string;
  readonly kind: RevisionKind;
  readonly at: number;
  readonly evidenceId: string | null;
  readonly direction: 1 | -1 | null;
  readonly strength: number | null;
  readonly type: ReasoningType | null;
  readonly interaction: number | null;
  readonly pinned: boolean;
  readonly why: string;
  /** The old statement of an edit, the title of a refused item. */
  readonly detail: string;
  readonly undoneAt: number | null;
  readonly undoneWhy: string | null;
  readonly beforeValence: number | null;
  readonly afterValence: number | null;
  readonly beforeConfidence: number | null;
  readonly afterConfidence: number | null;
  readonly arithmetic: Arithmetic | null;
}

export interface NewEvidence {
  readonly source: SourceRef;
  readonly quote: string;
  readonly direction: 1 | -1;
  readonly strength: number;
  readonly type: ReasoningType;
  readonly scorer: string;
  readonly at: number;
  readonly interaction: number;
  readonly why: string;
}

export interface RawBelief {
  id: string;
  topic: string;
  statement: string;
  valence: number;
  confidence: number;
  supports: number;
  contradicts: number;
  contradiction: number;
  contradictions: number;
  created_at: number;
  changed_at: number;
  reinforced_at: number;
  retired: number;
  pinned: number;
  disputed_at: number | null;
  dispute_reason: string | null;
}

export interface RawRevision {
  seq: number;
  id: string;
  belief_id: string;
  kind: RevisionKind;
  at: number;
  evidence_id: string | null;
  direction: 1 | -1 | null;
  strength: number | null;
  type: ReasoningType | null;
  interaction: number | null;
  pinned: number;
  why: string;
  detail: string;
  undone_at: number | null;
  undone_why: string | null;
  before_valence: number | null;
  after_valence: number | null;
  before_confidence: number | null;
  after_confidence: number | null;
  arithmetic: string | null;
}

export interface RawEvidence {
  id: string;
  belief_id: string;
  kind: SourceRef["kind"];
  ref_id: string;
  source_id: string;
  title: string;
  place: string;
  quote: string;
  direction: 1 | -1;
  strength: number;
  type: ReasoningType;
  scorer: string;
  at: number;
  removed_at: number | null;
}

export const toBelief = (raw: RawBelief): BeliefRow => ({
  id: raw.id,
  topic: raw.topic,
  statement: raw.statement,
  state: {
    valence: raw.valence,
    confidence: raw.confidence,
    supports: raw.supports,
    contradicts: raw.contradicts,
    contradiction: raw.contradiction,
    contradictions: raw.contradictions,
    createdAt: raw.created_at,
    changedAt: raw.changed_at,
    reinforcedAt: raw.reinforced_at,
    retired: raw.retired === 1,
  },
  pinned: raw.pinned === 1,
  disputedAt: raw.disputed_at,
  disputeReason: raw.dispute_reason,
});

export const toRevision = (raw: RawRevision): RevisionRow => ({
  seq: raw.seq,
  id: raw.id,
  beliefId: raw.belief_id,
  kind: raw.kind,
  at: raw.at,
  evidenceId: raw.evidence_id,
  direction: raw.direction,
  strength: raw.strength,
  type: raw.type,
  interaction: raw.interaction,
  pinned: raw.pinned === 1,
  why: raw.why,
  detail: raw.detail,
  undoneAt: raw.undone_at,
  undoneWhy: raw.undone_why,
  beforeValence: raw.before_valence,
  afterValence: raw.after_valence,
  beforeConfidence: raw.before_confidence,
  afterConfidence: raw.after_confidence,
  arithmetic: raw.arithmetic === null ? null : (JSON.parse(raw.arithmetic) as Arithmetic),
});

export const toEvidence = (raw: RawEvidence): EvidenceRow => ({
  id: raw.id,
  beliefId: raw.belief_id,
  source: { kind: raw.kind, id: raw.ref_id, sourceId: raw.source_id, title: raw.title, place: raw.place },
  quote: raw.quote,
  direction: raw.direction,
  strength: raw.strength,
  type: raw.type,
  scorer: raw.scorer,
  at: raw.at,
  removedAt: raw.removed_at,
});

/** What the log says about a row of `belief_revisions`; null for rows that move nothing. */
export function eventOf(row: RevisionRow): BeliefEvent | null {
  if (row.undoneAt !== null) return null;
  if (row.kind === "renewed") return { kind: "renewed", at: row.at };
  if (row.kind !== "evidence") return null;
  return {
    kind: "evidence",
    at: row.at,
    direction: row.direction!,
    strength: row.strength!,
    type: row.type!,
    interaction: row.interaction!,
    pinned: row.pinned,
  };
}

export function stateColumns(state: BeliefState): (number | string)[] {
  return [
    state.valence,
    state.confidence,
    state.supports,
    state.contradicts,
    state.contradiction,
    state.contradictions,
    state.createdAt,
    state.changedAt,
    state.reinforcedAt,
    state.retired ? 1 : 0,
  ];
}

export function evidenceEvent(evidence: NewEvidence, pinned: boolean): EvidenceEvent {
  const { at, direction, strength, type, interaction } = evidence;
  return { kind: "evidence", at, direction, strength, type, interaction, pinned };
}

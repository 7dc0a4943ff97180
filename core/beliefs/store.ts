/**
 * Beliefs in SQLite. Every change is one transaction and at least one row of the log; the numbers in `beliefs` are what
 * the log rebuilds, always. Undoing a row replays the rest, so the result equals never having applied it.
 */
import { CredenceError } from "../contract/index.ts";
import { newId } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import {
  type Arithmetic,
  apply,
  type BeliefEvent,
  type BeliefState,
  type EvidenceEvent,
  replay,
} from "./arithmetic.ts";
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

interface RawBelief {
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

interface RawRevision {
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

interface RawEvidence {
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

const toBelief = (raw: RawBelief): BeliefRow => ({
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

const toRevision = (raw: RawRevision): RevisionRow => ({
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

const toEvidence = (raw: RawEvidence): EvidenceRow => ({
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

const live = "deleted_at IS NULL";

export class BeliefStore {
  readonly #db: WritableDatabase;

  constructor(db: WritableDatabase) {
    this.#db = db;
  }

  get db(): WritableDatabase {
    return this.#db;
  }

  all(): BeliefRow[] {
    return this.#db.read<RawBelief>(`SELECT * FROM beliefs WHERE ${live}`).all().map(toBelief);
  }

  count(): number {
    return this.#db.read<{ n: number }>(`SELECT count(*) AS n FROM beliefs WHERE ${live}`).get()!.n;
  }

  find(id: string): BeliefRow | null {
    const raw = this.#db.read<RawBelief>(`SELECT * FROM beliefs WHERE id = ? AND ${live}`).get(id);
    return raw ? toBelief(raw) : null;
  }

  get(id: string): BeliefRow {
    const belief = this.find(id);
    if (!belief) throw new CredenceError("general.not-found", { what: "belief", id });
    return belief;
  }

  topics(): string[] {
    return this.#db
      .read<{ topic: string }>(
        `SELECT topic, count(*) AS n FROM beliefs WHERE ${live} GROUP BY topic ORDER BY n DESC, topic`,
      )
      .all()
      .map((row) => row.topic);
  }

  evidence(beliefId: string): EvidenceRow[] {
    return this.#db
      .read<RawEvidence>(
        "SELECT * FROM belief_evidence WHERE belief_id = ? AND removed_at IS NULL ORDER BY at DESC, strength DESC",
      )
      .all(beliefId)
      .map(toEvidence);
  }

  evidenceById(id: string): EvidenceRow | null {
    const raw = this.#db.read<RawEvidence>("SELECT * FROM belief_evidence WHERE id = ?").get(id);
    return raw ? toEvidence(raw) : null;
  }

  /** Edges that stand on any of these passages, messages or entries, or on anything of these sources. */
  /** Passages, messages or entries of a kind that beliefs stand on now. */
  evidenceSources(kind: SourceRef["kind"]): string[] {
    return this.#db
      .read<{ ref_id: string }>("SELECT DISTINCT ref_id FROM belief_evidence WHERE kind = ? AND removed_at IS NULL")
      .all(kind)
      .map((row) => row.ref_id);
  }

  evidenceOn(where: { refIds?: readonly string[]; source?: { kind: SourceRef["kind"]; id: string } }): EvidenceRow[] {
    const found = new Map<string, EvidenceRow>();
    for (const ref of where.refIds ?? []) {
      const rows = this.#db
        .read<RawEvidence>("SELECT * FROM belief_evidence WHERE ref_id = ? AND removed_at IS NULL")
        .all(ref);
      for (const raw of rows) found.set(raw.id, toEvidence(raw));
    }
    if (where.source) {
      const rows = this.#db
        .read<RawEvidence>("SELECT * FROM belief_evidence WHERE kind = ? AND source_id = ? AND removed_at IS NULL")
        .all(where.source.kind, where.source.id);
      for (const raw of rows) found.set(raw.id, toEvidence(raw));
    }
    return [...found.values()].filter((row) => this.find(row.beliefId) !== null);
  }

  /** Beliefs that have evidence among these passages, messages or entries. */
  standingOn(refIds: readonly string[]): BeliefRow[] {
    return this.#db
      .read<RawBelief>(
        `SELECT * FROM beliefs WHERE ${live} AND id IN (
           SELECT e.belief_id FROM json_each(?) j JOIN belief_evidence e ON e.ref_id = j.value WHERE e.removed_at IS NULL)`,
      )
      .all(JSON.stringify(refIds))
      .map(toBelief);
  }

  revisions(beliefId: string): RevisionRow[] {
    return this.#db
      .read<RawRevision>("SELECT * FROM belief_revisions WHERE belief_id = ? ORDER BY seq")
      .all(beliefId)
      .map(toRevision);
  }

  revision(id: string): RevisionRow {
    const raw = this.#db.read<RawRevision>("SELECT * FROM belief_revisions WHERE id = ?").get(id);
    if (!raw) throw new CredenceError("general.not-found", { what: "revision", id });
    return toRevision(raw);
  }

  /** The newest rows of the whole log, a page at a time. */
  log(options: { before: number | null; limit: number; since?: number }): RevisionRow[] {
    return this.#db
      .read<RawRevision>(
        `SELECT r.* FROM belief_revisions r JOIN beliefs b ON b.id = r.belief_id
         WHERE b.deleted_at IS NULL AND r.seq < ? AND r.at >= ? ORDER BY r.seq DESC LIMIT ?`,
      )
      .all(options.before ?? Number.MAX_SAFE_INTEGER, options.since ?? 0, options.limit)
      .map(toRevision);
  }

  logSize(): number {
    return this.#db
      .read<{ n: number }>(
        "SELECT count(*) AS n FROM belief_revisions r JOIN beliefs b ON b.id = r.belief_id WHERE b.deleted_at IS NULL",
      )
      .get()!.n;
  }

  /** Forms a belief on its first evidence. */
  form(
    statement: string,
    topic: string,
    evidence: NewEvidence,
    beliefId = newId("bel", evidence.at),
  ): { belief: BeliefRow; revision: RevisionRow } {
    return this.#db.transaction(() => {
      const event = evidenceEvent(evidence, false);
      const { state } = apply(null, event);
      this.#db
        .write(
          `INSERT INTO beliefs (id, topic, statement, valence, confidence, supports, contradicts, contradiction,
             contradictions, created_at, changed_at, reinforced_at, retired)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(beliefId, topic, statement, ...stateColumns(state));
      const revision = this.#append(beliefId, evidence, event, null);
      return { belief: this.get(beliefId), revision };
    });
  }

  /** One item moves one belief: an edge, a log row, the new numbers, in one transaction. */
  revise(beliefId: string, evidence: NewEvidence): { belief: BeliefRow; revision: RevisionRow } {
    return this.#db.transaction(() => {
      const before = this.get(beliefId);
      const event = evidenceEvent(evidence, before.pinned);
      const { state } = apply(before.state, event);
      const revision = this.#append(beliefId, evidence, event, before.state);
      this.#setState(beliefId, state);
      return { belief: this.get(beliefId), revision };
    });
  }

  #append(beliefId: string, evidence: NewEvidence, event: EvidenceEvent, before: BeliefState | null): RevisionRow {
    const evidenceId = newId("evd", evidence.at);
    const { source } = evidence;
    this.#db
      .write(
        `INSERT INTO belief_evidence (id, belief_id, kind, ref_id, source_id, title, place, quote, direction, strength, type, scorer, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        evidenceId,
        beliefId,
        source.kind,
        source.id,
        source.sourceId,
        source.title,
        source.place,
        evidence.quote,
        evidence.direction,
        evidence.strength,
        evidence.type,
        evidence.scorer,
        evidence.at,
      );
    const { state, arithmetic } = apply(before, event);
    const id = newId("rev", evidence.at);
    this.#db
      .write(
        `INSERT INTO belief_revisions (id, belief_id, kind, at, evidence_id, direction, strength, type, interaction, pinned,
           why, before_valence, after_valence, before_confidence, after_confidence, arithmetic)
         VALUES (?, ?, 'evidence', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        beliefId,
        event.at,
        evidenceId,
        event.direction,
        event.strength,
        event.type,
        event.interaction,
        event.pinned ? 1 : 0,
        evidence.why,
        before?.valence ?? null,
        state.valence,
        before?.confidence ?? null,
        state.confidence,
        JSON.stringify(arithmetic),
      );
    return this.revision(id);
  }

  /** A row that moves nothing: a refusal, an edit, a dispute, a pin. */
  note(
    beliefId: string,
    row: {
      readonly kind: Exclude<RevisionKind, "evidence">;
      readonly at: number;
      readonly why: string;
      readonly detail?: string;
      readonly type?: ReasoningType;
      readonly strength?: number;
    },
  ): RevisionRow {
    const { state } = this.get(beliefId);
    const id = newId("rev", row.at);
    this.#db
      .write(
        `INSERT INTO belief_revisions (id, belief_id, kind, at, type, strength, why, detail, before_valence, after_valence,
           before_confidence, after_confidence) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        beliefId,
        row.kind,
        row.at,
        row.type ?? null,
        row.strength ?? null,
        row.why,
        row.detail ?? "",
        state.valence,
        state.valence,
        state.confidence,
        state.confidence,
      );
    if (row.kind === "renewed") this.#setState(beliefId, apply(state, { kind: "renewed", at: row.at }).state);
    return this.revision(id);
  }

  setFlags(
    beliefId: string,
    flags: {
      pinned?: boolean;
      disputedAt?: number | null;
      disputeReason?: string | null;
      statement?: string;
      topic?: string;
    },
  ): void {
    const before = this.get(beliefId);
    this.#db
      .write(
        "UPDATE beliefs SET pinned = ?, disputed_at = ?, dispute_reason = ?, statement = ?, topic = ? WHERE id = ?",
      )
      .run(
        (flags.pinned ?? before.pinned) ? 1 : 0,
        flags.disputedAt === undefined ? before.disputedAt : flags.disputedAt,
        flags.disputeReason === undefined ? before.disputeReason : flags.disputeReason,
        flags.statement ?? before.statement,
        flags.topic ?? before.topic,
        beliefId,
      );
  }

  setDeleted(beliefId: string, at: number | null): void {
    this.#db.write("UPDATE beliefs SET deleted_at = ? WHERE id = ?").run(at, beliefId);
  }

  /** What the belief would be if these rows had never been applied; null when nothing would be left of it. */
  without(beliefId: string, revisionIds: ReadonlySet<string>): BeliefState | null {
    const events = this.revisions(beliefId).flatMap((row) => (revisionIds.has(row.id) ? [] : (eventOf(row) ?? [])));
    return replay(events).state;
  }

  /** Takes rows out of the history, or puts them back, and replays the rest. A belief that nothing forms any more is deleted. */
  setUndone(
    beliefId: string,
    revisionIds: readonly string[],
    undone: { at: number; why: string } | null,
  ): BeliefRow | null {
    return this.#db.transaction(() => {
      for (const id of revisionIds) {
        this.#db
          .write("UPDATE belief_revisions SET undone_at = ?, undone_why = ? WHERE id = ? AND belief_id = ?")
          .run(undone?.at ?? null, undone?.why ?? null, id, beliefId);
        this.#db
          .write(
            "UPDATE belief_evidence SET removed_at = ? WHERE id = (SELECT evidence_id FROM belief_revisions WHERE id = ?)",
          )
          .run(undone?.at ?? null, id);
      }
      const state = this.rebuild(beliefId);
      if (!state) {
        this.setDeleted(beliefId, undone?.at ?? null);
        return null;
      }
      this.setDeleted(beliefId, null);
      return this.find(beliefId);
    });
  }

  /** Replays the log of one belief into the table, and writes each row's before and after anew. */
  rebuild(beliefId: string): BeliefState | null {
    let state: BeliefState | null = null;
    for (const row of this.revisions(beliefId)) {
      const event = eventOf(row);
      const before: BeliefState | null = state;
      let arithmetic: Arithmetic | null = null;
      if (event && !(event.kind === "renewed" && state === null)) ({ state, arithmetic } = apply(state, event));
      if (row.undoneAt !== null) continue;
      this.#db
        .write(
          `UPDATE belief_revisions SET before_valence = ?, after_valence = ?, before_confidence = ?, after_confidence = ?,
             arithmetic = ? WHERE seq = ?`,
        )
        .run(
          before?.valence ?? null,
          state?.valence ?? null,
          before?.confidence ?? null,
          state?.confidence ?? null,
          arithmetic ? JSON.stringify(arithmetic) : null,
          row.seq,
        );
    }
    if (state) this.#setState(beliefId, state);
    return state;
  }

  #setState(beliefId: string, state: BeliefState): void {
    this.#db
      .write(
        `UPDATE beliefs SET valence = ?, confidence = ?, supports = ?, contradicts = ?, contradiction = ?, contradictions = ?,
           created_at = ?, changed_at = ?, reinforced_at = ?, retired = ? WHERE id = ?`,
      )
      .run(...stateColumns(state), beliefId);
  }

  /** Counts weighed items of this profile, from 1. */
  nextInteraction(): number {
    this.#db
      .write(
        "INSERT INTO belief_counters (key, value) VALUES ('interactions', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1",
      )
      .run();
    return this.#db.read<{ value: number }>("SELECT value FROM belief_counters WHERE key = 'interactions'").get()!
      .value;
  }

  /** Deleted beliefs go for good. */
  purge(before: number): number {
    return this.#db.write("DELETE FROM beliefs WHERE deleted_at IS NOT NULL AND deleted_at <= ?").run(before).changes;
  }
}

function stateColumns(state: BeliefState): (number | string)[] {
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

function evidenceEvent(evidence: NewEvidence, pinned: boolean): EvidenceEvent {
  const { at, direction, strength, type, interaction } = evidence;
  return { kind: "evidence", at, direction, strength, type, interaction, pinned };
}

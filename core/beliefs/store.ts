/**
 * Beliefs in SQLite. Every change is one transaction and at least one row of the log; the numbers in `beliefs` are what
 * the log rebuilds, always. Undoing a row replays the rest, so the result equals never having applied it.
 */
import { newId } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { type Arithmetic, apply, type BeliefState, type EvidenceEvent } from "./arithmetic.ts";
import { BeliefReader } from "./reader.ts";
import {
  type BeliefRow,
  eventOf,
  evidenceEvent,
  type NewEvidence,
  type RevisionKind,
  type RevisionRow,
  stateColumns,
} from "./rows.ts";
import type { ReasoningType } from "./types.ts";

export class BeliefStore extends BeliefReader<WritableDatabase> {
  /** Forms a belief on its first evidence. */
  form(
    statement: string,
    topic: string,
    evidence: NewEvidence,
    beliefId = newId("bel", evidence.at),
  ): { belief: BeliefRow; revision: RevisionRow } {
    return this.db.transaction(() => {
      const event = evidenceEvent(evidence, false);
      const { state } = apply(null, event);
      this.db
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
    return this.db.transaction(() => {
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
    this.db
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
    this.db
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
    this.db
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
    this.db
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
    this.db.write("UPDATE beliefs SET deleted_at = ? WHERE id = ?").run(at, beliefId);
  }

  /** Takes rows out of the history, or puts them back, and replays the rest. A belief that nothing forms any more is deleted. */
  setUndone(
    beliefId: string,
    revisionIds: readonly string[],
    undone: { at: number; why: string } | null,
  ): BeliefRow | null {
    return this.db.transaction(() => {
      for (const id of revisionIds) {
        this.db
          .write("UPDATE belief_revisions SET undone_at = ?, undone_why = ? WHERE id = ? AND belief_id = ?")
          .run(undone?.at ?? null, undone?.why ?? null, id, beliefId);
        this.db
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
      this.db
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
    this.db
      .write(
        `UPDATE beliefs SET valence = ?, confidence = ?, supports = ?, contradicts = ?, contradiction = ?, contradictions = ?,
           created_at = ?, changed_at = ?, reinforced_at = ?, retired = ? WHERE id = ?`,
      )
      .run(...stateColumns(state), beliefId);
  }

  /** Counts weighed items of this profile, from 1. */
  nextInteraction(): number {
    this.db
      .write(
        "INSERT INTO belief_counters (key, value) VALUES ('interactions', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1",
      )
      .run();
    return this.db.read<{ value: number }>("SELECT value FROM belief_counters WHERE key = 'interactions'").get()!.value;
  }

  /** Deleted beliefs go for good. */
  purge(before: number): number {
    return this.db.write("DELETE FROM beliefs WHERE deleted_at IS NOT NULL AND deleted_at <= ?").run(before).changes;
  }
}

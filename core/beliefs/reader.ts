/** Beliefs, their evidence and their log, for reading. */
import { CredenceError } from "../contract/index.ts";
import type { ReadableDatabase } from "../storage/index.ts";
import { type BeliefState, replay } from "./arithmetic.ts";
import {
  type BeliefRow,
  type EvidenceRow,
  eventOf,
  type RawBelief,
  type RawEvidence,
  type RawRevision,
  type RevisionRow,
  toBelief,
  toEvidence,
  toRevision,
} from "./rows.ts";
import type { SourceRef } from "./types.ts";

const live = "deleted_at IS NULL";

export class BeliefReader<Database extends ReadableDatabase = ReadableDatabase> {
  readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  all(): BeliefRow[] {
    return this.db.read<RawBelief>(`SELECT * FROM beliefs WHERE ${live}`).all().map(toBelief);
  }

  count(): number {
    return this.db.read<{ n: number }>(`SELECT count(*) AS n FROM beliefs WHERE ${live}`).get()!.n;
  }

  find(id: string): BeliefRow | null {
    const raw = this.db.read<RawBelief>(`SELECT * FROM beliefs WHERE id = ? AND ${live}`).get(id);
    return raw ? toBelief(raw) : null;
  }

  get(id: string): BeliefRow {
    const belief = this.find(id);
    if (!belief) throw new CredenceError("general.not-found", { what: "belief", id });
    return belief;
  }

  topics(): string[] {
    return this.db
      .read<{ topic: string }>(
        `SELECT topic, count(*) AS n FROM beliefs WHERE ${live} GROUP BY topic ORDER BY n DESC, topic`,
      )
      .all()
      .map((row) => row.topic);
  }

  evidence(beliefId: string): EvidenceRow[] {
    return this.db
      .read<RawEvidence>(
        "SELECT * FROM belief_evidence WHERE belief_id = ? AND removed_at IS NULL ORDER BY at DESC, strength DESC",
      )
      .all(beliefId)
      .map(toEvidence);
  }

  evidenceById(id: string): EvidenceRow | null {
    const raw = this.db.read<RawEvidence>("SELECT * FROM belief_evidence WHERE id = ?").get(id);
    return raw ? toEvidence(raw) : null;
  }

  /** Edges that stand on any of these passages, messages or entries, or on anything of these sources. */
  /** Passages, messages or entries of a kind that beliefs stand on now. */
  evidenceSources(kind: SourceRef["kind"]): string[] {
    return this.db
      .read<{ ref_id: string }>("SELECT DISTINCT ref_id FROM belief_evidence WHERE kind = ? AND removed_at IS NULL")
      .all(kind)
      .map((row) => row.ref_id);
  }

  evidenceOn(where: { refIds?: readonly string[]; source?: { kind: SourceRef["kind"]; id: string } }): EvidenceRow[] {
    const found = new Map<string, EvidenceRow>();
    for (const ref of where.refIds ?? []) {
      const rows = this.db
        .read<RawEvidence>("SELECT * FROM belief_evidence WHERE ref_id = ? AND removed_at IS NULL")
        .all(ref);
      for (const raw of rows) found.set(raw.id, toEvidence(raw));
    }
    if (where.source) {
      const rows = this.db
        .read<RawEvidence>("SELECT * FROM belief_evidence WHERE kind = ? AND source_id = ? AND removed_at IS NULL")
        .all(where.source.kind, where.source.id);
      for (const raw of rows) found.set(raw.id, toEvidence(raw));
    }
    return [...found.values()].filter((row) => this.find(row.beliefId) !== null);
  }

  /** Beliefs that have evidence among these passages, messages or entries. */
  standingOn(refIds: readonly string[]): BeliefRow[] {
    return this.db
      .read<RawBelief>(
        `SELECT * FROM beliefs WHERE ${live} AND id IN (
           SELECT e.belief_id FROM json_each(?) j JOIN belief_evidence e ON e.ref_id = j.value WHERE e.removed_at IS NULL)`,
      )
      .all(JSON.stringify(refIds))
      .map(toBelief);
  }

  revisions(beliefId: string): RevisionRow[] {
    return this.db
      .read<RawRevision>("SELECT * FROM belief_revisions WHERE belief_id = ? ORDER BY seq")
      .all(beliefId)
      .map(toRevision);
  }

  revision(id: string): RevisionRow {
    const raw = this.db.read<RawRevision>("SELECT * FROM belief_revisions WHERE id = ?").get(id);
    if (!raw) throw new CredenceError("general.not-found", { what: "revision", id });
    return toRevision(raw);
  }

  /** The newest rows of the whole log, a page at a time. */
  log(options: { before: number | null; limit: number; since?: number }): RevisionRow[] {
    return this.db
      .read<RawRevision>(
        `SELECT r.* FROM belief_revisions r JOIN beliefs b ON b.id = r.belief_id
         WHERE b.deleted_at IS NULL AND r.seq < ? AND r.at >= ? ORDER BY r.seq DESC LIMIT ?`,
      )
      .all(options.before ?? Number.MAX_SAFE_INTEGER, options.since ?? 0, options.limit)
      .map(toRevision);
  }

  logSize(): number {
    return this.db
      .read<{ n: number }>(
        "SELECT count(*) AS n FROM belief_revisions r JOIN beliefs b ON b.id = r.belief_id WHERE b.deleted_at IS NULL",
      )
      .get()!.n;
  }

  /** What the belief would be if these rows had never been applied; null when nothing would be left of it. */
  without(beliefId: string, revisionIds: ReadonlySet<string>): BeliefState | null {
    const events = this.revisions(beliefId).flatMap((row) => (revisionIds.has(row.id) ? [] : (eventOf(row) ?? [])));
    return replay(events).state;
  }
}

import { z } from "zod";
import { BeliefNote, CredenceError, type Job, type JobState } from "../contract/index.ts";
import { type Clock, newId } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";

/** What is handed in: the words of one item and where they came from. */
export interface Submission {
  readonly kind: Job["kind"];
  readonly sourceId: string;
  /** The feed or document that it belongs to: deleting that takes the evidence back. */
  readonly containerId: string;
  /** The feed's or collection's name. */
  readonly from: string;
  readonly title: string;
  readonly text: string;
  readonly publishedAt: number;
}

interface JobRow {
  readonly seq: number;
  readonly id: string;
  readonly kind: Job["kind"];
  readonly source_id: string;
  readonly container_id: string;
  readonly origin: string;
  readonly title: string;
  readonly text: string;
  readonly published_at: number;
  readonly state: JobState;
  readonly insist: number;
  readonly reason: string | null;
  readonly strength: number | null;
  readonly reasoning_type: string | null;
  readonly beliefs: string;
  readonly tokens: number;
  readonly attempts: number;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
}

export interface OpenJob extends Submission {
  readonly id: string;
  readonly attempts: number;
  /** The user asked for it: triage may not skip it. */
  readonly insist: boolean;
}

export interface JobEnd {
  readonly state: "done" | "skipped" | "failed" | "cancelled";
  readonly reason: string | null;
  readonly strength?: number | null;
  readonly reasoningType?: string | null;
  readonly beliefs?: readonly BeliefNote[];
  readonly tokens?: number;
}

/** Ended jobs are kept this long, newest 2,000 at most: the trail from a belief to its evidence lives elsewhere. */
const KEEP_ENDED = 2_000;

/** Jobs in the database. A job exists once per source item: handing the same item in again gives the same job. */
export class JobStore {
  readonly #db: WritableDatabase;
  readonly #clock: Clock;

  constructor(deps: { db: WritableDatabase; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  waiting(): number {
    return this.#db.read<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE state = 'waiting'").get()!.n;
  }

  /** The job of an item that was handed in before, or null. */
  find(kind: Job["kind"], sourceId: string): Job | null {
    const row = this.#db.read<JobRow>("SELECT * FROM jobs WHERE kind = ? AND source_id = ?").get(kind, sourceId);
    return row ? toJob(row) : null;
  }

  add(item: Submission): Job {
    const now = this.#clock.now();
    const id = newId("job", now);
    this.#db
      .write(
        "INSERT INTO jobs (id, kind, source_id, container_id, origin, title, text, published_at, state, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?)",
      )
      .run(id, item.kind, item.sourceId, item.containerId, item.from, item.title, item.text, item.publishedAt, now);
    return this.get(id);
  }

  get(id: string): Job {
    const row = this.#db.read<JobRow>("SELECT * FROM jobs WHERE id = ?").get(id);
    if (!row) throw new CredenceError("general.not-found", { what: "job", id });
    return toJob(row);
  }

  /** Open jobs first in the order they will run, then ended ones, newest first. */
  list(states: readonly JobState[] | null, limit: number): Job[] {
    return this.#db
      .read<JobRow>(
        `SELECT * FROM jobs WHERE (? IS NULL OR state IN (SELECT value FROM json_each(?)))
         ORDER BY ended_at IS NOT NULL, CASE WHEN ended_at IS NULL THEN seq END, ended_at DESC, seq DESC LIMIT ?`,
      )
      .all(states ? 1 : null, JSON.stringify(states ?? []), limit)
      .map(toJob);
  }

  next(): OpenJob | null {
    const row = this.#db
      .read<JobRow>("SELECT * FROM jobs WHERE state = 'waiting' ORDER BY insist DESC, seq LIMIT 1")
      .get();
    return row
      ? {
          id: row.id,
          kind: row.kind,
          sourceId: row.source_id,
          containerId: row.container_id,
          from: row.origin,
          title: row.title,
          text: row.text,
          publishedAt: row.published_at,
          attempts: row.attempts,
          insist: row.insist === 1,
        }
      : null;
  }

  begin(id: string, state: "weighing" | "working"): void {
    this.#db
      .write(
        "UPDATE jobs SET state = ?, started_at = coalesce(started_at, ?), attempts = attempts + (? = 'weighing') WHERE id = ?",
      )
      .run(state, this.#clock.now(), state, id);
  }

  /** Puts a job back in its place, as if it had not begun: the user came first. */
  putBack(id: string): void {
    this.#db
      .write("UPDATE jobs SET state = 'waiting', started_at = NULL, attempts = max(0, attempts - 1) WHERE id = ?")
      .run(id);
  }

  end(id: string, end: JobEnd): void {
    this.#db
      .write(
        "UPDATE jobs SET state = ?, reason = ?, strength = ?, reasoning_type = ?, beliefs = ?, tokens = ?, ended_at = ? WHERE id = ?",
      )
      .run(
        end.state,
        end.reason,
        end.strength ?? null,
        end.reasoningType ?? null,
        JSON.stringify(end.beliefs ?? []),
        end.tokens ?? 0,
        this.#clock.now(),
        id,
      );
    this.#db
      .write(
        "DELETE FROM jobs WHERE ended_at IS NOT NULL AND seq NOT IN (SELECT seq FROM jobs WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT ?)",
      )
      .run(KEEP_ENDED);
  }

  reopen(id: string, insist: boolean): void {
    this.#db
      .write(
        "UPDATE jobs SET state = 'waiting', insist = ?, reason = NULL, started_at = NULL, ended_at = NULL WHERE id = ?",
      )
      .run(insist ? 1 : 0, id);
  }

  /** After a crash: what was under way waits again. A job that was under way three times is given up. */
  recover(): void {
    this.#db
      .write(
        "UPDATE jobs SET state = 'failed', reason = ?, ended_at = ? WHERE state IN ('weighing', 'working') AND attempts >= 3",
      )
      .run("Credence stopped three times in the middle of it.", this.#clock.now());
    this.#db.write("UPDATE jobs SET state = 'waiting', started_at = NULL WHERE state IN ('weighing', 'working')").run();
  }

  /** Tokens spent by jobs that ended after a time. */
  tokensSince(time: number): number {
    return (
      this.#db.read<{ n: number | null }>("SELECT sum(tokens) AS n FROM jobs WHERE ended_at > ?").get(time)?.n ?? 0
    );
  }
}

function toJob(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    sourceId: row.source_id,
    title: row.title,
    from: row.origin,
    state: row.state,
    reason: row.reason,
    strength: row.strength,
    reasoningType: row.reasoning_type,
    beliefs: readNotes(row.beliefs),
    tokens: row.tokens,
    attempts: row.attempts,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}

function readNotes(text: string): BeliefNote[] {
  try {
    return z.array(BeliefNote).parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Beliefs, their log and their snapshots as the window and the tools see them. Changes nothing. */
import type { BeliefSummary, BeliefView, Result, Snapshot } from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";
import type { BeliefReader } from "./reader.ts";
import type { BeliefRow, EvidenceRow, RevisionRow } from "./rows.ts";
import { changeWords, type Snapshots } from "./snapshot.ts";
import type { SourceRef } from "./types.ts";
import {
  digestWords,
  evidenceView,
  inView,
  matches,
  order,
  recentOf,
  revisionView,
  settledBy,
  summaryOf,
  views,
} from "./views.ts";
import { topicTitle, typeWords } from "./words.ts";

export class Overview {
  readonly #store: BeliefReader;
  readonly #snapshots: Snapshots;
  readonly #clock: Clock;

  constructor(store: BeliefReader, snapshots: Snapshots, clock: Clock) {
    this.#store = store;
    this.#snapshots = snapshots;
    this.#clock = clock;
  }

  /** A page of beliefs with the counts of every view and topic. */
  list(params: {
    view?: BeliefView | undefined;
    topic?: string | undefined;
    query?: string | undefined;
    sort?: keyof typeof order | undefined;
    offset?: number | undefined;
    limit?: number | undefined;
  }): Result<"beliefs.list"> {
    const now = this.#clock.now();
    const recent = recentOf(this.#store, now);
    const all = this.#store.all().map((belief) => summaryOf(belief, now, recent));
    const counts = Object.fromEntries(
      views.map((view) => [view, all.filter((belief) => inView(belief, view, now)).length]),
    ) as Result<"beliefs.list">["counts"];
    const byTopic = new Map<string, number>();
    for (const belief of all) {
      if (!belief.retired) byTopic.set(belief.topic, (byTopic.get(belief.topic) ?? 0) + 1);
    }
    const found = all
      .filter((belief) => inView(belief, params.view ?? "all", now))
      .filter((belief) => params.topic === undefined || belief.topic === params.topic)
      .filter((belief) => !params.query || matches(belief, params.query))
      .sort((a, b) => order[params.sort ?? "change"](a, b) || a.id.localeCompare(b.id));
    const offset = params.offset ?? 0;
    return {
      beliefs: found.slice(offset, offset + (params.limit ?? 200)),
      total: found.length,
      counts,
      topics: [...byTopic]
        .map(([topic, count]) => ({ topic, title: topicTitle(topic), count }))
        .sort((a, b) => b.count - a.count || a.title.localeCompare(b.title)),
      revisions: this.#store.logSize(),
      snapshotVersion: this.#snapshots.current()?.version ?? null,
    };
  }

  /** One belief with its evidence and its whole log, newest first. */
  get(id: string): Result<"beliefs.get"> {
    const belief = this.#store.get(id);
    const evidence = this.#store.evidence(id);
    const revisions = this.#store.revisions(id);
    const byEvidence = new Map(revisions.flatMap((row) => (row.evidenceId ? [[row.evidenceId, row.id] as const] : [])));
    return {
      belief: this.summary(belief),
      evidence: evidence.map((row) => evidenceView(row, byEvidence.get(row.id) ?? "")),
      revisions: revisions.reverse().map((row) => this.#revision(row, belief.statement)),
      dispute: belief.disputedAt === null ? null : { reason: belief.disputeReason ?? "", at: belief.disputedAt },
      settledBy: settledBy(belief, evidence, this.#clock.now()),
    };
  }

  /** One belief as it stands now. */
  summary(belief: BeliefRow): BeliefSummary {
    const now = this.#clock.now();
    return summaryOf(belief, now, recentOf(this.#store, now));
  }

  #revision(row: RevisionRow, statement: string) {
    return revisionView(row, statement, row.evidenceId ? this.#store.evidenceById(row.evidenceId) : null);
  }

  log(before: number | null, limit: number): Result<"beliefs.log"> {
    const names = new Map(this.#store.all().map((belief) => [belief.id, belief.statement]));
    return {
      revisions: this.#store.log({ before, limit }).map((row) => this.#revision(row, names.get(row.beliefId) ?? "")),
      total: this.#store.logSize(),
    };
  }

  digest(since: number): Result<"beliefs.digest"> {
    const now = this.#clock.now();
    const recent = recentOf(this.#store, now);
    const rows = this.#store.log({ before: null, limit: 100_000, since }).filter((row) => row.undoneAt === null);
    const from = new Map<string, number | null>();
    const refused = new Set<string>();
    const sources = new Map<SourceRef["kind"], Set<string>>();
    for (const row of rows) {
      if (row.kind === "refused") refused.add(row.beliefId);
      if (row.kind !== "evidence" || row.beforeValence === row.afterValence) continue;
      // Newest first: the oldest row of the period is the last one seen.
      from.set(row.beliefId, row.beforeValence);
      const edge = row.evidenceId ? this.#store.evidenceById(row.evidenceId) : null;
      if (edge) sources.set(edge.source.kind, (sources.get(edge.source.kind) ?? new Set()).add(edge.source.sourceId));
    }
    const moved = [...from].flatMap(([id, was]) => {
      const belief = this.#store.find(id);
      return belief ? [{ belief: summaryOf(belief, now, recent), from: was }] : [];
    });
    const stuck = [...refused].filter((id) => !from.has(id)).length;
    const fading = this.#store.all().filter((belief) => summaryOf(belief, now, recent).fading).length;
    const counts = new Map([...sources].map(([kind, ids]) => [kind, ids.size] as const));
    return { moved, refused: stuck, fading, words: digestWords(moved.length, stuck, fading, counts) };
  }

  /** Newest first, refused rewrites among them, each with what it changed. */
  versions(): Snapshot[] {
    const rows = this.#snapshots.all();
    return rows.map((row, i) => {
      const before = rows.slice(i + 1).find((other) => other.version !== null);
      return {
        ...row,
        tokens: Math.ceil(row.text.length / 4),
        change: row.refused ?? changeWords(before?.text ?? null, row.text),
      };
    });
  }

  /** The strongest evidence on the side that the belief is held. */
  strongest(belief: BeliefRow): EvidenceRow | null {
    const side = belief.state.valence < 0 ? -1 : 1;
    return this.#store
      .evidence(belief.id)
      .filter((row) => row.direction === side)
      .reduce<EvidenceRow | null>((best, row) => (best && best.strength >= row.strength ? best : row), null);
  }

  /** Evidence and history of a belief in words, for the tool that looks beliefs up. */
  inWords(belief: BeliefRow): { evidence: string[]; history: string[] } {
    const evidence = [...this.#store.evidence(belief.id)]
      .sort((a, b) => b.strength - a.strength)
      .map(
        (row) =>
          `${row.direction === 1 ? "supports" : "contradicts"}, ${typeWords[row.type]} ${row.strength.toFixed(2)}: ${row.quote}`,
      );
    const history = this.#store
      .revisions(belief.id)
      .filter((row) => row.undoneAt === null && row.arithmetic !== null)
      .reverse()
      .map((row) => `${row.arithmetic!.delta >= 0 ? "+" : ""}${row.arithmetic!.delta.toFixed(3)}, ${row.why}`);
    return { evidence, history };
  }
}

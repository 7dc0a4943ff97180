/** Beliefs as the window sees them: numbers worked out at this moment, words in place of codes. */
import type { BeliefEffect, BeliefEvidence, BeliefRevision, BeliefSummary, BeliefView } from "../contract/index.ts";
import { heldConfidence, isFading, replay, uncertainty } from "./arithmetic.ts";
import type { BeliefReader } from "./reader.ts";
import { type BeliefRow, type EvidenceRow, eventOf, type RevisionRow } from "./rows.ts";
import { contentWords, stem } from "./scorer/topics.ts";
import { plural } from "./words.ts";

const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;

/** What the newest rows of the log say of each belief: where it was before it last moved, when it last refused. */
export interface Recent {
  readonly before: ReadonlyMap<string, number | null>;
  readonly refusedAt: ReadonlyMap<string, number>;
}

export function recentOf(store: BeliefReader, now: number): Recent {
  const before = new Map<string, number | null>();
  const refusedAt = new Map<string, number>();
  // Newest first: the first row seen of a belief is its last.
  for (const row of store.log({ before: null, limit: 100_000, since: now - WEEK_MS })) {
    if (row.undoneAt !== null) continue;
    if (row.kind === "evidence" && row.beforeValence !== row.afterValence && !before.has(row.beliefId)) {
      before.set(row.beliefId, row.beforeValence);
    }
    if (row.kind === "refused" && !refusedAt.has(row.beliefId)) refusedAt.set(row.beliefId, row.at);
  }
  return { before, refusedAt };
}

export function summaryOf(belief: BeliefRow, now: number, recent: Recent): BeliefSummary {
  const { state, pinned } = belief;
  const confidence = heldConfidence(state, now, pinned);
  return {
    id: belief.id,
    topic: belief.topic,
    statement: belief.statement,
    valence: state.valence,
    confidence,
    fullConfidence: state.confidence,
    uncertainty: uncertainty(confidence, state.supports, state.contradicts),
    supports: state.supports,
    contradicts: state.contradicts,
    createdAt: state.createdAt,
    changedAt: Math.max(state.changedAt, state.createdAt),
    refusedAt: recent.refusedAt.get(belief.id) ?? null,
    pinned,
    disputed: belief.disputedAt !== null,
    fading: isFading(state, now, pinned),
    retired: state.retired,
    before: recent.before.get(belief.id) ?? null,
  };
}

export function inView(belief: BeliefSummary, view: BeliefView, now: number): boolean {
  if (view === "all") return !belief.retired;
  if (view === "moved") return now - belief.changedAt < WEEK_MS;
  return belief[view];
}

export const views: readonly BeliefView[] = ["all", "moved", "disputed", "pinned", "fading", "retired"];

/** Every word of the query occurs (by its stem) in the statement or the topic. */
export function matches(belief: BeliefSummary, query: string): boolean {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${belief.statement} ${belief.topic.replaceAll("-", " ")}`.toLowerCase();
  const stems = new Set(contentWords(text).map(stem));
  return wanted.every((word) => text.includes(word) || stems.has(stem(word)));
}

type Sort = "change" | "valence" | "confidence" | "evidence" | "statement";

export const order: Readonly<Record<Sort, (a: BeliefSummary, b: BeliefSummary) => number>> = {
  change: (a, b) => Math.max(b.changedAt, b.refusedAt ?? 0) - Math.max(a.changedAt, a.refusedAt ?? 0),
  valence: (a, b) => b.valence - a.valence,
  confidence: (a, b) => b.confidence - a.confidence,
  evidence: (a, b) => b.supports + b.contradicts - (a.supports + a.contradicts),
  statement: (a, b) => a.statement.localeCompare(b.statement),
};

export function evidenceView(row: EvidenceRow, revisionId: string): BeliefEvidence {
  return {
    id: row.id,
    kind: row.source.kind,
    refId: row.source.id,
    sourceId: row.source.sourceId,
    title: row.source.title,
    place: row.source.place,
    quote: row.quote,
    direction: row.direction,
    strength: row.strength,
    type: row.type,
    scorer: row.scorer,
    at: row.at,
    revisionId,
  };
}

export function revisionView(row: RevisionRow, statement: string, evidence: EvidenceRow | null): BeliefRevision {
  return {
    id: row.id,
    seq: row.seq,
    beliefId: row.beliefId,
    statement,
    kind: row.kind,
    at: row.at,
    before: row.beforeValence,
    after: row.afterValence,
    confidenceBefore: row.beforeConfidence,
    confidenceAfter: row.afterConfidence,
    title: evidence ? [evidence.source.title, evidence.source.place].filter(Boolean).join(", ") : row.detail,
    type: row.type,
    strength: row.strength,
    why: row.why,
    detail: row.detail,
    arithmetic: row.arithmetic,
    undone: row.undoneAt === null ? null : { at: row.undoneAt, why: row.undoneWhy ?? "" },
  };
}

/** What leaving these rows out would do, later steps included. */
export function effectOf(store: BeliefReader, belief: BeliefRow, gone: ReadonlySet<string>, now: number): BeliefEffect {
  const kept = store.revisions(belief.id).flatMap((row) => {
    const event = gone.has(row.id) ? null : eventOf(row);
    return event ? [{ row, event }] : [];
  });
  const { steps } = replay(kept.map(({ event }) => event));
  const after = store.without(belief.id, gone);
  return {
    beliefId: belief.id,
    statement: belief.statement,
    before: { valence: belief.state.valence, confidence: heldConfidence(belief.state, now, belief.pinned) },
    after: after && { valence: after.valence, confidence: heldConfidence(after, now, belief.pinned) },
    later: kept.flatMap(({ row }, i) => {
      const delta = steps[i]?.arithmetic?.delta ?? 0;
      const was = row.arithmetic?.delta ?? 0;
      if (Math.abs(delta - was) < 1e-12) return [];
      const evidence = row.evidenceId ? store.evidenceById(row.evidenceId) : null;
      return [{ revisionId: row.id, at: row.at, title: evidence?.source.title ?? "", before: was, after: delta }];
    }),
  };
}

/** What would settle a dispute: what the evidence lacks, in words. */
export function settledBy(belief: BeliefRow, evidence: readonly EvidenceRow[], now: number): string[] {
  const out: string[] = [];
  const sources = new Set(evidence.map((row) => row.source.sourceId));
  if (!evidence.some((row) => row.type === "empirical_data"))
    out.push("Measured data: none of the evidence is a measurement.");
  if (sources.size < 2) out.push("A second, independent source: all of the evidence comes from one.");
  const scarce = belief.state.supports === 0 ? "for" : belief.state.contradicts === 0 ? "against" : null;
  if (scarce) out.push(`Anything ${scarce} it: the other side has not been heard.`);
  const opinion = evidence.find((row) => row.type === "expert_opinion");
  if (opinion)
    out.push(
      `The reasons behind ${opinion.source.title ? `“${opinion.source.title}”` : "the expert's opinion"}: it is an opinion so far.`,
    );
  const newest = evidence.reduce((latest, row) => Math.max(latest, row.at), 0);
  if (evidence.length > 0 && now - newest > 365 * DAY_MS)
    out.push("Something newer: the last evidence is more than a year old.");
  const weak = evidence.filter((row) => row.strength < 0.45).length;
  if (evidence.length > 0 && weak === evidence.length)
    out.push("Stronger evidence: nothing so far reaches a strength of 0.45.");
  if (out.length === 0) out.push("A measurement that decides between the evidence for and the evidence against.");
  return out;
}

const sourceWords: Readonly<Record<EvidenceRow["source"]["kind"], readonly [string, string]>> = {
  message: ["message", "messages"],
  document: ["document", "documents"],
  feed: ["feed entry", "feed entries"],
  memory: ["memory", "memories"],
  user: ["note of yours", "notes of yours"],
};

const small = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/** "3 beliefs moved, 1 refused to move. Two feed entries and one document did it." */
export function digestWords(
  moved: number,
  refused: number,
  fading: number,
  sources: ReadonlyMap<EvidenceRow["source"]["kind"], number>,
): string {
  const parts = [
    moved > 0 ? `${plural(moved, "belief")} moved` : "",
    refused > 0 ? `${refused} refused to move` : "",
    fading > 0 ? `${fading} ${fading === 1 ? "is" : "are"} fading` : "",
  ].filter(Boolean);
  if (parts.length === 0) return "Nothing changed.";
  const by = [...sources].map(([kind, n], i) => {
    const count = small[n] ?? String(n);
    return `${i === 0 ? count : count.toLowerCase()} ${sourceWords[kind][n === 1 ? 0 : 1]}`;
  });
  const list = by.length > 1 ? `${by.slice(0, -1).join(", ")} and ${by.at(-1)}` : by[0];
  return `${parts.join(", ")}.${list ? ` ${list} did it.` : ""}`;
}

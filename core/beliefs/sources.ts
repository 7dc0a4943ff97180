/** Provenance: which beliefs stand on what, and what becomes of them when a source goes. */
import type { BeliefEffect } from "../contract/index.ts";
import { heldConfidence } from "./arithmetic.ts";
import type { HandDeps } from "./hand.ts";
import type { SourceRef } from "./types.ts";
import { effectOf } from "./views.ts";
import { words } from "./words.ts";

export class Sources {
  readonly #deps: Omit<HandDeps, "summary">;

  constructor(deps: Omit<HandDeps, "summary">) {
    this.#deps = deps;
  }

  /** Which beliefs stand on a source, and what would be left of them without it. */
  preview(kind: SourceRef["kind"], sourceId: string): BeliefEffect[] {
    return this.#onSource(kind, sourceId).map(({ beliefId, revisionIds }) =>
      effectOf(this.#deps.store, this.#deps.store.get(beliefId), new Set(revisionIds), this.#deps.clock.now()),
    );
  }

  /** Beliefs that have evidence among these passages, as they stand now. */
  standingOn(
    refIds: readonly string[],
  ): { beliefId: string; statement: string; valence: number; confidence: number }[] {
    return this.#deps.store.standingOn(refIds).map((belief) => ({
      beliefId: belief.id,
      statement: belief.statement,
      valence: belief.state.valence,
      confidence: heldConfidence(belief.state, this.#deps.clock.now(), belief.pinned),
    }));
  }

  /** A source is gone: its evidence leaves, and what stood on it is worked out anew. */
  forget(kind: SourceRef["kind"], sourceId: string): void {
    const touched = this.#onSource(kind, sourceId);
    const undone = { at: this.#deps.clock.now(), why: words.sourceDeleted };
    for (const { beliefId, revisionIds } of touched) this.#deps.store.setUndone(beliefId, revisionIds, undone);
    if (touched.length === 0) return;
    this.#deps.rewriteSnapshot({ mayShrink: true });
    this.#deps.onChanged(touched.map(({ beliefId }) => beliefId));
  }

  #onSource(kind: SourceRef["kind"], sourceId: string): { beliefId: string; revisionIds: string[] }[] {
    const edges = this.#deps.store.evidenceOn({ refIds: [sourceId], source: { kind, id: sourceId } });
    const byBelief = new Map<string, Set<string>>();
    for (const edge of edges) byBelief.set(edge.beliefId, (byBelief.get(edge.beliefId) ?? new Set()).add(edge.id));
    return [...byBelief].map(([beliefId, ids]) => ({
      beliefId,
      revisionIds: this.#deps.store
        .revisions(beliefId)
        .filter((row) => row.evidenceId !== null && ids.has(row.evidenceId))
        .map((row) => row.id),
    }));
  }

  /** Whether a living belief rests on this passage, message or entry alone: then it may not be forgotten. */
  isSoleEvidence(refId: string): boolean {
    return this.#deps.store
      .evidenceOn({ refIds: [refId] })
      .some((edge) => this.#deps.store.evidence(edge.beliefId).every((other) => other.source.id === refId));
  }
}

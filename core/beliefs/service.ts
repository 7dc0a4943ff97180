/** Beliefs as the rest of Credence uses them: weigh, integrate, look up, correct by hand, and say what changed. */
import type { BeliefNote } from "../contract/index.ts";
import type { ChatModel, Embedder } from "../models/types.ts";
import { type Clock, type Log, newId } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { heldConfidence } from "./arithmetic.ts";
import { ByHand } from "./hand.ts";
import { Overview } from "./overview.ts";
import { heldStrength, rank } from "./ranking.ts";
import { rewriteByModel } from "./rewrite.ts";
import type { BeliefRow } from "./rows.ts";
import { createScorer, type Scorer } from "./scorer/index.ts";
import { readSide } from "./side.ts";
import { compose, type SnapshotRow, Snapshots } from "./snapshot.ts";
import { Sources } from "./sources.ts";
import { BeliefStore } from "./store.ts";
import { TrialResults } from "./trials.ts";
import type { EvidenceScore, SourceRef } from "./types.ts";
import { StatementVectors } from "./vectors.ts";
import { type Item, type Weighed, Weigher } from "./weigher.ts";

export interface BeliefsDeps {
  readonly db: WritableDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly embedder: () => Promise<Embedder | null>;
  /** The chat model, only when it is good enough to be asked and loaded already; null keeps to the rules. */
  readonly model?: () => Promise<ChatModel | null>;
  readonly onChanged?: (ids: readonly string[]) => void;
  /** Stores propositions; answers how many were new and how many were known. */
  readonly propositions?: (
    statements: readonly string[],
    context: { source: SourceRef; at: number; strength: number | null; claim: boolean; signal: AbortSignal },
  ) => Promise<{ stored: number; known: number }>;
}

/** A snapshot is written anew after so many changes of beliefs, and the first time there is one to write. */
const CHANGES_PER_SNAPSHOT = 3;

export class Beliefs {
  readonly #deps: BeliefsDeps;
  readonly store: BeliefStore;
  readonly scorer: Scorer;
  readonly snapshots: Snapshots;
  readonly overview: Overview;
  readonly hand: ByHand;
  readonly sources: Sources;
  readonly #vectors: StatementVectors;
  readonly #weigher: Weigher;
  readonly #trials: TrialResults;
  /** One item at a time: what one forms, the next must see. */
  #turn: Promise<unknown> = Promise.resolve();
  #changes = 0;

  constructor(deps: BeliefsDeps) {
    this.#deps = deps;
    this.store = new BeliefStore(deps.db);
    this.snapshots = new Snapshots(deps.db);
    this.overview = new Overview(this.store, this.snapshots, deps.clock);
    const changing = {
      store: this.store,
      clock: deps.clock,
      rewriteSnapshot: (options?: { mayShrink?: boolean }) => void this.rewriteSnapshot(options),
      onChanged: (ids: readonly string[]) => deps.onChanged?.(ids),
    };
    this.hand = new ByHand({ ...changing, summary: (belief) => this.overview.summary(belief) });
    this.sources = new Sources(changing);
    this.#vectors = new StatementVectors(deps.db);
    this.#trials = new TrialResults(deps.db, deps.clock);
    this.scorer = createScorer({
      embedder: deps.embedder,
      model: deps.model ?? (async () => null),
      trials: this.#trials,
      log: deps.log,
    });
    this.#weigher = new Weigher({
      store: this.store,
      scorer: this.scorer,
      vectors: this.#vectors,
      embedder: deps.embedder,
      clock: deps.clock,
      readSide: async (item, statement, signal) => {
        const reader = await this.#speaker();
        if (!reader) return null;
        return readSide(reader, item, statement, signal).catch((thrown: unknown) => {
          signal.throwIfAborted();
          deps.log.info("beliefs.side-unread", { reason: thrown instanceof Error ? thrown.message : "" });
          return null;
        });
      },
    });
  }

  /** Scores a text alone. Changes nothing. */
  score(text: string, signal: AbortSignal, useModel = true): Promise<EvidenceScore> {
    return this.scorer.score(text, { topics: this.store.topics(), useModel, signal });
  }

  /**
   * The one way in: weighs the item alone, stores what it says (as claims when it is no evidence), moves and forms beliefs
   * by the rules, and writes the snapshot anew when enough has changed.
   */
  async integrate(item: Item, signal: AbortSignal): Promise<Weighed & { stored: number; known: number }> {
    const work = this.#turn.then(
      () => this.#integrate(item, signal),
      () => this.#integrate(item, signal),
    );
    this.#turn = work.catch(() => undefined);
    return work;
  }

  async #integrate(item: Item, signal: AbortSignal): Promise<Weighed & { stored: number; known: number }> {
    signal.throwIfAborted();
    const weighed = await this.#weigher.weigh(item, signal);
    const propositions = item.statements?.length ? item.statements : weighed.claim ? [weighed.claim] : [];
    const kept = propositions.length
      ? await this.#deps.propositions?.(propositions, {
          source: item.source,
          at: item.at,
          strength: weighed.score.strength,
          claim: !weighed.score.allowed,
          signal,
        })
      : undefined;
    const moved = weighed.notes.filter((note) => note.outcome !== "did-not-move").length;
    this.#changes += moved;
    if (moved > 0 && (this.#changes >= CHANGES_PER_SNAPSHOT || !this.snapshots.current())) {
      await this.reflect(signal);
    }
    if (weighed.changed.length > 0) this.#deps.onChanged?.(weighed.changed);
    return { ...weighed, stored: kept?.stored ?? 0, known: kept?.known ?? 0 };
  }

  /** Beliefs that bear on a text, best first: reciprocal rank fusion of nearness and of how well each is held. */
  async relevant(text: string, limit: number, signal: AbortSignal): Promise<BeliefRow[]> {
    const all = this.store.all();
    const now = this.#deps.clock.now();
    if (text.trim() === "") {
      return all
        .filter((belief) => !belief.state.retired)
        .sort((a, b) => heldStrength(b, now) - heldStrength(a, now))
        .slice(0, limit);
    }
    let embedder: Embedder | null = null;
    try {
      embedder = await this.#deps.embedder();
    } catch (thrown) {
      this.#deps.log.info("beliefs.without-embedder", { reason: thrown instanceof Error ? thrown.message : "" });
    }
    const ranked = await rank(text, all, {
      embedder,
      vectors: this.#vectors,
      now,
      least: embedder ? 0.3 : 0.2,
      signal,
    });
    return ranked.slice(0, limit).map(({ belief }) => belief);
  }

  held(belief: BeliefRow): number {
    return heldConfidence(belief.state, this.#deps.clock.now(), belief.pinned);
  }

  /** Evidence that the user adds by hand, weighed like any other. */
  async add(
    text: string,
    title: string,
    beliefId: string | null,
    signal: AbortSignal,
  ): Promise<{ verdict: EvidenceScore; notes: readonly BeliefNote[] }> {
    const at = this.#deps.clock.now();
    const id = newId("note", at);
    const { score, notes } = await this.integrate(
      {
        text,
        source: { kind: "user", id, sourceId: id, title: title || "Added by you", place: "" },
        at,
        useModel: true,
        ...(beliefId ? { beliefId } : {}),
      },
      signal,
    );
    return { verdict: score, notes };
  }

  /** Writes the snapshot anew: in the model's words where one may speak and stays within what is believed. */
  async reflect(signal: AbortSignal): Promise<SnapshotRow | null> {
    const model = await this.#speaker();
    if (!model) return this.rewriteSnapshot();
    const beliefs = this.store.all().filter((belief) => !belief.state.retired);
    const now = this.#deps.clock.now();
    try {
      const before = this.snapshots.current()?.text ?? "";
      const text = await rewriteByModel(model, compose(beliefs, now), before, beliefs, signal);
      if (text) {
        const row = this.snapshots.propose(text, "model", now);
        if (row?.version != null) {
          this.#changes = 0;
          return row;
        }
      }
    } catch (thrown) {
      signal.throwIfAborted();
      this.#deps.log.info("beliefs.snapshot-by-rules", { reason: thrown instanceof Error ? thrown.message : "" });
    }
    return this.rewriteSnapshot();
  }

  /** A model that has passed the scorer's trial. */
  async #speaker(): Promise<ChatModel | null> {
    try {
      const model = (await this.#deps.model?.()) ?? null;
      return model && this.#trials.passed(model.description.id) === true ? model : null;
    } catch (thrown) {
      this.#deps.log.info("beliefs.without-model", { reason: thrown instanceof Error ? thrown.message : "" });
      return null;
    }
  }

  /** Writes the snapshot anew from the beliefs. A rewrite that loses too much is refused and kept on record. */
  rewriteSnapshot(options: { mayShrink?: boolean } = {}): SnapshotRow | null {
    this.#changes = 0;
    const now = this.#deps.clock.now();
    const text = compose(this.store.all(), now);
    if (text === "" && !this.snapshots.current()) return null;
    return this.snapshots.propose(text, "rules", now, options);
  }

  useSnapshot(version: number): void {
    this.snapshots.returnTo(version, this.#deps.clock.now());
    this.#deps.onChanged?.([]);
  }

  /** At the start of the one Credence that owns the profile: deleted beliefs go for good, and what was only staged is dropped. */
  start(): void {
    this.store.purge(this.#deps.clock.now());
    this.#weigher.discardStaged();
  }
}

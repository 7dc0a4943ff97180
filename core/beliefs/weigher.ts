/**
 * From an item to belief changes: staged first, scored alone, and only then committed, in one transaction an item. A freeze
 * discards what was staged. Where the item moves nothing, the beliefs that it speaks of keep a row that says why.
 */
import type { BeliefNote } from "../contract/index.ts";
import type { Embedder } from "../models/types.ts";
import { type Clock, newId } from "../platform/index.ts";
import { heldConfidence, uncertainty } from "./arithmetic.ts";
import { rank } from "./ranking.ts";
import type { BeliefRow, EvidenceRow } from "./rows.ts";
import { normalise, wholeSentences } from "./scorer/cues.ts";
import type { Scorer } from "./scorer/index.ts";
import { contentWords } from "./scorer/topics.ts";
import { overlap, related, type Stance, stanceOf } from "./stance.ts";
import { claimOf, quoteOf } from "./statement.ts";
import type { BeliefStore } from "./store.ts";
import { type EvidenceScore, evidenceTypes, freezingTypes, type SourceRef } from "./types.ts";
import type { StatementVectors } from "./vectors.ts";
import { refusalWords, words } from "./words.ts";

/** Reflection patches at most so many beliefs and forms at most so many an item. */
export const MOST_PATCHES = 20;
export const MOST_NEW = 10;
/** A chat message or a passage seldom bears on more than this; what comes after is only loosely related. */
const MOST_MOVED_BY_ONE_SENTENCE = 3;
/** From here on a sentence says what a belief says already: it moves that and forms nothing new. */
const SAME_STATEMENT = 0.68;
const LEAST_RELATED = 0.3;
const MOST_SENTENCES = 60;
const MOST_REFUSALS = 3;

export interface Item {
  readonly text: string;
  readonly source: SourceRef;
  readonly at: number;
  /** Statements that a model drew from the text; each must be found in the text to count. */
  readonly statements?: readonly string[];
  /** Only this belief is in question (the user adds evidence to it). */
  readonly beliefId?: string;
  readonly useModel: boolean;
}

export interface Weighed {
  readonly score: EvidenceScore;
  readonly notes: readonly BeliefNote[];
  readonly changed: readonly string[];
  /** What a frozen item says: kept as a claim, never as evidence. */
  readonly claim: string | null;
}

/** A model that has proved itself names the side an item takes; null when there is none. */
export type SideReader = (item: string, statement: string, signal: AbortSignal) => Promise<Stance["direction"] | null>;

export interface WeigherDeps {
  readonly store: BeliefStore;
  readonly scorer: Scorer;
  readonly vectors: StatementVectors;
  readonly embedder: () => Promise<Embedder | null>;
  readonly readSide: SideReader;
  readonly clock: Clock;
}

interface Plan {
  readonly belief: BeliefRow;
  readonly sentence: string;
  readonly stance: Stance;
}

export class Weigher {
  readonly #deps: WeigherDeps;

  constructor(deps: WeigherDeps) {
    this.#deps = deps;
  }

  async weigh(item: Item, signal: AbortSignal): Promise<Weighed> {
    const { store, scorer, clock } = this.#deps;
    const staged = newId("stg", clock.now());
    store.db
      .write("INSERT INTO belief_staged (id, at, item) VALUES (?, ?, ?)")
      .run(staged, item.at, JSON.stringify(item));
    try {
      const score = await scorer.score(item.text, { topics: store.topics(), useModel: item.useModel, signal });
      const embedder = await this.#embedder();
      const prepared = score.allowed ? await this.#plan(item, embedder, signal) : null;
      const spoken = prepared ? [] : await this.#spokenOf(item, embedder, signal);
      signal.throwIfAborted();
      return store.db.transaction(() => {
        store.db.write("DELETE FROM belief_staged WHERE id = ?").run(staged);
        const interaction = score.reasoningType === "no_argument" ? 0 : store.nextInteraction();
        return prepared ? this.#commit(item, score, interaction, prepared) : this.#refuse(item, score, spoken);
      });
    } catch (thrown) {
      store.db.write("DELETE FROM belief_staged WHERE id = ?").run(staged);
      throw thrown;
    }
  }

  /** Drops what was staged when the last run ended: nothing of it was committed, and whoever handed it in does so again. */
  discardStaged(): number {
    return this.#deps.store.db.write("DELETE FROM belief_staged").run().changes;
  }

  async #embedder(): Promise<Embedder | null> {
    try {
      return await this.#deps.embedder();
    } catch {
      // Search by words goes on without it; the models service tells the user why it would not load.
      return null;
    }
  }

  /** Which beliefs each sentence speaks for or against, and which sentences say something new. */
  async #plan(
    item: Item,
    embedder: Embedder | null,
    signal: AbortSignal,
  ): Promise<{ patches: Plan[]; fresh: string[] }> {
    const { store, vectors, clock } = this.#deps;
    const all = item.beliefId ? [store.get(item.beliefId)] : store.all();
    const parts = candidateSentences(item);
    const patches = new Map<string, Plan>();
    const fresh: string[] = [];
    for (const sentence of parts) {
      const ranked = await rank(sentence, all, {
        embedder,
        vectors,
        now: clock.now(),
        least: item.beliefId ? 0 : LEAST_RELATED,
        withRetired: true,
        signal,
      });
      let covered = false;
      let moved = 0;
      for (const { belief, similarity } of ranked.slice(0, MOST_PATCHES)) {
        const stance = await this.#stance(sentence, belief.statement, embedder ? similarity : null, signal);
        if (stance.nearness >= SAME_STATEMENT || (stance.direction !== 0 && stance.nearness >= 0.5)) covered = true;
        if (stance.direction === 0 || moved >= MOST_MOVED_BY_ONE_SENTENCE) continue;
        moved++;
        const known = patches.get(belief.id);
        // Within one item the sentence that is nearest decides the side.
        if (!known || stance.nearness > known.stance.nearness) patches.set(belief.id, { belief, sentence, stance });
      }
      if (!covered && !item.beliefId) fresh.push(sentence);
    }
    const best = [...patches.values()].sort((a, b) => b.stance.nearness - a.stance.nearness);
    return { patches: best.slice(0, MOST_PATCHES), fresh };
  }

  async #stance(sentence: string, statement: string, similarity: number | null, signal: AbortSignal): Promise<Stance> {
    const byRules = stanceOf(sentence, statement, similarity);
    if (byRules.direction === 0) return byRules;
    const side = await this.#deps.readSide(sentence, statement, signal);
    if (side === null || side === byRules.direction) return byRules;
    // Two readers that disagree: the belief stays where it is.
    return { ...byRules, direction: 0, why: "the side it takes is not clear" };
  }

  #commit(item: Item, score: EvidenceScore, interaction: number, plan: { patches: Plan[]; fresh: string[] }): Weighed {
    const { store } = this.#deps;
    const notes: BeliefNote[] = [];
    const changed: string[] = [];
    for (const { belief, sentence, stance } of plan.patches) {
      const barred = this.#barred(belief, item, sentence);
      if (barred) {
        this.#noteRefusal(belief, item, score, barred);
        notes.push(unmoved(belief, barred));
      } else {
        const after = store.revise(belief.id, {
          source: item.source,
          quote: quoteOf(sentence),
          direction: stance.direction as 1 | -1,
          strength: score.strength,
          type: score.reasoningType,
          scorer: score.scorer,
          at: item.at,
          interaction,
          why: words.moved(score.reasoningType, score.strength),
        });
        notes.push({
          beliefId: belief.id,
          revisionId: after.revision.id,
          outcome: "moved",
          statement: belief.statement,
          before: belief.state.valence,
          after: after.belief.state.valence,
          uncertainty: band(after.belief, item.at),
          why: words.moved(score.reasoningType, score.strength),
        });
      }
      changed.push(belief.id);
    }
    for (const { statement, sentence } of claimsOf(item, plan.fresh, score.reasoningType)) {
      if (store.all().some((belief) => sameWords(belief.statement, statement))) continue;
      const formed = store.form(statement, score.topics[0] ?? "other", {
        source: item.source,
        quote: quoteOf(sentence),
        direction: 1,
        strength: score.strength,
        type: score.reasoningType,
        scorer: score.scorer,
        at: item.at,
        interaction,
        why: words.moved(score.reasoningType, score.strength),
      });
      notes.push({
        beliefId: formed.belief.id,
        revisionId: formed.revision.id,
        outcome: "created",
        statement,
        before: null,
        after: formed.belief.state.valence,
        uncertainty: band(formed.belief, item.at),
        why: words.moved(score.reasoningType, score.strength),
      });
      changed.push(formed.belief.id);
    }
    return { score, notes, changed, claim: null };
  }

  /** Why this belief may not be moved by this item though the gate is open; null when it may. */
  #barred(belief: BeliefRow, item: Item, sentence: string): string | null {
    if (belief.disputedAt !== null) return words.disputed;
    const known = this.#deps.store.evidence(belief.id);
    return known.some((edge) => repeats(edge, item.source, sentence)) ? words.counted : null;
  }

  /** The beliefs that a refused item speaks of. */
  async #spokenOf(item: Item, embedder: Embedder | null, signal: AbortSignal): Promise<BeliefRow[]> {
    const { store, vectors, clock } = this.#deps;
    if (item.beliefId) return [store.get(item.beliefId)];
    const all = store.all();
    if (all.length === 0) return [];
    const found = new Map<string, BeliefRow>();
    for (const sentence of [normalise(item.text).slice(0, 2000), ...candidateSentences(item).slice(0, 6)]) {
      for (const { belief, similarity } of await rank(sentence, all, {
        embedder,
        vectors,
        now: clock.now(),
        least: LEAST_RELATED,
        signal,
      })) {
        if (related(sentence, belief.statement, embedder ? similarity : null).related) found.set(belief.id, belief);
      }
    }
    return [...found.values()].slice(0, MOST_REFUSALS);
  }

  #refuse(item: Item, score: EvidenceScore, spoken: readonly BeliefRow[]): Weighed {
    const frozen = freezingTypes.has(score.reasoningType);
    const why = refusalWords[score.reasoningType];
    if (!frozen && !evidenceTypes.has(score.reasoningType)) {
      // A question or an order is no attempt to move anything; a bare assertion about a belief is answered with why.
      const asserts = score.reasoningType === "no_argument" && !/\?/.test(item.text) && item.beliefId !== undefined;
      if (!asserts) return { score, notes: [], changed: [], claim: null };
    }
    const notes = spoken.map((belief) => {
      this.#noteRefusal(belief, item, score, why);
      return unmoved(belief, why);
    });
    const claim = frozen ? claimOf(item.text, score.reasoningType) : null;
    if (
      notes.length === 0 &&
      claim &&
      (score.reasoningType === "social_pressure" || score.reasoningType === "debunked_claim")
    ) {
      notes.push({
        beliefId: null,
        revisionId: null,
        outcome: "did-not-move",
        statement: claim,
        before: null,
        after: null,
        uncertainty: null,
        why,
      });
    }
    return { score, notes, changed: spoken.map((belief) => belief.id), claim };
  }

  #noteRefusal(belief: BeliefRow, item: Item, score: EvidenceScore, why: string): void {
    this.#deps.store.note(belief.id, {
      kind: "refused",
      at: item.at,
      why,
      detail: [item.source.title, item.source.place].filter(Boolean).join(", "),
      type: score.reasoningType,
      strength: score.strength,
    });
  }
}

function band(belief: BeliefRow, now: number): number {
  const { state } = belief;
  return uncertainty(heldConfidence(state, now, belief.pinned), state.supports, state.contradicts);
}

function unmoved(belief: BeliefRow, why: string): BeliefNote {
  return {
    beliefId: belief.id,
    revisionId: null,
    outcome: "did-not-move",
    statement: belief.statement,
    before: belief.state.valence,
    after: belief.state.valence,
    uncertainty: null,
    why,
  };
}

/** What a model drew out counts only where the text says it; without a model the claim of the text itself. */
function candidateSentences(item: Item): string[] {
  const whole = wholeSentences(normalise(item.text)).filter(
    (one) => contentWords(one).length >= 2 && !/\?["')]?$/.test(one),
  );
  const named = (item.statements ?? []).filter((statement) => saidIn(statement, item.text));
  return [...named, ...whole].slice(0, MOST_SENTENCES);
}

/**
 * What of an item is new and may become a belief: the statements that a model drew out and the text bears, or else the one
 * sentence that claims most. The rest of an article is told, not claimed.
 */
function claimsOf(
  item: Item,
  fresh: readonly string[],
  type: EvidenceScore["reasoningType"],
): { statement: string; sentence: string }[] {
  const named = fresh.filter((sentence) => item.statements?.includes(sentence));
  if (named.length > 0) return named.slice(0, MOST_NEW).map((sentence) => ({ statement: sentence, sentence }));
  const statement = claimOf(fresh.join(" "), type);
  if (!statement || contentWords(statement).length < 2) return [];
  const sentence = fresh.reduce((best, other) => (overlap(other, statement) > overlap(best, statement) ? other : best));
  return [{ statement, sentence }];
}

/** Most content words of the statement, and every figure in it, occur in the text. */
export function saidIn(statement: string, text: string): boolean {
  const have = new Set(contentWords(text));
  const wanted = contentWords(statement);
  if (wanted.length === 0) return false;
  const share = wanted.filter((word) => have.has(word)).length / wanted.length;
  const figures = statement.match(/\d+(?:[.,]\d+)*/g) ?? [];
  return share >= 0.6 && figures.every((figure) => text.includes(figure));
}

function sameWords(a: string, b: string): boolean {
  return normalise(a).toLowerCase() === normalise(b).toLowerCase();
}

/** The same passage, or the same words from elsewhere: one observation told twice is one observation. */
function repeats(edge: EvidenceRow, source: SourceRef, sentence: string): boolean {
  if (edge.source.id === source.id && edge.source.kind === source.kind) return true;
  if (sameWords(edge.quote, sentence)) return true;
  const figures = (text: string) => (text.match(/\d+(?:[.,]\d+)*/g) ?? []).sort().join(" ");
  const own = new Set(contentWords(sentence));
  const other = contentWords(edge.quote);
  if (own.size < 4 || other.length < 4 || figures(edge.quote) !== figures(sentence)) return false;
  const shared = other.filter((word) => own.has(word)).length;
  return shared / Math.max(own.size, new Set(other).size) >= 0.85;
}

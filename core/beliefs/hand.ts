/** What the user does to beliefs by hand. Words, flags and whole steps may change; a number never does. */
import { type BeliefEffect, type BeliefSummary, CredenceError } from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";
import type { BeliefRow, RevisionRow } from "./rows.ts";
import { contentWords } from "./scorer/topics.ts";
import type { BeliefStore } from "./store.ts";
import { effectOf } from "./views.ts";
import { words } from "./words.ts";

export interface HandDeps {
  readonly store: BeliefStore;
  readonly clock: Clock;
  readonly summary: (belief: BeliefRow) => BeliefSummary;
  readonly rewriteSnapshot: (options?: { mayShrink?: boolean }) => void;
  readonly onChanged: (ids: readonly string[]) => void;
}

export class ByHand {
  readonly #deps: HandDeps;

  constructor(deps: HandDeps) {
    this.#deps = deps;
  }

  dispute(id: string, reason: string): BeliefSummary {
    return this.#byHand(id, () => {
      const at = this.#deps.clock.now();
      this.#deps.store.setFlags(id, { disputedAt: at, disputeReason: reason.trim() });
      this.#deps.store.note(id, { kind: "disputed", at, why: words.disputedBy, detail: reason.trim() });
    });
  }

  settle(id: string): BeliefSummary {
    return this.#byHand(id, () => {
      this.#deps.store.setFlags(id, { disputedAt: null, disputeReason: null });
      this.#deps.store.note(id, { kind: "settled", at: this.#deps.clock.now(), why: words.settled });
    });
  }

  pin(id: string, pinned: boolean): BeliefSummary {
    return this.#byHand(id, () => {
      if (this.#deps.store.get(id).pinned === pinned) return;
      this.#deps.store.setFlags(id, { pinned });
      const kind = pinned ? "pinned" : "unpinned";
      this.#deps.store.note(id, { kind, at: this.#deps.clock.now(), why: words[kind] });
    });
  }

  edit(id: string, statement: string): BeliefSummary {
    const plain = statement.replace(/\s+/g, " ").trim();
    if (plain.split(" ").length < 3 || contentWords(plain).length === 0) {
      throw new CredenceError("beliefs.empty-statement", {});
    }
    return this.#byHand(id, () => {
      const old = this.#deps.store.get(id).statement;
      if (old === plain) return;
      this.#deps.store.setFlags(id, { statement: plain });
      this.#deps.store.note(id, { kind: "edited", at: this.#deps.clock.now(), why: words.edited, detail: old });
    });
  }

  renew(id: string): BeliefSummary {
    return this.#byHand(id, () => {
      this.#deps.store.note(id, { kind: "renewed", at: this.#deps.clock.now(), why: words.renewed });
    });
  }

  #byHand(id: string, change: () => void): BeliefSummary {
    this.#deps.store.get(id);
    this.#deps.store.db.transaction(change);
    this.#deps.onChanged([id]);
    return this.#deps.summary(this.#deps.store.get(id));
  }

  /** Can be undone with `restore` until the next start. */
  remove(id: string): void {
    this.#deps.store.get(id);
    this.#deps.store.setDeleted(id, this.#deps.clock.now());
    this.#deps.rewriteSnapshot({ mayShrink: true });
    this.#deps.onChanged([id]);
  }

  restore(id: string): BeliefSummary {
    this.#deps.store.setDeleted(id, null);
    const belief = this.#deps.store.get(id);
    this.#deps.rewriteSnapshot();
    this.#deps.onChanged([id]);
    return this.#deps.summary(belief);
  }

  #step(revisionId: string): RevisionRow {
    const row = this.#deps.store.revision(revisionId);
    if (row.kind !== "evidence") throw new CredenceError("beliefs.not-a-step", { revisionId });
    return row;
  }

  previewUndo(revisionId: string): BeliefEffect {
    const row = this.#step(revisionId);
    if (row.undoneAt !== null) throw new CredenceError("beliefs.already-undone", { revisionId });
    return effectOf(
      this.#deps.store,
      this.#deps.store.get(row.beliefId),
      new Set([revisionId]),
      this.#deps.clock.now(),
    );
  }

  /** Takes one step back, as if it had never been; returns what that did. */
  undo(revisionId: string): BeliefEffect {
    const effect = this.previewUndo(revisionId);
    this.#deps.store.setUndone(effect.beliefId, [revisionId], { at: this.#deps.clock.now(), why: words.undone });
    this.#deps.onChanged([effect.beliefId]);
    return effect;
  }

  redo(revisionId: string): BeliefSummary {
    const row = this.#step(revisionId);
    const belief = this.#deps.store.setUndone(row.beliefId, [revisionId], null);
    this.#deps.onChanged([row.beliefId]);
    if (!belief) throw new CredenceError("general.not-found", { what: "belief", id: row.beliefId });
    return this.#deps.summary(belief);
  }
}

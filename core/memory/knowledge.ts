import { z } from "zod";
import type { ChatModel, Embedder } from "../models/types.ts";
import { type Clock, contentId, type Log } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { sameClaim, userFacts, wordLikeness } from "./statements.ts";
import { fold } from "./text/words.ts";
import { type PassageIndex, userSpeaker } from "./types.ts";

/** Two propositions of one batch are the same from here on, and one of the batch and one of the store from there. */
export const sameInBatch = 0.82;
export const sameInStore = 0.78;

export interface Proposition {
  readonly statement: string;
  /** The pieces that say so. */
  readonly cites: readonly string[];
  readonly at: number;
  readonly strength: number | null;
  /** Said without evidence: kept, and shown as a claim. */
  readonly claim?: boolean;
}

export interface Stored {
  readonly id: string;
  readonly outcome: "new" | "cited" | "replaced";
}

export interface KnowledgeDeps {
  readonly db: WritableDatabase;
  readonly index: PassageIndex;
  readonly clock: Clock;
  readonly log: Log;
  readonly embedder: () => Promise<Embedder | null>;
}

/** Propositions that stand alone, each once, with every piece that says so. */
export class Knowledge {
  readonly #deps: KnowledgeDeps;

  constructor(deps: KnowledgeDeps) {
    this.#deps = deps;
  }

  /** Stores what is new; what is known already gains citations; what contradicts an older statement replaces it. */
  async add(propositions: readonly Proposition[], signal?: AbortSignal): Promise<Stored[]> {
    const batch = await this.#mergeBatch(
      propositions.filter((p) => p.statement.trim() !== ""),
      signal,
    );
    const stored: Stored[] = [];
    for (const proposition of batch) stored.push(await this.#addOne(proposition, signal));
    return stored;
  }

  async #mergeBatch(propositions: readonly Proposition[], signal: AbortSignal | undefined): Promise<Proposition[]> {
    const vectors = await this.#vectors(
      propositions.map((p) => p.statement),
      signal,
    );
    const merged: { proposition: Proposition; vector: Float32Array | null }[] = [];
    propositions.forEach((proposition, i) => {
      const vector = vectors?.[i] ?? null;
      const known = merged.find(
        (other) =>
          sameClaim(other.proposition.statement, proposition.statement) &&
          (vector && other.vector
            ? dot(vector, other.vector)
            : wordLikeness(other.proposition.statement, proposition.statement)) >= sameInBatch,
      );
      if (!known) merged.push({ proposition, vector });
      else
        known.proposition = {
          ...known.proposition,
          cites: [...new Set([...known.proposition.cites, ...proposition.cites])],
        };
    });
    return merged.map(({ proposition }) => proposition);
  }

  async #vectors(texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[] | null> {
    if (texts.length < 2) return null;
    try {
      const embedder = await this.#deps.embedder();
      return embedder ? await embedder.embed(texts, { background: true, ...(signal ? { signal } : {}) }) : null;
    } catch (thrown) {
      if (signal?.aborted) throw thrown;
      return null;
    }
  }

  async #addOne(proposition: Proposition, signal: AbortSignal | undefined): Promise<Stored> {
    const { db } = this.#deps;
    const statement = proposition.statement.trim();
    const id = contentId(
      "kn",
      fold(statement)
        .replace(/[^\p{L}\p{N}]+/gu, " ")
        .trim(),
    );
    if (db.read("SELECT 1 FROM knowledge WHERE id = ?").get(id)) {
      this.#cite(id, proposition);
      return { id, outcome: "cited" };
    }
    const near = await this.#deps.index.search(statement, {
      filter: { kinds: ["memory"] },
      limit: 5,
      ...(signal ? { signal } : {}),
    });
    for (const hit of near) {
      const known = db.read("SELECT 1 FROM knowledge WHERE id = ? AND superseded_by IS NULL").get(hit.item.id);
      if (!known) continue;
      const likeness = hit.similarity ?? wordLikeness(hit.item.text, statement);
      if (likeness < sameInStore) continue;
      if (sameClaim(hit.item.text, statement)) {
        this.#cite(hit.item.id, proposition);
        return { id: hit.item.id, outcome: "cited" };
      }
      this.#insert(id, statement, proposition);
      // The newer of two that contradict each other stands; the older retires and keeps its citations.
      this.supersede(hit.item.id, id);
      return { id, outcome: "replaced" };
    }
    this.#insert(id, statement, proposition);
    return { id, outcome: "new" };
  }

  #insert(id: string, statement: string, proposition: Proposition): void {
    const { db, clock, index } = this.#deps;
    const now = clock.now();
    const deleted = db.read("SELECT 1 FROM memory_state WHERE passage_id = ? AND deleted_at IS NOT NULL").get(id);
    db.transaction(() => {
      db.write(
        "INSERT OR IGNORE INTO knowledge (id, statement, created_at, updated_at, claim) VALUES (?, ?, ?, ?, ?)",
      ).run(id, statement, now, now, proposition.claim ? 1 : 0);
      this.#cite(id, proposition);
    });
    if (deleted) return;
    index.put([
      {
        id,
        kind: "memory",
        sourceId: proposition.cites[0] ?? id,
        collectionId: null,
        text: statement,
        title: "",
        place: "",
        at: proposition.at,
        strength: proposition.strength,
      },
    ]);
  }

  #cite(id: string, proposition: Proposition): void {
    const { db, clock } = this.#deps;
    for (const passage of proposition.cites) {
      db.write("INSERT OR IGNORE INTO citations (knowledge_id, passage_id, at) VALUES (?, ?, ?)").run(
        id,
        passage,
        Math.round(proposition.at),
      );
    }
    db.write("UPDATE knowledge SET updated_at = ? WHERE id = ?").run(clock.now(), id);
  }

  /** Retires a statement in favour of another: it is no longer found, and stays on record. */
  supersede(old: string, by: string): void {
    const { db } = this.#deps;
    db.transaction(() => {
      db.write("UPDATE knowledge SET superseded_by = ? WHERE id = ?").run(by, old);
      db.write(
        `INSERT INTO memory_state (passage_id, superseded_by) VALUES (?, ?)
         ON CONFLICT (passage_id) DO UPDATE SET superseded_by = excluded.superseded_by`,
      ).run(old, by);
    });
  }

  /** Joins two statements that say the same: the kept one gains the other's citations. */
  merge(kept: string, other: string): void {
    const { db, index } = this.#deps;
    db.transaction(() => {
      db.write(
        "INSERT OR IGNORE INTO citations (knowledge_id, passage_id, at) SELECT ?, passage_id, at FROM citations WHERE knowledge_id = ?",
      ).run(kept, other);
      db.write("DELETE FROM knowledge WHERE id = ?").run(other);
    });
    index.remove([other]);
  }

  /** Removes statements whose every citation is gone. Returns their ids. */
  removeOrphans(): string[] {
    const { db, index } = this.#deps;
    const orphans = db
      .read<{ id: string }>(
        `SELECT k.id FROM knowledge k
         WHERE EXISTS (SELECT 1 FROM citations c WHERE c.knowledge_id = k.id)
           AND NOT EXISTS (SELECT 1 FROM citations c JOIN passages p ON p.id = c.passage_id WHERE c.knowledge_id = k.id)
         LIMIT 200`,
      )
      .all()
      .map((row) => row.id);
    if (orphans.length === 0) return [];
    db.write("DELETE FROM knowledge WHERE id IN (SELECT value FROM json_each(?))").run(JSON.stringify(orphans));
    index.remove(orphans);
    return orphans;
  }
}

export interface Said {
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
  readonly at: number;
  readonly strength: number | null;
}

/** Facts by rules: what the user tells about themself, each citing its piece. */
export function extractByRules(said: readonly Said[]): Proposition[] {
  return said
    .filter((piece) => piece.speaker === userSpeaker)
    .flatMap((piece) =>
      userFacts(piece.text).map((statement) => ({
        statement,
        cites: [piece.id],
        at: piece.at,
        strength: piece.strength,
      })),
    );
}

const Extraction = z.object({
  propositions: z.array(z.object({ statement: z.string().max(400), lines: z.array(z.number().int()).max(8) })).max(12),
  summary: z.string().max(1200),
});

const windowSize = 6;
const instruction =
  "Extract facts that were stated in the numbered lines, each as one short sentence that stands alone: names instead of pronouns, dates where they are known. Give the numbers of the lines that say so. No questions, no opinions about the conversation, nothing that is not in the lines. Then update the summary of what the conversation is about, in at most three sentences.";

/** Facts by a model, over sliding windows of six turns that overlap by two, with a running summary. */
export async function extractByModel(
  model: ChatModel,
  said: readonly Said[],
  signal: AbortSignal,
): Promise<Proposition[]> {
  const found: Proposition[] = [];
  let summary = "";
  for (let start = 0; start < said.length; start += windowSize - 2) {
    const turns = said.slice(start, start + windowSize);
    const lines = turns.map(
      (turn, i) =>
        `${i + 1}. ${turn.speaker} (${new Date(turn.at).toISOString().slice(0, 10)}): ${turn.text.slice(0, 800)}`,
    );
    const { value } = await model.structured(
      {
        messages: [
          { role: "system", content: instruction },
          { role: "user", content: `Summary so far: ${summary || "none"}\n\n${lines.join("\n")}` },
        ],
        schema: Extraction,
        maxTokens: 700,
        maxPromptTokens: 3000,
      },
      { signal },
    );
    summary = value.summary;
    for (const proposition of value.propositions) {
      const cites = proposition.lines.map((line) => turns[line - 1]).filter((turn) => turn !== undefined);
      // A fact that no line says is the model's own.
      if (cites.length === 0) continue;
      found.push({
        statement: proposition.statement,
        cites: cites.map((turn) => turn.id),
        at: cites[0]!.at,
        strength: cites[0]!.strength,
      });
    }
    if (start + windowSize >= said.length) break;
  }
  return found;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * (b[i] ?? 0);
  return sum;
}

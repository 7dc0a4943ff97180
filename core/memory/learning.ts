import type { ChatModel } from "../models/types.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { type PassageRow, passageColumns, toItem } from "./index/rows.ts";
import { extractByModel, extractByRules, type Knowledge, type Said } from "./knowledge.ts";
import type { PassageIndex } from "./types.ts";
import { anticipatedQuestions, rerankByModel } from "./with-model.ts";

/** How long an answer may wait for a model to order what was found. */
const rerankPatienceMs = 4_000;
/** Exchanges of one conversation that are gone through together. */
const episodesAtOnce = 20;

export interface LearningDeps {
  readonly db: WritableDatabase;
  readonly index: PassageIndex;
  readonly knowledge: Knowledge;
  readonly busy: () => boolean;
  /** A model that can extract facts and order passages; null leaves both to rules. */
  readonly capable: () => Promise<ChatModel | null>;
  readonly onLearned: () => void;
}

/** Makes facts out of what was said, in idle time; with a capable model also the questions that they answer. */
export class Learning {
  readonly #deps: LearningDeps;
  readonly #stopped = new AbortController();

  constructor(deps: LearningDeps) {
    this.#deps = deps;
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Listwise by a capable model, given little time: the order that is there is good already. */
  readonly rerank = async (question: string, passages: readonly string[], signal?: AbortSignal) => {
    const model = await this.#deps.capable();
    if (!model) return null;
    const patience = AbortSignal.timeout(rerankPatienceMs);
    return rerankByModel(model, question, passages, signal ? AbortSignal.any([signal, patience]) : patience);
  };

  /** Facts of the oldest conversation that still waits for it. True when there was one. */
  async next(): Promise<boolean> {
    const { db, knowledge } = this.#deps;
    const signal = this.#stopped.signal;
    const waiting = db
      .read<{ source_id: string }>("SELECT source_id FROM episodes WHERE extracted = 0 ORDER BY at LIMIT 1")
      .get();
    if (!waiting || signal.aborted) return false;
    const batch = db
      .read<{ id: string }>(
        `SELECT id FROM episodes WHERE extracted = 0 AND source_id = ? ORDER BY at LIMIT ${episodesAtOnce}`,
      )
      .all(waiting.source_id)
      .map((row) => row.id);
    const said = db
      .read<Said>(
        `SELECT p.id, p.speaker, p.text, p.at, p.strength FROM derivatives d JOIN passages p ON p.id = d.id
         WHERE d.episode_id IN (SELECT value FROM json_each(?)) ORDER BY p.position`,
      )
      .all(JSON.stringify(batch));
    const model = await this.#deps.capable().catch(() => null);
    const found = model
      ? await extractByModel(model, said, signal).catch(() => extractByRules(said))
      : extractByRules(said);
    if (signal.aborted) return false;
    const stored = await knowledge.add(found, signal);
    const learned = stored.filter((one) => one.outcome !== "cited").map((one) => one.id);
    if (model) await this.#addQuestions(model, learned).catch(() => {});
    if (signal.aborted) return false;
    db.write("UPDATE episodes SET extracted = 1 WHERE id IN (SELECT value FROM json_each(?))").run(
      JSON.stringify(batch),
    );
    this.#deps.onLearned();
    return true;
  }

  /** Questions that the facts just learned answer, embedded beside them. */
  async #addQuestions(model: ChatModel, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      if (this.#deps.busy() || this.#stopped.signal.aborted) return;
      const row = this.#deps.db.read<PassageRow>(`SELECT ${passageColumns} FROM passages p WHERE p.id = ?`).get(id);
      if (!row) continue;
      const questions = await anticipatedQuestions(model, row.text, this.#stopped.signal);
      const parts = questions.map((text) => ({ role: "question" as const, text }));
      if (parts.length > 0) this.#deps.index.put([{ ...toItem(row), parts }]);
    }
  }
}

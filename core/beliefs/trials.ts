import type { Clock } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import type { TrialStore } from "./scorer/index.ts";
import { TRIAL_PASS } from "./scorer/model.ts";

/** How each model did on the trial items; asked once a model. */
export class TrialResults implements TrialStore {
  readonly #db: WritableDatabase;
  readonly #clock: Clock;

  constructor(db: WritableDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  passed(modelId: string): boolean | null {
    const row = this.#db
      .read<{ correct: number }>("SELECT correct FROM belief_scorer_trials WHERE model_id = ?")
      .get(modelId);
    return row ? row.correct >= TRIAL_PASS : null;
  }

  record(modelId: string, right: number, of: number): void {
    this.#db
      .write("INSERT OR REPLACE INTO belief_scorer_trials (model_id, correct, asked, at) VALUES (?, ?, ?, ?)")
      .run(modelId, right, of, this.#clock.now());
  }
}

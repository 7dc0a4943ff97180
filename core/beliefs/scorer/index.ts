/** Weighs one text, seen alone, as evidence. The rules always speak; a model that has proved itself may add to them. */

import type { ChatModel, Embedder } from "../../models/types.ts";
import type { Log } from "../../platform/index.ts";
import type { EvidenceScore } from "../types.ts";
import { askModel, combine, TRIAL_PASS, trialItems } from "./model.ts";
import { createRuleScorer } from "./rules.ts";

export interface Scorer {
  score(text: string, options: ScoreOptions): Promise<EvidenceScore>;
  /** Puts the trial items to a model once and remembers whether it may be heard. */
  tryModel(model: ChatModel, signal: AbortSignal): Promise<boolean>;
}

export interface ScoreOptions {
  /** Existing topic slugs, to be reused. */
  readonly topics: readonly string[];
  /** False keeps to the rules even when a model could be asked. */
  readonly useModel: boolean;
  readonly signal: AbortSignal;
}

/** Where the results of trials are kept, by model id. */
export interface TrialStore {
  passed(modelId: string): boolean | null;
  record(modelId: string, right: number, of: number): void;
}

export function createScorer(deps: {
  readonly embedder: () => Promise<Embedder | null>;
  /** The loaded chat model, or null; it is never loaded for this. */
  readonly model: () => Promise<ChatModel | null>;
  readonly trials: TrialStore;
  readonly log: Log;
}): Scorer {
  const rules = createRuleScorer({ embedder: deps.embedder });

  async function tryModel(model: ChatModel, signal: AbortSignal): Promise<boolean> {
    const known = deps.trials.passed(model.description.id);
    if (known !== null) return known;
    let right = 0;
    for (const [i, [text, type]] of trialItems.entries()) {
      try {
        if ((await askModel(model, text, signal)).type === type) right++;
      } catch (thrown) {
        signal.throwIfAborted();
        deps.log.info("evidence.trial-failed", { item: i, reason: thrown instanceof Error ? thrown.message : "" });
      }
      // Too far behind to pass: the rest need not be asked.
      if (right + (trialItems.length - 1 - i) < TRIAL_PASS) break;
    }
    deps.trials.record(model.description.id, right, trialItems.length);
    return right >= TRIAL_PASS;
  }

  return {
    tryModel,
    async score(text, { topics, useModel, signal }) {
      const byRules = await rules.score(text, { topics, signal });
      if (!useModel) return byRules;
      try {
        const model = await deps.model();
        if (!model || !(await tryModel(model, signal))) return byRules;
        return combine(byRules, await askModel(model, text, signal), model.description.name);
      } catch (thrown) {
        signal.throwIfAborted();
        deps.log.warn("evidence.model-failed", { reason: thrown instanceof Error ? thrown.message : String(thrown) });
        return byRules;
      }
    },
  };
}

/**
 * Beliefs that change only for evidence. The model proposes, arithmetic disposes: every change passes one gate and one
 * formula, is one row of a log that rebuilds everything, and can be taken back.
 */
import { Beliefs, type BeliefsDeps } from "./service.ts";

export { beliefHandlers } from "./handlers.ts";
export { createBeliefPorts } from "./ports.ts";
export type { Beliefs, BeliefsDeps } from "./service.ts";
export * from "./types.ts";
export type { Item, Weighed } from "./weigher.ts";
export { refusalWords, typeWords } from "./words.ts";

export function createBeliefs(deps: BeliefsDeps): Beliefs {
  return new Beliefs(deps);
}

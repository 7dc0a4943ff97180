/**
 * Who proposes the next action: the model with native calls, the model choosing under a grammar, or the harness. All three
 * stand behind one interface, and which one fits a model follows from what it was measured to do.
 */
import type { ChatModel } from "../../models/types.ts";
import { grammarProposer } from "./grammar.ts";
import { createHarnessProposer } from "./harness.ts";
import { nativeProposer } from "./native.ts";
import type { Router } from "./router.ts";
import type { Proposer, ProposerFor, ProposerKind } from "./types.ts";

export { chooseUnderGrammar } from "./grammar.ts";
export { TOOL_OF } from "./harness.ts";
export { ACTIONS, type Action } from "./head.ts";
export { headStore } from "./head-store.ts";
export { routeHandlers } from "./route-handler.ts";
export { createRouter, type Route, type Router } from "./router.ts";
export type * from "./types.ts";

/** Picks by what is known of the model; an unknown model is driven by the harness until it is known. */
export function createProposerFor(deps: {
  readonly router: Router;
  readonly kindFor: (model: ChatModel) => ProposerKind | null | Promise<ProposerKind | null>;
}): ProposerFor {
  const proposers: Readonly<Record<ProposerKind, Proposer>> = {
    native: nativeProposer,
    grammar: grammarProposer,
    harness: createHarnessProposer(deps.router),
  };
  return async (model) => proposers[(await deps.kindFor(model)) ?? "harness"];
}

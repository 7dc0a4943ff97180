/**
 * The agent loop: a message comes in, its context is prepared, steps of thinking and acting follow, an answer is stored.
 * However a turn ends, it ends: within its ceiling, with its lock released and with words for the user.
 */
export * from "./agent.ts";
export { createAptitude } from "./aptitude/index.ts";
export { createCallRecognizer } from "./calls/index.ts";
export type { AgentDeps } from "./deps.ts";
export * from "./handlers.ts";
export type * from "./ports.ts";
export { createProposerFor, createRouter, headStore, type Router, routeHandlers } from "./proposers/index.ts";
export type {
  CallRecognizer,
  PastAction,
  Proposal,
  ProposalRequest,
  Proposer,
  ProposerFor,
  ProposerKind,
  Recognition,
} from "./proposers/types.ts";
export type { IngestReport, IngestRequest } from "./run-ingest.ts";
export { titleFrom } from "./title.ts";

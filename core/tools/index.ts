/**
 * Tools that the loop may call: a registry whose contents come and go, a gate that asks the user, a breaker that rests
 * what keeps failing. Nothing here runs by itself, and nothing leaves the machine without consent.
 */
export { feedLookupPort, libraryPort, memorySearchPort } from "./adapters.ts";
export { builtInTools } from "./built-in/index.ts";
export { wordsForNothing } from "./built-in/nothing.ts";
export { createCircuitBreaker, TOOL_LIMITS } from "./circuit-breaker.ts";
export { createApprovalGate, type RuledGate, type StandingRule } from "./gate.ts";
export { toolHandlers } from "./handlers.ts";
export { createMcp, type Mcp, mcpHandlers } from "./mcp/manager.ts";
export type {
  BeliefLookupPort,
  BuiltInPorts,
  FeedLookupPort,
  FoundBelief,
  KnowledgePort,
  LibraryPort,
  MemorySearchPort,
} from "./ports.ts";
export { createToolRegistry } from "./registry.ts";
export * from "./types.ts";
export { modelPlanner } from "./web/planner.ts";
export type { EmbedPort, PageReaderPort, PlannerPort } from "./web/ports.ts";
export { createProductivity } from "./web/rank.ts";
export type { ResearchDeps } from "./web/research.ts";
export { webResearch } from "./web/web-research.ts";

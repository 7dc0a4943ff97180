import type { Budget, HistoryMessage, TokenCounter } from "../context/index.ts";
import type { Conversation, FoundPassage, Message } from "../contract/index.ts";
import type { ChatModel, ChatResult } from "../models/types.ts";
import type { AnyTool, Passage } from "../tools/types.ts";
import type { CostTracker } from "./cost.ts";
import type { SharedActivityState } from "./heartbeat.ts";
import type { RelevantBelief } from "./ports.ts";
import type { PromptStyle } from "./prompts.ts";
import type { Proposer, ProposerKind } from "./proposers/types.ts";
import type { TokenStreamPublisher } from "./publisher.ts";
import type { Trail, TrailKey } from "./trail.ts";
import { emptyMemory, type TurnMemory } from "./working-memory.ts";

/** A call resolved to its tool, with valid arguments. */
export interface ResolvedCall {
  readonly callId: string;
  readonly tool: AnyTool;
  readonly args: unknown;
  readonly label: string;
  readonly proposer: ProposerKind;
}

/** What a call brought, kept until the action is consolidated. */
export interface CallResult {
  readonly call: ResolvedCall;
  readonly outcome: "ok" | "error";
  /** The whole output; for an error, its words. */
  readonly text: string;
  /** One line for the user. */
  readonly summary: string;
  /** One line for the working memory, where it must differ from the summary. */
  readonly line?: string;
}

/** What the context stage prepared for all steps of a turn. */
export interface TurnContext {
  readonly model: ChatModel;
  readonly proposer: Proposer;
  readonly style: PromptStyle;
  readonly budget: Budget;
  readonly counter: TokenCounter;
  /** Whether side calls of this model copy facts faithfully; key sentences are taken otherwise. */
  readonly canCopyFacts: boolean;
  readonly snapshot: string;
  /** The newest user message as the model reads it (a stand-in when it became an attached document). */
  readonly user: string;
  readonly beliefs: readonly RelevantBelief[];
  summary: string;
  history: readonly HistoryMessage[];
  /** The step is answered beside the conversation's own sequence, which stays evaluated for later messages. */
  readonly aside: boolean;
  /** Messages that are left out although they would fit, and why; null when there are none. */
  readonly omitted: { readonly what: string; readonly tokens: number; readonly reason: string } | null;
}

/** A turn of a conversation, or one item that is read in the background: then nobody can be asked anything. */
export type TurnMode = "chat" | "ingest";

/** One turn, from the message to the stored answer. */
export interface Turn {
  readonly mode: TurnMode;
  readonly key: TrailKey;
  readonly conversation: Conversation;
  readonly user: Message;
  readonly trail: Trail;
  readonly publisher: TokenStreamPublisher;
  readonly cost: CostTracker;
  readonly activity: SharedActivityState;
  readonly limit: number;
  readonly startedAt: number;
  /** Aborted when the turn ends, however it ends: everything it started lets go. */
  readonly abort: AbortController;
  /** Sources found so far, numbered from 1 in the order they were found. */
  readonly found: FoundPassage[];
  readonly calls: Map<string, ResolvedCall>;
  readonly results: Map<string, CallResult>;
  /** Why calls were refused, for the model. */
  readonly refusals: Map<string, string>;
  /** Calls that the window has been told of. */
  readonly announced: Set<string>;
  /** Findings that become episodes once the turn is over. */
  readonly findings: { readonly tool: string; readonly text: string }[];
  memory: TurnMemory;
  context: TurnContext | null;
  /** How many of `found` came from recall before the first step; the rest came from tools. */
  recalled: number;
  /** The model's newest reply in THINKING. */
  lastReply: ChatResult | null;
  /** Why the turn degraded or failed, when it did. */
  problem: { readonly reason: string; readonly action: string } | null;
}

export function newTurn(
  parts: Omit<
    Turn,
    | "abort"
    | "found"
    | "calls"
    | "results"
    | "refusals"
    | "announced"
    | "findings"
    | "memory"
    | "context"
    | "recalled"
    | "lastReply"
    | "problem"
  >,
): Turn {
  return {
    ...parts,
    abort: new AbortController(),
    found: [],
    calls: new Map(),
    results: new Map(),
    refusals: new Map(),
    announced: new Set(),
    findings: [],
    memory: emptyMemory,
    context: null,
    recalled: 0,
    lastReply: null,
    problem: null,
  };
}

/** The prepared context; asking before the context stage has ended is a bug. */
export function contextOf(turn: Turn): TurnContext {
  if (!turn.context) throw new Error("The context stage has not ended");
  return turn.context;
}

/** Numbers new sources, tells the window, and gives each passage its number (an earlier one when it was found before). */
export function addFound(turn: Turn, passages: readonly Passage[]): number[] {
  if (passages.length === 0) return [];
  let added = false;
  const numbers = passages.map((passage) => {
    const known = turn.found.find((other) => other.kind === passage.kind && other.sourceId === passage.sourceId);
    if (known) return known.number;
    added = true;
    const number = turn.found.length + 1;
    turn.found.push({ ...passage, number, cited: false });
    return number;
  });
  if (added) turn.trail.add({ type: "turn.found", passages: [...turn.found] });
  return numbers;
}

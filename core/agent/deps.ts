import type { SummaryStore, TokenCounter } from "../context/index.ts";
import type { Message, MessageId, ModelId, TurnEvent } from "../contract/index.ts";
import type { ConversationStore } from "../conversations/types.ts";
import type { ChatModel, Models } from "../models/types.ts";
import type { Clock, Log } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import type { ApprovalGate, CircuitBreaker, ToolRegistry } from "../tools/types.ts";
import type { Artifacts } from "./artifacts.ts";
import type { CostLimits } from "./cost.ts";
import type { AttachPort, BeliefsPort, EpisodesPort, RecallPort } from "./ports.ts";
import type { CallRecognizer, ProposerFor } from "./proposers/types.ts";
import type { Trails } from "./trail.ts";

export interface ActiveModel {
  readonly id: ModelId;
  readonly name: string;
}

/** What an agent is made of. Everything optional may be absent: the loop then answers without it. */
export interface AgentDeps {
  readonly db: WritableDatabase;
  readonly conversations: ConversationStore & { questionOf(id: MessageId): Message | null };
  readonly models: Models;
  /** The chat model that would answer now, known without loading it. */
  readonly activeModel?: () => Promise<ActiveModel | null>;
  readonly clock: Clock;
  readonly log: Log;
  readonly publish: (event: TurnEvent) => void;
  /** Exact prompts and whole tool outputs go here. */
  readonly artifactsDir: string;
  readonly artifactsMaxBytes?: number;
  readonly settings: () => { readonly maxIterations: number };
  /** Longest reply in tokens; by default what the window has room for. */
  readonly maxReplyTokens?: number;
  /** Whether work that an earlier run left undone is done by this agent; false beside another Credence, or when nothing may be written. */
  readonly adoptBookkeeping?: boolean;
  readonly costLimits?: CostLimits;

  readonly tools?: ToolRegistry;
  readonly gate?: ApprovalGate;
  readonly breaker?: CircuitBreaker;
  readonly proposerFor?: ProposerFor;
  /** From the model's aptitude profile; absent means yes. */
  readonly canCopyFacts?: (model: ChatModel) => boolean;
  readonly recognizer?: CallRecognizer;
  readonly recall?: RecallPort;
  readonly beliefs?: BeliefsPort;
  readonly episodes?: EpisodesPort;
  readonly attach?: AttachPort;
}

/** The same with what the agent itself adds: shared by all stages. */
export interface AgentParts extends AgentDeps {
  readonly recognizer: CallRecognizer;
  readonly trails: Trails;
  readonly artifacts: Artifacts;
  readonly summaries: SummaryStore;
  /** A token counter per model: texts counted in one turn are known in the next. */
  readonly counters: Map<string, TokenCounter>;
}

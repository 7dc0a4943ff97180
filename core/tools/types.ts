/**
 * What a tool is, and the three parts that stand between the loop and a tool: the registry (which tools there are),
 * the approval gate (may it run), the circuit breaker (is it worth running). All of them are pure of the loop's state.
 */
import type { z } from "zod";
import type { BeliefNote, ConversationId, FoundPassage, TurnId } from "../contract/index.ts";
import type { ToolDefinition } from "../models/types.ts";

/** `safe` runs at once and side by side with others; `sensitive` and `destructive` run alone, through the gate. */
export type SafetyClass = "safe" | "sensitive" | "destructive";

/** A source that a tool or recall found; the loop numbers it for citation. */
export type Passage = Omit<FoundPassage, "number" | "cited">;

/** What a running tool knows of its surroundings. */
export interface ToolContext {
  readonly conversationId: ConversationId;
  readonly turnId: TurnId;
  readonly callId: string;
  /** The newest user message, whole. */
  readonly userText: string;
  /** Collections that answers may be drawn from; null means everything. */
  readonly scope: readonly string[] | null;
  /** True in a conversation that must leave no trace: nothing may be stored for it. */
  readonly ephemeral: boolean;
  /** Aborted when the turn is stopped or the tool's time is up: the tool must let go within 200 ms. */
  readonly signal: AbortSignal;
  /** Tells the user what is being done, in words; `fraction` 0..1 when known. */
  progress(label: string, fraction?: number | null): void;
}

export interface ToolOutput {
  /**
   * The whole result as text, of any size. It goes to disk and to the consolidator, never into a THINKING prompt.
   * Natural boundaries (blank lines, line ends) make it fold well.
   */
  readonly text: string;
  /** One line for the user: "3 passages in 2 documents". */
  readonly summary: string;
  /** Sources to show beside the answer, best first. */
  readonly passages?: readonly Passage[];
  /** Changes of beliefs that the call made or weighed. */
  readonly beliefs?: readonly BeliefNote[];
}

export interface ToolQuestion {
  readonly question: string;
  /** Short answers to pick from; the user may always write another. */
  readonly options: readonly string[];
}

export interface Tool<Args = unknown> {
  /** Lower case with underscores; unique in the registry. */
  readonly name: string;
  /** For the model: when to use it and what comes back. */
  readonly description: string;
  /** Validates and types the arguments. Absent arguments arrive as `{}`. */
  readonly schema: z.ZodType<Args>;
  /** JSON schema of the arguments (object at the top), as the model sees it. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly safety: SafetyClass;
  /** The call may run this long, in milliseconds, before it counts as failed. */
  readonly timeoutMs: number;
  /** For the user, in the present tense: "Searching your library for “gutter joints”". */
  label(args: Args): string;
  /** What would leave the machine, in words for the approval dialog; null when nothing does. */
  leaves?(args: Args): string | null;
  /** Why the tool cannot run now ("The network is off."); null when it can. An unavailable tool is not offered to the model. */
  unavailable?(): string | null;
  /** A tool that asks the user instead of running: the loop puts the question (CLARIFYING) and the answer is its output. */
  asks?(args: Args): ToolQuestion;
  /** Runs the call. Throws a `CredenceError` (or anything) when it fails; the words go back to the model. */
  execute(args: Args, context: ToolContext): Promise<ToolOutput>;
}

/** A tool of any arguments, as the registry keeps it. Arguments are validated by `schema` before every call. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds tools of all argument types; `schema` recovers each at run time
export type AnyTool = Tool<any>;

/** What decides which tools a conversation gets. */
export interface ToolPolicy {
  readonly conversationId: ConversationId;
  readonly ephemeral: boolean;
}

export interface ToolRegistry {
  /** Adds a tool at run time; the returned function takes it away again. Throws when the name is taken. */
  register(tool: AnyTool): () => void;
  get(name: string): AnyTool | undefined;
  /** The tools that the policy and their own availability allow now, in a stable order (the prompt prefix depends on it). */
  available(policy: ToolPolicy): readonly AnyTool[];
  /** Told after every change of the set, an MCP server that connects or leaves included. */
  onChange(listener: () => void): () => void;
}

/** The model's view of a tool. */
export function definitionOf(tool: AnyTool): ToolDefinition {
  return { name: tool.name, description: tool.description, parameters: tool.parameters };
}

export type GateDecision =
  | { readonly kind: "allow"; readonly because: string }
  | { readonly kind: "ask" }
  /** `reason` goes back to the model. */
  | { readonly kind: "deny"; readonly reason: string };

export interface ApprovalGate {
  /** From the tool's class, the user's standing rules and the conversation's grants. Pure of side effects. */
  decide(tool: AnyTool, args: unknown, conversationId: ConversationId): GateDecision;
  /** Keeps what the user decided, as far as `remember` reaches; answers in words what was kept ("this conversation"). */
  remember(
    tool: AnyTool,
    args: unknown,
    conversationId: ConversationId,
    decision: "allow" | "deny",
    remember: "once" | "conversation" | "always",
  ): string;
}

export type BreakerState = "closed" | "open" | "half-open";

/** One breaker per key (a tool's name). CLOSED -> n failures in a row -> OPEN -> cool-down -> HALF_OPEN -> CLOSED. */
export interface CircuitBreaker {
  state(key: string): BreakerState;
  /** Asks to run one call. In HALF_OPEN a single probe is admitted. Every admitted call ends in one of the three below. */
  admit(key: string): { readonly admitted: true } | { readonly admitted: false; readonly retryAt: number };
  succeeded(key: string): void;
  failed(key: string): void;
  /** The call was stopped by the user: says nothing about the tool. */
  released(key: string): void;
}

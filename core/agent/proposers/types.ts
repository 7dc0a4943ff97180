/** Who proposes the next action in THINKING, behind one interface; the automaton and everything after are the same for all. */
import type { ChatMessage, ChatModel, ToolCall } from "../../models/types.ts";
import type { AnyTool } from "../../tools/types.ts";

export type ProposerKind = "native" | "grammar" | "harness";

/** One action that the loop has already taken in this turn, or refused to repeat. */
export interface PastAction {
  readonly tool: string;
  readonly args: unknown;
  readonly outcome: "ok" | "error" | "denied" | "repeated" | "interrupted" | "circuit-open" | "invalid";
  /** One line. */
  readonly summary: string;
}

/** What a proposer may look at. */
export interface ProposalRequest {
  readonly userText: string;
  /** Messages before the newest user message, oldest first. */
  readonly history: readonly ChatMessage[];
  /** 1 for the first. */
  readonly iteration: number;
  /** Tools that the model may use now; empty means that only an answer is possible. */
  readonly tools: readonly AnyTool[];
  readonly past: readonly PastAction[];
  /** Sources already found before the first step (pre-seeded recall): a proposer need not fetch them again. */
  readonly found: number;
  /** Plan and findings so far, as the last consolidation wrote them; empty on the first step. */
  readonly plan: string;
  readonly findings: string;
  readonly model: ChatModel;
  /** Grows a prompt within the budget for proposers that ask the model themselves: messages stable to volatile. */
  readonly messages: readonly ChatMessage[];
  readonly maxPromptTokens: number;
  readonly signal: AbortSignal;
}

export type Proposal =
  /** Answer now, without tools in the prompt. With `text` these words are the answer, and the model is not asked. */
  | { readonly kind: "answer"; readonly confidence: number; readonly reason: string; readonly text?: string }
  | {
      readonly kind: "calls";
      readonly calls: readonly ToolCall[];
      readonly confidence: number;
      readonly reason: string;
    }
  /** Nothing is left to do and nobody waits for words (an item read in the background). */
  | { readonly kind: "done"; readonly reason: string }
  /** Give the model its tools and let its own reply be the decision (one model call for both). */
  | { readonly kind: "ask-model" };

export interface Proposer {
  readonly kind: ProposerKind;
  /** Tokens that it spent on side calls, if any, are added to the turn's cost. Never throws for a doubtful case: it answers. */
  propose(request: ProposalRequest): Promise<{ proposal: Proposal; promptTokens: number; generatedTokens: number }>;
}

/** Picks the proposer that fits what a model can do (its aptitude profile). */
export type ProposerFor = (model: ChatModel) => Promise<Proposer>;

/** Calls that a model wrote as text: bare or fenced JSON, XML-like tags, Python-like. */
export type Recognition =
  | { readonly kind: "text" }
  /** `before` is the prose in front of the first call, if any. */
  | { readonly kind: "calls"; readonly calls: readonly ToolCall[]; readonly before: string }
  /** It was meant as a call but cannot be read, or names no tool; `problem` goes back to the model. */
  | { readonly kind: "malformed"; readonly problem: string; readonly before: string };

export interface CallRecognizer {
  /** Judges a finished reply. `names` are the tools on offer. */
  recognize(text: string, names: readonly string[]): Recognition;
  /**
   * While streaming: how many characters of `textSoFar` are surely prose and may be shown.
   * What may still turn out to be a call is held back (and shown later, if it was prose after all).
   */
  safePrefix(textSoFar: string, names: readonly string[]): number;
}

import type { BudgetSplit, MessageId } from "../contract/index.ts";
import type { ChatMessage, ToolDefinition } from "../models/types.ts";

/** One message of the conversation as the model sees it. Its text is the same in every later turn (KV cache reuse). */
export interface HistoryMessage {
  readonly id: MessageId;
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** The working memory of an iteration, part by part so that the guard can shorten the right one. */
export interface WorkingMemory {
  /** Which step this is and what remains. */
  readonly header: string;
  /** Current plan (short-term memory). */
  readonly plan: string;
  /** Findings so far (long-term memory), oldest first. */
  readonly findings: readonly string[];
  /** The last actions, one line each, oldest first. */
  readonly actions: readonly string[];
  /** One next action, or the answer. */
  readonly reminder: string;
}

/** Everything that may go into a prompt, in the order from stable to volatile. */
export interface PromptParts {
  /** Core identity and rules: fixed. */
  readonly system: string;
  /** Personality snapshot: changes rarely. */
  readonly snapshot: string;
  readonly tools: readonly ToolDefinition[];
  /** Anchored summary of what is older than `history`; "" while there is none. */
  readonly summary: string;
  readonly history: readonly HistoryMessage[];
  /** Recalled passages as the model reads them, best first. */
  readonly memories: readonly string[];
  /** Relevant beliefs, one line each, most relevant first. */
  readonly beliefs: readonly string[];
  /** Null in the first step, where there is nothing to remember yet. */
  readonly working: WorkingMemory | null;
  /** The newest user message. */
  readonly user: string;
  /** The synthesis nudge; "" otherwise. */
  readonly nudge: string;
}

export interface ComposedPrompt {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly split: BudgetSplit;
  /** History that did not fit, oldest first: the caller has it summarised and composes again. */
  readonly leftOut: readonly HistoryMessage[];
  /** Recalled passages that are in the prompt (they come first in `parts.memories`). */
  readonly memoriesKept: number;
}

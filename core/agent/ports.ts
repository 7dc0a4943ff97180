/**
 * What the loop takes from memory, beliefs and documents. All of them are optional: an absent port means "nothing found"
 * or "not kept", so that a turn never depends on them for its answer.
 */
import type { BeliefNote, ConversationId, MessageId, TurnId } from "../contract/index.ts";
import type { Passage } from "../tools/types.ts";

/** Pre-seeded recall: memories, messages and document passages that belong to the newest message. */
export interface RecallPort {
  /** Ranked, best first, at most `limit`; empty when nothing fits or the message needs none (a greeting). */
  recall(request: {
    readonly text: string;
    readonly conversationId: ConversationId;
    /** The message itself, so that it is not found as its own memory. */
    readonly messageId: MessageId;
    readonly scope: readonly string[] | null;
    readonly limit: number;
    readonly signal: AbortSignal;
  }): Promise<readonly Passage[]>;
}

export interface RelevantBelief {
  readonly beliefId: string;
  readonly statement: string;
  /** -1..1 */
  readonly valence: number;
  /** 0..1 */
  readonly confidence: number;
  /** The words of the strongest evidence on the side it is held, for an answer that has to say why. */
  readonly evidence?: string | undefined;
}

export interface BeliefsPort {
  /** The personality snapshot, about 500 tokens; "" while there is none. Changes rarely: it is part of the stable prompt. */
  snapshot(): string;
  /** Beliefs that bear on `text`, most relevant first. */
  relevant(request: {
    readonly text: string;
    readonly limit: number;
    readonly signal: AbortSignal;
  }): Promise<readonly RelevantBelief[]>;
  /** Scores the user's message alone as evidence and revises beliefs by the rules; runs in bookkeeping, after the answer. */
  weigh(request: {
    readonly conversationId: ConversationId;
    readonly turnId: TurnId;
    readonly messageId: MessageId;
    readonly text: string;
    readonly signal: AbortSignal;
  }): Promise<readonly BeliefNote[]>;
}

/** Where exchanges and findings become episodes. Never called for an ephemeral conversation. */
export interface EpisodesPort {
  /** One question and its answer, after the turn. Recalled text that the answer saw is passed so that it is not stored again. */
  exchange(request: {
    readonly conversationId: ConversationId;
    readonly turnId: TurnId;
    readonly userMessageId: MessageId;
    readonly assistantMessageId: MessageId;
    readonly userText: string;
    readonly answer: string;
    readonly recalled: readonly Passage[];
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** What one action found (long-term memory of a consolidation, more than 50 characters). */
  finding(request: {
    readonly conversationId: ConversationId;
    readonly turnId: TurnId;
    readonly tool: string;
    readonly text: string;
    readonly signal: AbortSignal;
  }): Promise<void>;
}

/** Where a message larger than the whole budget goes. */
export interface AttachPort {
  /** Keeps the text as a document of the conversation; `opening` passages are shown to the model in its place. */
  attach(request: {
    readonly conversationId: ConversationId;
    readonly messageId: MessageId;
    readonly text: string;
  }): Promise<{ readonly documentId: string; readonly title: string }>;
}

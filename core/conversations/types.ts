import type { Conversation, ConversationId, Message, MessageId, ModelId, TurnId } from "../contract/index.ts";

export interface NewAnswer {
  readonly conversationId: ConversationId;
  readonly turnId: TurnId;
  /** The user message that it answers. Earlier answers to the same message are kept as versions and hidden. */
  readonly replyTo: MessageId;
  readonly modelId: ModelId | null;
  readonly modelName: string | null;
}

export interface AnswerEnd {
  readonly state: "complete" | "interrupted" | "failed";
  readonly content: string;
  readonly reasoning: string;
  readonly generatedTokens: number | null;
  readonly tokensPerSecond: number | null;
  /** In words for the user; required unless complete. */
  readonly note: string | null;
}

export interface MessagePage {
  readonly messages: Message[];
  readonly total: number;
  readonly hasOlder: boolean;
}

/** What the agent loop may do to conversations: write the messages of its own turn, read the history. */
export interface ConversationStore {
  get(id: ConversationId): Conversation;
  /** The shown messages, oldest first; damaged rows are left out. `after` (exclusive) reads on from a message. */
  history(id: ConversationId, options?: { after?: MessageId | null }): Message[];
  message(id: MessageId): Message;
  appendUser(conversationId: ConversationId, text: string, turnId: TurnId): Message;
  /** Makes the empty `streaming` answer row of a turn. */
  beginAnswer(answer: NewAnswer): Message;
  /** Stores the text so far of a streaming answer; called a few times a second while it grows. */
  updateAnswer(id: MessageId, soFar: { content: string; reasoning: string }): void;
  endAnswer(id: MessageId, end: AnswerEnd): Message;
  /** Sets a derived title; ignored once the user has named the conversation. */
  deriveTitle(id: ConversationId, title: string): void;
  setActiveTurn(id: ConversationId, turnId: TurnId | null): void;
}

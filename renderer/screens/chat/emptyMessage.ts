import type { ConversationId, Message, MessageId } from "../../../core/contract/index.ts";

/** Stands in while a conversation has no answer yet, so that hooks run in the same order. */
export const emptyMessage: Message = {
  id: "none" as MessageId,
  conversationId: "none" as ConversationId,
  turnId: null,
  role: "user",
  content: "",
  reasoning: "",
  state: "complete",
  createdAt: 0,
  modelName: null,
  modelId: null,
  generatedTokens: null,
  tokensPerSecond: null,
  note: null,
  versions: null,
  damaged: null,
};

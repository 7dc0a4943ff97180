import { z } from "zod";
import { ConversationId, MessageId, ModelId, TurnId } from "../ids.ts";
import { defineMethods } from "./define.ts";

/** Times are milliseconds since the epoch everywhere in the contract. */
export const Conversation = z.object({
  id: ConversationId,
  title: z.string(),
  /** False while the title is still the one Credence derived from the first message. */
  titled: z.boolean(),
  pinned: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  turns: z.number().int(),
  /** Set while a turn runs in it. */
  activeTurn: TurnId.nullable(),
  /** Answers are drawn from these collections only; null means from everything. */
  scope: z.array(z.string()).nullable(),
  /** Ephemeral conversations leave no trace once closed. */
  ephemeral: z.boolean(),
});
export type Conversation = z.infer<typeof Conversation>;

export const MessageState = z.enum(["streaming", "complete", "interrupted", "failed"]);

export const Message = z.object({
  id: MessageId,
  conversationId: ConversationId,
  turnId: TurnId.nullable(),
  role: z.enum(["user", "assistant"]),
  content: z.string(),
  /** What a reasoning model wrote between its thinking tags; shown apart, never fed back. */
  reasoning: z.string(),
  state: MessageState,
  createdAt: z.number(),
  modelName: z.string().nullable(),
  modelId: ModelId.nullable(),
  generatedTokens: z.number().int().nullable(),
  tokensPerSecond: z.number().nullable(),
  /** Why the message ended as it did, in words for the user (interrupted and failed only). */
  note: z.string().nullable(),
  /** Earlier answers to the same question, oldest first; regenerating keeps them. */
  versions: z.object({ index: z.number().int(), count: z.number().int() }).nullable(),
  /** Set when the row could not be read whole: what is left is shown, with this reason. */
  damaged: z.string().nullable(),
});
export type Message = z.infer<typeof Message>;

export const conversationMethods = defineMethods({
  "conversations.list": { params: z.object({ query: z.string().optional() }), result: z.array(Conversation) },
  "conversations.get": { params: z.object({ id: ConversationId }), result: Conversation },
  "conversations.create": { params: z.object({ ephemeral: z.boolean().optional() }), result: Conversation },
  "conversations.rename": {
    params: z.object({ id: ConversationId, title: z.string().min(1).max(200) }),
    result: Conversation,
  },
  "conversations.pin": { params: z.object({ id: ConversationId, pinned: z.boolean() }), result: Conversation },
  /** Deleting can be undone with `conversations.restore` until the app quits. */
  "conversations.delete": { params: z.object({ id: ConversationId }), result: z.null() },
  "conversations.restore": { params: z.object({ id: ConversationId }), result: Conversation },
  "conversations.setScope": {
    params: z.object({ id: ConversationId, scope: z.array(z.string()).nullable() }),
    result: Conversation,
  },
  /** A page of messages ending before `before` (exclusive), in conversation order; `before: null` means the newest page. */
  "conversations.messages": {
    params: z.object({
      id: ConversationId,
      before: MessageId.nullable().optional(),
      limit: z.number().int().min(1).max(500).optional(),
    }),
    result: z.object({ messages: z.array(Message), total: z.number().int(), hasOlder: z.boolean() }),
  },
  "conversations.showVersion": {
    params: z.object({ messageId: MessageId, index: z.number().int().min(0) }),
    result: Message,
  },
  "conversations.export": {
    params: z.object({ id: ConversationId, format: z.enum(["markdown", "json"]) }),
    result: z.object({ fileName: z.string(), text: z.string() }),
  },
});

import { z } from "zod";

/** Branded ids: a conversation's id cannot be passed where a message's is meant. All are opaque, non-empty strings. */
export const ConversationId = z.string().min(1).max(64).brand<"ConversationId">();
export type ConversationId = z.infer<typeof ConversationId>;
export const MessageId = z.string().min(1).max(64).brand<"MessageId">();
export type MessageId = z.infer<typeof MessageId>;
export const TurnId = z.string().min(1).max(64).brand<"TurnId">();
export type TurnId = z.infer<typeof TurnId>;
export const ModelId = z.string().min(1).max(128).brand<"ModelId">();
export type ModelId = z.infer<typeof ModelId>;

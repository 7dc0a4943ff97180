import { z } from "zod";
import { TurnEvent } from "../events/turn.ts";
import { ConversationId, MessageId, TurnId } from "../ids.ts";
import { defineMethods } from "./define.ts";

export const turnMethods = defineMethods({
  /** Stores the message and starts a turn; a turn still running in the conversation is interrupted first. */
  "turns.send": {
    params: z.object({ conversationId: ConversationId, text: z.string().min(1) }),
    result: z.object({ turnId: TurnId, userMessageId: MessageId, assistantMessageId: MessageId }),
  },
  "turns.regenerate": {
    params: z.object({ messageId: MessageId }),
    result: z.object({ turnId: TurnId, assistantMessageId: MessageId }),
  },
  "turns.stop": { params: z.object({ turnId: TurnId }), result: z.null() },
  /** Events of a running or recently ended turn after `afterSeq`, for a window that reloaded in the middle. */
  "turns.replay": {
    params: z.object({ turnId: TurnId, afterSeq: z.number().int().min(0) }),
    result: z.object({ events: z.array(TurnEvent), ended: z.boolean() }),
  },
  "turns.decide": {
    params: z.object({
      turnId: TurnId,
      callId: z.string(),
      decision: z.enum(["allow", "deny"]),
      remember: z.enum(["once", "conversation", "always"]),
      reason: z.string().max(500).optional(),
    }),
    result: z.null(),
  },
  /** The user's answer to a question the assistant asked back. */
  "turns.clarify": { params: z.object({ turnId: TurnId, text: z.string().min(1) }), result: z.null() },
  /** The stored trail of a finished turn: the same events, for the timeline and the inspector. */
  "turns.trail": {
    params: z.object({ messageId: MessageId }),
    result: z.object({ turnId: TurnId.nullable(), events: z.array(TurnEvent) }),
  },
  /** The whole output of one step (exact prompt, raw tool output) as kept on disk. */
  "turns.artifact": {
    params: z.object({ turnId: TurnId, artifactId: z.string(), offset: z.number().int().min(0).optional() }),
    result: z.object({ text: z.string(), totalChars: z.number().int(), nextOffset: z.number().int().nullable() }),
  },
});

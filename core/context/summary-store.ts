import type { ConversationId, MessageId } from "../contract/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { AnchoredSummary } from "./summary.ts";

export interface StoredSummary {
  readonly summary: AnchoredSummary;
  /** The newest message that the summary stands for. */
  readonly through: MessageId;
  /** How many messages it stands for, and their tokens; what it takes itself. */
  readonly messages: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Anchored summaries, one a conversation, and the stand-ins of messages that became attached documents. */
export interface SummaryStore {
  get(conversationId: ConversationId): StoredSummary | null;
  put(conversationId: ConversationId, stored: StoredSummary, now: number): void;
  /** What the model reads in place of a message that is attached as a document. */
  standIn(messageId: MessageId): string | null;
  putStandIn(conversationId: ConversationId, messageId: MessageId, documentId: string, text: string, now: number): void;
}

interface SummaryRow {
  readonly summary: string;
  readonly through_message: MessageId;
  readonly messages: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
}

export function createSummaryStore(db: WritableDatabase): SummaryStore {
  return {
    get(conversationId) {
      const row = db
        .read<SummaryRow>("SELECT * FROM conversation_summaries WHERE conversation_id = ?")
        .get(conversationId);
      const summary = row ? parse(row.summary) : null;
      if (!row || !summary) return null;
      return {
        summary,
        through: row.through_message,
        messages: row.messages,
        tokensBefore: row.tokens_before,
        tokensAfter: row.tokens_after,
      };
    },
    put(conversationId, stored, now) {
      db.write(
        `INSERT OR REPLACE INTO conversation_summaries
           (conversation_id, summary, through_message, messages, tokens_before, tokens_after, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        conversationId,
        JSON.stringify(stored.summary),
        stored.through,
        stored.messages,
        stored.tokensBefore,
        stored.tokensAfter,
        now,
      );
    },
    standIn(messageId) {
      return (
        db.read<{ stand_in: string }>("SELECT stand_in FROM message_attachments WHERE message_id = ?").get(messageId)
          ?.stand_in ?? null
      );
    },
    putStandIn(conversationId, messageId, documentId, text, now) {
      db.write(
        `INSERT OR REPLACE INTO message_attachments (message_id, conversation_id, document_id, stand_in, created_at)
         VALUES (?, ?, ?, ?, ?)`,
      ).run(messageId, conversationId, documentId, text, now);
    },
  };
}

/** A summary that can no longer be read is none: the history stands for itself again. */
function parse(text: string): AnchoredSummary | null {
  try {
    const parsed = AnchoredSummary.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

import type { Conversation, ConversationId, Message, MessageId, TurnId } from "../contract/index.ts";
import { CredenceError } from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";
import { newId } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { type ConversationRow, type MessageRow, toConversation, toMessage } from "./rows.ts";
import type { AnswerEnd, ConversationStore, MessagePage, NewAnswer } from "./types.ts";

export const UNTITLED = "New chat";

const INTERRUPTED_NOTE = "Credence stopped in the middle of this answer. What was written is kept.";

const SELECT_CONVERSATION = `
  SELECT c.*, (SELECT count(*) FROM messages m WHERE m.conversation_id = c.id AND m.role = 'user') AS turns
  FROM conversations c`;

const SELECT_MESSAGE = `
  SELECT m.*,
    CASE WHEN m.reply_to IS NULL THEN 1 ELSE (SELECT count(*) FROM messages v WHERE v.reply_to = m.reply_to) END AS version_count,
    CASE WHEN m.reply_to IS NULL THEN 0 ELSE (SELECT count(*) FROM messages v WHERE v.reply_to = m.reply_to AND v.seq < m.seq) END AS version_index
  FROM messages m`;

export interface ConversationsDeps {
  readonly db: WritableDatabase;
  readonly clock: Clock;
  /** Told after each change that a list of conversations would show. */
  readonly onChanged?: (ids: readonly ConversationId[]) => void;
  /** Told when a conversation is gone for good, so that what stands on it can go too. */
  readonly onPurged?: (id: ConversationId) => void;
}

/** Conversations and their messages. Every write is one short transaction; reads are tolerant of damaged rows. */
export class Conversations implements ConversationStore {
  readonly #db: WritableDatabase;
  readonly #clock: Clock;
  readonly #onChanged: (ids: readonly ConversationId[]) => void;
  readonly #onPurged: (id: ConversationId) => void;
  readonly #active = new Map<ConversationId, TurnId>();

  constructor(deps: ConversationsDeps) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#onChanged = deps.onChanged ?? (() => {});
    this.#onPurged = deps.onPurged ?? (() => {});
  }

  /** Newest first, pinned ones before the rest; `query` matches titles and message text, without case. */
  list(query = ""): Conversation[] {
    const words = query.trim();
    const rows = words
      ? this.#db
          .read<ConversationRow>(
            `${SELECT_CONVERSATION} WHERE c.deleted_at IS NULL AND (c.title LIKE @like ESCAPE '\\' OR EXISTS
               (SELECT 1 FROM messages m WHERE m.conversation_id = c.id AND m.shown = 1 AND m.content LIKE @like ESCAPE '\\'))
             ORDER BY c.pinned DESC, c.updated_at DESC`,
          )
          .all({ like: `%${words.replace(/[\\%_]/g, "\\$&")}%` })
      : this.#db
          .read<ConversationRow>(
            `${SELECT_CONVERSATION} WHERE c.deleted_at IS NULL ORDER BY c.pinned DESC, c.updated_at DESC`,
          )
          .all();
    return rows.map((row) => this.#conversation(row));
  }

  get(id: ConversationId): Conversation {
    const row = this.#db
      .read<ConversationRow>(`${SELECT_CONVERSATION} WHERE c.id = ? AND c.deleted_at IS NULL`)
      .get(id);
    if (!row) throw new CredenceError("general.not-found", { what: "conversation", id });
    return this.#conversation(row);
  }

  /** The title, or "" for a conversation that is not there (any more). */
  title(id: string): string {
    return this.#db.read<{ title: string }>("SELECT title FROM conversations WHERE id = ?").get(id)?.title ?? "";
  }

  /** Conversations that are deleted and can still be restored. */
  hidden(): ConversationId[] {
    return this.#db
      .read<{ id: ConversationId }>("SELECT id FROM conversations WHERE deleted_at IS NOT NULL")
      .all()
      .map((row) => row.id);
  }

  create(options: { ephemeral?: boolean } = {}): Conversation {
    const now = this.#clock.now();
    const id = newId("con", now) as ConversationId;
    this.#db
      .write("INSERT INTO conversations (id, title, ephemeral, created_at, updated_at) VALUES (?, ?, ?, ?, ?)")
      .run(id, UNTITLED, options.ephemeral ? 1 : 0, now, now);
    this.#onChanged([id]);
    return this.get(id);
  }

  rename(id: ConversationId, title: string): Conversation {
    return this.#change(id, "title = ?, titled = 1", title.trim() || UNTITLED);
  }

  pin(id: ConversationId, pinned: boolean): Conversation {
    return this.#change(id, "pinned = ?", pinned ? 1 : 0);
  }

  setScope(id: ConversationId, scope: readonly string[] | null): Conversation {
    return this.#change(id, "scope = ?", scope ? JSON.stringify(scope) : null);
  }

  /** Hides the conversation; `restore` brings it back until `purgeDeleted` runs. */
  delete(id: ConversationId): void {
    this.get(id);
    this.#db.write("UPDATE conversations SET deleted_at = ? WHERE id = ?").run(this.#clock.now(), id);
    this.#onChanged([id]);
  }

  restore(id: ConversationId): Conversation {
    this.#db.write("UPDATE conversations SET deleted_at = NULL WHERE id = ?").run(id);
    const conversation = this.get(id);
    this.#onChanged([id]);
    return conversation;
  }

  /** Removes deleted and ephemeral conversations for good. Run at quit and at start: undo lasts until the app quits. */
  purgeDeleted(): ConversationId[] {
    const ids = this.#db
      .read<{ id: ConversationId }>("SELECT id FROM conversations WHERE deleted_at IS NOT NULL OR ephemeral = 1")
      .all()
      .map((row) => row.id);
    for (const id of ids) {
      this.#db.transaction(() => this.#db.write("DELETE FROM conversations WHERE id = ?").run(id));
      this.#onPurged(id);
    }
    return ids;
  }

  /** Marks answers that were streaming when the process ended. Returns how many. */
  markInterrupted(): number {
    return this.#db
      .write("UPDATE messages SET state = 'interrupted', note = ? WHERE state = 'streaming'")
      .run(INTERRUPTED_NOTE).changes;
  }

  /** The page of shown messages that ends before `before` (exclusive; null: the newest page). */
  page(id: ConversationId, before: MessageId | null = null, limit = 60): MessagePage {
    this.get(id);
    const bound = before ? this.#seq(before) : Number.MAX_SAFE_INTEGER;
    const rows = this.#db
      .read<MessageRow>(
        `${SELECT_MESSAGE} WHERE m.conversation_id = ? AND m.shown = 1 AND m.seq < ? ORDER BY m.seq DESC LIMIT ?`,
      )
      .all(id, bound, limit + 1);
    const total = this.#db
      .read<{ n: number }>("SELECT count(*) AS n FROM messages WHERE conversation_id = ? AND shown = 1")
      .get(id)!.n;
    const hasOlder = rows.length > limit;
    return { messages: rows.slice(0, limit).reverse().map(toMessage), total, hasOlder };
  }

  history(id: ConversationId, options: { after?: MessageId | null } = {}): Message[] {
    const after = options.after ? this.#seq(options.after) : 0;
    return this.#db
      .read<MessageRow>(`${SELECT_MESSAGE} WHERE m.conversation_id = ? AND m.shown = 1 AND m.seq > ? ORDER BY m.seq`)
      .all(id, after)
      .map(toMessage)
      .filter((message) => message.damaged === null);
  }

  message(id: MessageId): Message {
    const row = this.#db.read<MessageRow>(`${SELECT_MESSAGE} WHERE m.id = ?`).get(id);
    if (!row) throw new CredenceError("general.not-found", { what: "message", id });
    return toMessage(row);
  }

  /** The user message that an answer replies to, or null for a user message. */
  questionOf(id: MessageId): Message | null {
    const row = this.#db.read<{ reply_to: MessageId | null }>("SELECT reply_to FROM messages WHERE id = ?").get(id);
    return row?.reply_to ? this.message(row.reply_to) : null;
  }

  appendUser(conversationId: ConversationId, text: string, turnId: TurnId): Message {
    const now = this.#clock.now();
    const id = newId("msg", now) as MessageId;
    this.#db.transaction(() => {
      this.get(conversationId);
      this.#db
        .write(
          "INSERT INTO messages (id, conversation_id, turn_id, role, content, state, created_at) VALUES (?, ?, ?, 'user', ?, 'complete', ?)",
        )
        .run(id, conversationId, turnId, text, now);
      this.#touch(conversationId, now);
    });
    this.#onChanged([conversationId]);
    return this.message(id);
  }

  beginAnswer(answer: NewAnswer): Message {
    const now = this.#clock.now();
    const id = newId("msg", now) as MessageId;
    this.#db.transaction(() => {
      this.#db.write("UPDATE messages SET shown = 0 WHERE reply_to = ?").run(answer.replyTo);
      this.#db
        .write(
          `INSERT INTO messages (id, conversation_id, turn_id, role, state, model_id, model_name, reply_to, created_at)
           VALUES (?, ?, ?, 'assistant', 'streaming', ?, ?, ?, ?)`,
        )
        .run(id, answer.conversationId, answer.turnId, answer.modelId, answer.modelName, answer.replyTo, now);
      this.#touch(answer.conversationId, now);
    });
    return this.message(id);
  }

  updateAnswer(id: MessageId, soFar: { content: string; reasoning: string }): void {
    this.#db
      .write("UPDATE messages SET content = ?, reasoning = ? WHERE id = ? AND state = 'streaming'")
      .run(soFar.content, soFar.reasoning, id);
  }

  endAnswer(id: MessageId, end: AnswerEnd): Message {
    this.#db
      .write(
        `UPDATE messages SET content = ?, reasoning = ?, state = ?, generated_tokens = ?, tokens_per_second = ?, note = ? WHERE id = ?`,
      )
      .run(end.content, end.reasoning, end.state, end.generatedTokens, end.tokensPerSecond, end.note, id);
    return this.message(id);
  }

  /** Shows another version of an answer in place of the one shown now. */
  showVersion(id: MessageId, index: number): Message {
    const row = this.#db.read<{ reply_to: MessageId | null }>("SELECT reply_to FROM messages WHERE id = ?").get(id);
    if (!row?.reply_to) throw new CredenceError("general.not-found", { what: "answer", id });
    const versions = this.#db
      .read<{ id: MessageId; conversation_id: ConversationId }>(
        "SELECT id, conversation_id FROM messages WHERE reply_to = ? ORDER BY seq",
      )
      .all(row.reply_to);
    const chosen = versions[index];
    if (!chosen) throw new CredenceError("general.not-found", { what: "version", id: String(index) });
    this.#db.transaction(() => {
      this.#db.write("UPDATE messages SET shown = (id = ?) WHERE reply_to = ?").run(chosen.id, row.reply_to);
    });
    this.#onChanged([chosen.conversation_id]);
    return this.message(chosen.id);
  }

  deriveTitle(id: ConversationId, title: string): void {
    const changed = this.#db
      .write("UPDATE conversations SET title = ? WHERE id = ? AND titled = 0")
      .run(title, id).changes;
    if (changed) this.#onChanged([id]);
  }

  setActiveTurn(id: ConversationId, turnId: TurnId | null): void {
    if (turnId) this.#active.set(id, turnId);
    else this.#active.delete(id);
    this.#onChanged([id]);
  }

  #conversation(row: ConversationRow): Conversation {
    return toConversation(row, this.#active.get(row.id as ConversationId) ?? null);
  }

  #change(id: ConversationId, assignment: string, value: unknown): Conversation {
    this.get(id);
    this.#db.write(`UPDATE conversations SET ${assignment} WHERE id = ?`).run(value, id);
    this.#onChanged([id]);
    return this.get(id);
  }

  #touch(id: ConversationId, now: number): void {
    this.#db.write("UPDATE conversations SET updated_at = max(updated_at + 1, ?) WHERE id = ?").run(now, id);
  }

  #seq(id: MessageId): number {
    const row = this.#db.read<{ seq: number }>("SELECT seq FROM messages WHERE id = ?").get(id);
    if (!row) throw new CredenceError("general.not-found", { what: "message", id });
    return row.seq;
  }
}

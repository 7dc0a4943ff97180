import { Conversation, type ConversationId, Message, type MessageId, type TurnId } from "../contract/index.ts";

export interface ConversationRow {
  readonly id: string;
  readonly title: unknown;
  readonly titled: number;
  readonly pinned: number;
  readonly ephemeral: number;
  readonly scope: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly turns: number;
}

export interface MessageRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly turn_id: string | null;
  readonly role: string;
  readonly content: unknown;
  readonly reasoning: unknown;
  readonly state: string;
  readonly model_id: string | null;
  readonly model_name: string | null;
  readonly generated_tokens: number | null;
  readonly tokens_per_second: number | null;
  readonly note: string | null;
  readonly created_at: number;
  readonly version_count: number;
  readonly version_index: number;
}

/** Reads a row into a conversation; a damaged title or scope is replaced, never thrown over. */
export function toConversation(row: ConversationRow, activeTurn: TurnId | null): Conversation {
  return {
    id: row.id as ConversationId,
    title: typeof row.title === "string" && row.title ? row.title : "Untitled chat",
    titled: row.titled === 1,
    pinned: row.pinned === 1,
    createdAt: finite(row.created_at),
    updatedAt: finite(row.updated_at),
    turns: finite(row.turns),
    activeTurn,
    scope: parseScope(row.scope),
    ephemeral: row.ephemeral === 1,
  };
}

/**
 * Reads a row into a message. A row that does not have the right shape is shown with what can still be read of it and
 * the reason, so that one damaged row never hides a conversation.
 */
export function toMessage(row: MessageRow): Message {
  const message = {
    id: row.id as MessageId,
    conversationId: row.conversation_id as ConversationId,
    turnId: row.turn_id as TurnId | null,
    role: row.role,
    content: row.content,
    reasoning: row.reasoning,
    state: row.state,
    createdAt: row.created_at,
    modelName: row.model_name,
    modelId: row.model_id,
    generatedTokens: row.generated_tokens,
    tokensPerSecond: row.tokens_per_second,
    note: row.note,
    versions: row.version_count > 1 ? { index: row.version_index, count: row.version_count } : null,
    damaged: null,
  };
  const checked = Message.safeParse(message);
  if (checked.success) return checked.data;
  const field = checked.error.issues[0]?.path.join(".") ?? "a field";
  return {
    id: row.id as MessageId,
    conversationId: row.conversation_id as ConversationId,
    turnId: null,
    role: row.role === "user" ? "user" : "assistant",
    content: typeof row.content === "string" ? row.content : "",
    reasoning: "",
    state: "failed",
    createdAt: finite(row.created_at),
    modelName: null,
    modelId: null,
    generatedTokens: null,
    tokensPerSecond: null,
    note: null,
    versions: null,
    damaged: `This message could not be read whole (${field} is damaged). What could be read is shown.`,
  };
}

function parseScope(text: string | null): string[] | null {
  if (text === null) return null;
  try {
    const scope = Conversation.shape.scope.safeParse(JSON.parse(text));
    return scope.success ? scope.data : null;
  } catch {
    return null;
  }
}

function finite(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

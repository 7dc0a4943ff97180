import {
  type Compression,
  compressConversation,
  emptySummary,
  type HistoryMessage,
  KEPT_MESSAGES,
  renderSummary,
  type StoredSummary,
  SUMMARY_AFTER_MESSAGES,
} from "../../context/index.ts";
import type { BudgetSplit, ConversationId, MessageId } from "../../contract/index.ts";
import type { AgentParts } from "../deps.ts";
import { GENERIC_FALLBACK_TEXT } from "../prompts.ts";
import { contextOf, type Turn, type TurnContext } from "../turn.ts";

/**
 * The conversation as the next prompt carries it: the anchored summary, then the messages after it, word for word, always
 * in whole rounds. `pending` is what the user said last without getting an answer; it goes in front of the next message.
 */
export function readHistory(
  parts: Pick<AgentParts, "conversations" | "summaries">,
  conversationId: ConversationId,
  before: MessageId | null,
): { stored: StoredSummary | null; history: HistoryMessage[]; pending: string } {
  const stored = parts.summaries.get(conversationId);
  const messages = parts.conversations.history(conversationId, { after: stored?.through ?? null });
  // A question that is summarised itself (answered again much later) has no history but the summary.
  const end =
    before === null
      ? messages.length
      : Math.max(
          0,
          messages.findIndex((message) => message.id === before),
        );
  const history: HistoryMessage[] = [];
  for (const message of messages.slice(0, end)) {
    if (message.state === "streaming") continue;
    const content = parts.summaries.standIn(message.id) ?? message.content;
    if (content.trim() === "" || content === GENERIC_FALLBACK_TEXT) continue;
    const last = history.at(-1);
    // Roles must alternate: a question that never got an answer is read together with the next one.
    if (last && last.role === message.role) {
      history[history.length - 1] = { id: message.id, role: message.role, content: `${last.content}\n\n${content}` };
    } else if (last || message.role === "user") {
      history.push({ id: message.id, role: message.role, content });
    }
  }
  const pending = history.at(-1)?.role === "user" ? (history.pop()?.content ?? "") : "";
  return { stored, history, pending };
}

/** Has the oldest messages merged into the summary because they do not fit; gives the record of it for the window. */
export async function compressLeftOut(
  parts: AgentParts,
  turn: Turn,
  leftOut: readonly HistoryMessage[],
): Promise<BudgetSplit["dropped"][number]> {
  const context = contextOf(turn);
  // Some more than must go: the prefix stays the same for the next turns, and their first token comes soon.
  const extra = Math.floor((context.history.length - leftOut.length) / 3);
  const messages = wholeRounds(context.history, leftOut.length + Math.max(0, extra));
  const activity = turn.activity.begin("Summarising the older part of this chat");
  try {
    const compression = await compress(parts, turn.conversation.id, context, messages, turn.abort.signal);
    context.summary = renderSummary(compression.summary);
    context.history = context.history.slice(messages.length);
    turn.cost.record({
      promptTokens: compression.promptTokens,
      generatedTokens: compression.generatedTokens,
      cachedTokens: 0,
    });
    if (compression.generatedTokens > 0) turn.cost.countSideCall();
    return {
      what: `${compression.messages} older messages`,
      tokens: compression.tokensBefore,
      reason: describe(compression),
    };
  } finally {
    activity.end();
  }
}

/** In idle time: a conversation past 20 messages hands its oldest to the summary. True when something changed. */
export async function compressByCount(
  parts: AgentParts,
  conversationId: ConversationId,
  context: TurnContext,
  signal: AbortSignal,
): Promise<boolean> {
  const { history } = readHistory(parts, conversationId, null);
  if (history.length <= SUMMARY_AFTER_MESSAGES) return false;
  const messages = wholeRounds(history, history.length - KEPT_MESSAGES);
  await compress(parts, conversationId, context, messages, signal);
  return true;
}

async function compress(
  parts: AgentParts,
  conversationId: ConversationId,
  context: TurnContext,
  messages: readonly HistoryMessage[],
  signal: AbortSignal,
): Promise<Compression> {
  const stored = parts.summaries.get(conversationId);
  const compression = await compressConversation({
    summary: stored?.summary ?? emptySummary,
    messages,
    toolResults: messages.flatMap((message) => findingsOf(parts, message.id)),
    model: context.model,
    canSummarise: context.style === "full",
    budget: context.budget,
    counter: context.counter,
    signal,
  });
  const through = messages.at(-1)?.id;
  if (through) {
    parts.summaries.put(
      conversationId,
      {
        summary: compression.summary,
        through,
        messages: (stored?.messages ?? 0) + messages.length,
        tokensBefore: (stored?.tokensBefore ?? 0) + compression.tokensBefore,
        tokensAfter: compression.tokensAfter,
      },
      parts.clock.now(),
    );
  }
  return compression;
}

/** The first `atLeast` messages and as many more as end a round, so that what stays starts with a question. */
function wholeRounds(history: readonly HistoryMessage[], atLeast: number): readonly HistoryMessage[] {
  let n = Math.min(atLeast, history.length);
  while (n < history.length && history[n]?.role === "assistant") n++;
  return history.slice(0, n);
}

/** What tools found in the turn that wrote this answer: critical results outlive the words around them. */
function findingsOf(parts: AgentParts, messageId: MessageId): string[] {
  return parts.trails
    .ofMessage(messageId)
    .events.flatMap((event) =>
      event.type === "turn.consolidated" && event.longTerm !== "" ? [event.longTerm.slice(0, 300)] : [],
    );
}

function describe(compression: Compression): string {
  const how = compression.method === "model" ? "carried on as a summary" : "carried on as key sentences";
  const lost =
    compression.lost.length === 0
      ? ""
      : ` The summary is full: ${compression.lost.length} of its oldest entries left it.`;
  return `The chat is longer than the budget. They are ${how}: ${compression.tokensBefore.toLocaleString("en")} tokens became ${compression.tokensAfter.toLocaleString("en")}.${lost}`;
}

import { renderSummary, systemText } from "../context/index.ts";
import type { BeliefNote, ConversationId, MessageId, TurnId } from "../contract/index.ts";
import type { ChatMessage, ToolDefinition } from "../models/types.ts";
import { definitionOf, type Passage } from "../tools/types.ts";
import type { Ending } from "./automaton.ts";
import type { BookkeepingJob } from "./bookkeeping.ts";
import type { AgentParts } from "./deps.ts";
import { systemPrompt } from "./prompts.ts";
import { compressByCount, readHistory } from "./stages/compression.ts";
import { answerOnly, styleFor } from "./stages/context.ts";
import { isTiny, withoutEchoes } from "./stages/tiny-models.ts";
import type { Turn, TurnContext } from "./turn.ts";

interface Payload {
  readonly userMessageId: MessageId;
  readonly assistantMessageId: MessageId;
  readonly recalled: readonly Passage[];
  readonly findings: readonly { readonly tool: string; readonly text: string }[];
}

/** What has to be done once a turn is over. An ephemeral conversation leaves nothing behind. */
export function jobsAfter(parts: AgentParts, turn: Turn, ending: Ending, regenerated: boolean): BookkeepingJob[] {
  const base = { turnId: turn.key.turnId, conversationId: turn.conversation.id };
  const payload: Payload = {
    userMessageId: turn.user.id,
    assistantMessageId: turn.key.messageId,
    recalled: turn.found.slice(0, turn.recalled),
    findings: turn.findings,
  };
  const steps: string[] = [];
  // What makes the next answer start soon comes first.
  if (turn.context) steps.push("compress");
  if (!turn.conversation.ephemeral) {
    // The message is evidence whatever became of the answer, and it is weighed once.
    if (parts.beliefs && !regenerated) steps.push("weigh");
    if (parts.episodes && ending.outcome === "completed") steps.push("episode");
    if (parts.episodes && turn.findings.length > 0) steps.push("findings");
  }
  return steps.map((step) => ({ ...base, step, payload }));
}

/** Does one step of bookkeeping. `contextOf` gives the newest prepared context of a conversation, if there is one. */
export async function performJob(
  parts: AgentParts,
  job: BookkeepingJob,
  signal: AbortSignal,
  context: TurnContext | null,
): Promise<void> {
  const payload = job.payload as Payload;
  const { turnId, conversationId } = job;
  switch (job.step.replace(/^\d+-/, "")) {
    case "weigh": {
      const message = parts.conversations.message(payload.userMessageId);
      const notes = await parts.beliefs?.weigh({
        conversationId,
        turnId,
        messageId: message.id,
        text: message.content,
        signal,
      });
      showBeliefs(parts, { turnId, conversationId, messageId: payload.assistantMessageId }, notes ?? []);
      return;
    }
    case "episode": {
      const user = parts.conversations.message(payload.userMessageId);
      const answer = parts.conversations.message(payload.assistantMessageId);
      await parts.episodes?.exchange({
        conversationId,
        turnId,
        userMessageId: user.id,
        assistantMessageId: answer.id,
        userText: user.content,
        answer: answer.content,
        recalled: payload.recalled,
        signal,
      });
      return;
    }
    case "findings":
      for (const finding of payload.findings) {
        await parts.episodes?.finding({ conversationId, turnId, tool: finding.tool, text: finding.text, signal });
      }
      return;
    case "compress":
      if (!context) return;
      await compressByCount(parts, conversationId, context, signal);
      await prefill(parts, conversationId, context, signal);
      return;
  }
}

/**
 * Evaluates what the next prompt of the conversation will begin with, so that only the new message is left to do. The
 * words that were put around the last question (passages, working memory) are not in it any more.
 */
async function prefill(
  parts: AgentParts,
  conversationId: ConversationId,
  context: TurnContext,
  signal: AbortSignal,
): Promise<void> {
  const { ephemeral } = parts.conversations.get(conversationId);
  const { stored, history } = readHistory(parts, conversationId, null);
  if (history.length === 0) return;
  const prefix = stablePrefix(parts, context, {
    conversationId,
    ephemeral,
    summary: stored ? renderSummary(stored.summary) : "",
  });
  const shown = isTiny(context.model.description) ? withoutEchoes(history) : history;
  const messages = [...prefix.messages, ...shown.map(({ role, content }) => ({ role, content }))];
  if ((await context.counter.prompt(messages, prefix.tools)) > context.budget.prompt) return;
  await context.model.prefill(
    { ...withTools(messages, prefix.tools), cacheKey: conversationId, lane: "conversation", keepState: !ephemeral },
    { signal },
  );
}

/** Evaluates what every new conversation begins with: identity, snapshot, tools. */
export async function warmUp(parts: AgentParts, signal: AbortSignal): Promise<void> {
  const model = await parts.models.chat("chat");
  const proposer = (await parts.proposerFor?.(model)) ?? answerOnly;
  const style = styleFor(proposer);
  const conversationId = "warm-up" as ConversationId;
  const prefix = stablePrefix(
    parts,
    { proposer, style, snapshot: parts.beliefs?.snapshot() ?? "" },
    { conversationId, ephemeral: false, summary: "" },
  );
  await model.prefill(
    { ...withTools(prefix.messages, prefix.tools), cacheKey: conversationId, lane: "conversation" },
    { signal },
  );
}

function stablePrefix(
  parts: AgentParts,
  context: Pick<TurnContext, "proposer" | "style" | "snapshot">,
  of: { conversationId: ConversationId; ephemeral: boolean; summary: string },
): { messages: ChatMessage[]; tools: ToolDefinition[] } {
  const offered = context.proposer.kind === "native" ? (parts.tools?.available(of) ?? []) : [];
  const content = systemText({
    system: systemPrompt(context.style, { withTools: offered.length > 0, mode: "chat" }),
    snapshot: context.style === "full" ? context.snapshot : "",
    summary: of.summary,
  });
  return { messages: [{ role: "system", content }], tools: offered.map(definitionOf) };
}

function withTools(messages: readonly ChatMessage[], tools: readonly ToolDefinition[]) {
  return tools.length > 0 ? { messages, tools } : { messages };
}

/** Belief notes arrive after `turn.ended`: they carry on the numbering of their turn. */
function showBeliefs(
  parts: AgentParts,
  key: { turnId: TurnId; conversationId: ConversationId; messageId: MessageId },
  notes: readonly BeliefNote[],
): void {
  if (notes.length === 0) return;
  const trail = parts.trails.open(key, { resume: true });
  for (const note of notes) trail.add({ type: "turn.belief", note });
}

import {
  budgetFor,
  createTokenCounter,
  type HistoryMessage,
  renderSummary,
  type TokenCounter,
} from "../../context/index.ts";
import { CredenceError } from "../../contract/index.ts";
import type { ChatModel } from "../../models/types.ts";
import type { AgentParts } from "../deps.ts";
import { excerpt, type PromptStyle, systemPrompt } from "../prompts.ts";
import type { Proposer } from "../proposers/types.ts";
import { addFound, type Turn, type TurnContext } from "../turn.ts";
import { readHistory } from "./compression.ts";
import { needsNoRecall } from "./small-talk.ts";
import { isTiny, standsAlone, withoutEchoes } from "./tiny-models.ts";

const RECALL_LIMIT = 8;
const BELIEF_LIMIT = 5;
/** Recall may not hold up the first token for longer than this, in milliseconds; what is late is not used. */
const RECALL_PATIENCE_MS = 4_000;

/** The proposer of an agent that has none: every message is answered. */
export const answerOnly: Proposer = {
  kind: "harness",
  propose: async () => ({
    proposal: { kind: "answer", confidence: 1, reason: "There are no tools." },
    promptTokens: 0,
    generatedTokens: 0,
  }),
};

/** A model that cannot choose its actions cannot follow a page of instructions either. */
export function styleFor(proposer: Proposer): PromptStyle {
  return proposer.kind === "harness" ? "brief" : "full";
}

function counterFor(parts: AgentParts, model: ChatModel): TokenCounter {
  const known = parts.counters.get(model.description.id);
  if (known) return known;
  const counter = createTokenCounter(model);
  parts.counters.set(model.description.id, counter);
  return counter;
}

/** An item that is read in the background has no conversation before it. */
const nothingBefore = { stored: null, history: [], pending: "" };

/** Gathers what all steps of the turn share: model, budget, history, recalled passages, beliefs, snapshot. */
export async function prepareContext(parts: AgentParts, turn: Turn): Promise<TurnContext> {
  const activity = turn.activity.begin("Getting ready");
  try {
    const recalling = recall(parts, turn);
    const model = await parts.models.chat("chat");
    const proposer = (await parts.proposerFor?.(model)) ?? answerOnly;
    const budget = budgetFor(model.description.window);
    const counter = counterFor(parts, model);
    const { stored, history, pending } =
      turn.mode === "chat" ? readHistory(parts, turn.conversation.id, turn.user.id) : nothingBefore;
    const style = styleFor(proposer);
    const snapshot = parts.beliefs?.snapshot() ?? "";
    const user = await fitMessage(
      parts,
      turn,
      budget.prompt,
      counter,
      systemPrompt(style, { withTools: true, mode: turn.mode }),
    );
    const { passages, beliefs } = await recalling;
    addFound(turn, passages);
    turn.recalled = turn.found.length;
    const seen = await whatToShow(turn, model, counter, history);
    return {
      model,
      proposer,
      style,
      budget,
      counter,
      // Measured on the starter: 9 of 14 of its notes ran on without an end, after minutes of writing.
      canCopyFacts: !isTiny(model.description) && (parts.canCopyFacts?.(model) ?? true),
      snapshot,
      user: pending === "" ? user : `${pending}\n\n${user}`,
      beliefs,
      summary: stored && !seen.aside ? renderSummary(stored.summary) : "",
      ...seen,
    };
  } finally {
    activity.end();
  }
}

/** A tiny model is shown only the messages that it needs; what is left out is recorded for the window. */
async function whatToShow(
  turn: Turn,
  model: ChatModel,
  counter: TokenCounter,
  history: readonly HistoryMessage[],
): Promise<Pick<TurnContext, "history" | "aside" | "omitted">> {
  if (!isTiny(model.description) || history.length === 0) return { history, aside: false, omitted: null };
  const aside = standsAlone(turn.user.content);
  const shown = aside ? [] : withoutEchoes(history);
  const gone = history.filter((message) => !shown.includes(message));
  if (gone.length === 0) return { history, aside, omitted: null };
  const tokens = (await counter.texts(gone.map((message) => message.content))).reduce((sum, count) => sum + count, 0);
  const reason = aside
    ? "The message stands for itself; a very small model answers better without them."
    : "Their answers open alike, and a very small model would copy them.";
  return { history: shown, aside, omitted: { what: `${gone.length} earlier messages`, tokens, reason } };
}

/** Pre-seeded recall and relevant beliefs, side by side. A greeting needs neither; a failure means nothing was found. */
async function recall(parts: AgentParts, turn: Turn) {
  const text = turn.user.content;
  if (needsNoRecall(text)) return { passages: [], beliefs: [] };
  const patience = new AbortController();
  const cancel = parts.clock.after(RECALL_PATIENCE_MS, () => patience.abort());
  const signal = AbortSignal.any([patience.signal, turn.abort.signal]);
  const late = new Promise<readonly never[]>((resolve) =>
    signal.addEventListener("abort", () => resolve([]), { once: true }),
  );
  const safely = <Item>(what: string, work: Promise<readonly Item[]> | undefined): Promise<readonly Item[]> =>
    Promise.race([work ?? Promise.resolve([]), late]).catch((thrown: unknown) => {
      parts.log.warn("recall.failed", { what, reason: thrown instanceof CredenceError ? thrown.kind : String(thrown) });
      return [];
    });
  try {
    const [passages, beliefs] = await Promise.all([
      safely(
        "recall",
        parts.recall?.recall({
          text,
          conversationId: turn.conversation.id,
          messageId: turn.user.id,
          scope: turn.conversation.scope,
          limit: RECALL_LIMIT,
          signal,
        }),
      ),
      safely("beliefs", parts.beliefs?.relevant({ text, limit: BELIEF_LIMIT, signal })),
    ]);
    return { passages, beliefs };
  } finally {
    cancel();
  }
}

/**
 * The newest message never goes. One that is larger than the whole budget becomes an attached document, and a stand-in
 * with its beginning and end takes its place, in this turn and in every later one.
 */
async function fitMessage(
  parts: AgentParts,
  turn: Turn,
  prompt: number,
  counter: TokenCounter,
  system: string,
): Promise<string> {
  const known = parts.summaries.standIn(turn.user.id);
  if (known !== null) return known;
  const text = turn.user.content;
  const [systemTokens = 0] = await counter.texts([system]);
  const room = Math.floor((prompt - systemTokens) * 0.8);
  if (text.length <= room || !(await counter.exceeds(text, room))) return text;
  // A conversation that leaves no trace may not leave a document either.
  if (!parts.attach || turn.conversation.ephemeral) {
    throw new CredenceError("agent.message-too-large", { tokens: Math.ceil(text.length / 4), budget: room });
  }
  const { documentId, title } = await parts.attach.attach({
    conversationId: turn.conversation.id,
    messageId: turn.user.id,
    text,
  });
  const edge = Math.max(200, Math.floor(room / 4));
  const standIn = [
    `The user's message has ${text.length.toLocaleString("en")} characters, more than fits here. It is attached as the document “${title}”; search it for details.`,
    `It begins: ${excerpt(text.slice(0, edge * 2), null, edge)}`,
    `It ends: ${excerpt(text.slice(-edge), null, edge)}`,
  ].join("\n");
  parts.summaries.putStandIn(turn.conversation.id, turn.user.id, documentId, standIn, parts.clock.now());
  turn.trail.add({ type: "turn.attached", documentId, title, characters: text.length });
  return standIn;
}

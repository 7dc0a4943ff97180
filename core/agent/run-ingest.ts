import {
  asCredenceError,
  type BeliefNote,
  type ConversationId,
  type MessageId,
  type TurnEvent,
  type TurnId,
} from "../contract/index.ts";
import type { ToolCall } from "../models/types.ts";
import { newId } from "../platform/index.ts";
import { createCostTracker } from "./cost.ts";
import type { AgentParts } from "./deps.ts";
import { createSharedActivityState } from "./heartbeat.ts";
import { startLoop } from "./loop.ts";
import type { Proposer } from "./proposers/types.ts";
import { createTokenStreamPublisher } from "./publisher.ts";
import { performersFor } from "./run-turn.ts";
import { prepareContext } from "./stages/context.ts";
import type { Trail } from "./trail.ts";
import { newTurn } from "./turn.ts";

export interface IngestRequest {
  /** What the loop reads: the item with its source, as text. */
  readonly text: string;
  /** The steps for a model that cannot plan its own; each runs as an action of its own, in this order. */
  readonly plan: readonly ToolCall[];
  readonly signal: AbortSignal;
  readonly onEvent?: (event: TurnEvent) => void;
}

export interface IngestReport {
  readonly outcome: "completed" | "interrupted" | "failed" | "degraded";
  /** What was taken from the item, in words; why it ended, when it did not complete. */
  readonly summary: string;
  readonly beliefs: readonly BeliefNote[];
  readonly tools: readonly string[];
  readonly tokens: number;
}

const CONVERSATION = "ingest" as ConversationId;

/**
 * The same loop on an item that nobody typed: no conversation, no approval dialog, nothing streamed. It returns when
 * everything that its actions store is stored. Belief changes come from the tools it calls, by their own rules.
 */
export async function runIngest(parts: AgentParts, request: IngestRequest): Promise<IngestReport> {
  const { clock } = parts;
  const now = clock.now();
  const key = {
    turnId: newId("turn", now) as TurnId,
    conversationId: CONVERSATION,
    messageId: newId("msg", now) as MessageId,
  };
  const events: TurnEvent[] = [];
  const trail = eventList(parts, key, events, request.onEvent);
  const turn = newTurn({
    mode: "ingest",
    key,
    conversation: {
      id: CONVERSATION,
      title: "",
      titled: true,
      pinned: false,
      createdAt: now,
      updatedAt: now,
      turns: 1,
      activeTurn: key.turnId,
      scope: null,
      ephemeral: false,
    },
    user: {
      id: newId("msg", now) as MessageId,
      conversationId: CONVERSATION,
      turnId: key.turnId,
      role: "user",
      content: request.text,
      reasoning: "",
      state: "complete",
      createdAt: now,
      modelName: null,
      modelId: null,
      generatedTokens: null,
      tokensPerSecond: null,
      note: null,
      versions: null,
      damaged: null,
    },
    trail,
    publisher: createTokenStreamPublisher({
      trail,
      clock,
      messageId: key.messageId,
      conversations: { updateAnswer() {} },
    }),
    cost: createCostTracker({ clock, ...(parts.costLimits ? { limits: parts.costLimits } : {}) }),
    activity: createSharedActivityState(),
    limit: parts.settings().maxIterations,
    startedAt: clock.monotonic(),
  });

  const performers = performersFor(parts, turn);
  const loop = startLoop(turn, performers, { limit: turn.limit });
  const stop = () => loop.dispatch({ type: "interrupted", by: "stop" });
  request.signal.addEventListener("abort", stop, { once: true });
  if (request.signal.aborted) stop();
  prepareContext(parts, turn).then(
    (context) => {
      turn.context = context.style === "brief" ? { ...context, proposer: planned(request.plan) } : context;
      loop.dispatch({ type: "context-ready" });
    },
    (thrown: unknown) => {
      turn.problem ??= { reason: asCredenceError(thrown).message, action: "" };
      loop.dispatch({ type: "engine-failed" });
    },
  );
  const ending = await loop.ended;
  request.signal.removeEventListener("abort", stop);
  turn.abort.abort();
  turn.publisher.close();

  const answer = ending.outcome === "completed" ? turn.publisher.answer.trim() : "";
  const { promptTokens, generatedTokens } = turn.cost.total;
  return {
    outcome: ending.outcome,
    summary: answer || turn.memory.findings.join("\n") || turn.problem?.reason || "",
    beliefs: events.flatMap((event) => (event.type === "turn.belief" ? [event.note] : [])),
    tools: events.flatMap((event) => (event.type === "turn.tool.ended" && event.outcome === "ok" ? [event.tool] : [])),
    tokens: promptTokens + generatedTokens,
  };
}

/** Proposes the given steps, one action each, then an end without words: a very small model has nothing to add. */
function planned(plan: readonly ToolCall[]): Proposer {
  let next = 0;
  return {
    kind: "harness",
    async propose(request) {
      for (let call = plan[next++]; call; call = plan[next++]) {
        const { name } = call;
        if (!request.tools.some((tool) => tool.name === name)) continue;
        const proposal = { kind: "calls" as const, calls: [call], confidence: 1, reason: "A step of reading." };
        return { proposal, promptTokens: 0, generatedTokens: 0 };
      }
      return {
        proposal: { kind: "done", reason: "Every step of reading is done." },
        promptTokens: 0,
        generatedTokens: 0,
      };
    },
  };
}

/** A trail that is not stored: the item's job keeps what matters of it. */
function eventList(
  parts: AgentParts,
  key: { turnId: TurnId; conversationId: ConversationId },
  events: TurnEvent[],
  onEvent?: (event: TurnEvent) => void,
): Trail {
  let lastAt = parts.clock.monotonic();
  return {
    get lastAt() {
      return lastAt;
    },
    add(event) {
      const { turnId, conversationId } = key;
      const numbered = { ...event, turnId, conversationId, seq: events.length + 1, at: parts.clock.now() } as TurnEvent;
      events.push(numbered);
      lastAt = parts.clock.monotonic();
      onEvent?.(numbered);
      return numbered;
    },
  };
}

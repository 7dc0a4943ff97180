import { asCredenceError, type ConversationId, type Message, type TurnId } from "../contract/index.ts";
import { newId } from "../platform/index.ts";
import type { Ending, InterruptedBy } from "./automaton.ts";
import { createCostTracker } from "./cost.ts";
import type { ActiveModel, AgentParts } from "./deps.ts";
import { createSharedActivityState, startProgressHeartbeat } from "./heartbeat.ts";
import { actionFor, type Loop, type Performers, startLoop } from "./loop.ts";
import { createTokenStreamPublisher } from "./publisher.ts";
import { askApproval, askUser, consultGate, noteRefusal, runCall } from "./stages/acting.ts";
import { consolidateAction } from "./stages/consolidating.ts";
import { prepareContext } from "./stages/context.ts";
import { thinkStep } from "./stages/inference.ts";
import { respond } from "./stages/response.ts";
import { titleFrom } from "./title.ts";
import { newTurn, type Turn, type TurnContext } from "./turn.ts";

export interface TurnRequest {
  readonly conversationId: ConversationId;
  /** Makes or finds the question, once the conversation's lock is held. */
  readonly question: (turnId: TurnId) => Message;
}

export interface RunningTurn {
  readonly turn: Turn;
  readonly loop: Loop;
  interrupt(by: InterruptedBy): void;
  readonly done: Promise<void>;
}

export interface TurnHooks {
  onContext(context: TurnContext): void;
  /** After the answer is stored and the stream is closed. */
  onEnd(ending: Ending): void;
}

/** Writes the rows of the turn: whatever happens from here on, the question and the text so far are stored. */
export function beginTurn(parts: AgentParts, request: TurnRequest, model: ActiveModel | null): Turn {
  const { clock, conversations } = parts;
  const conversation = conversations.get(request.conversationId);
  const turnId = newId("turn", clock.now()) as TurnId;
  const user = request.question(turnId);
  const answer = conversations.beginAnswer({
    conversationId: conversation.id,
    turnId,
    replyTo: user.id,
    modelId: model?.id ?? null,
    modelName: model?.name ?? null,
  });
  if (!conversation.titled && conversation.turns === 0)
    conversations.deriveTitle(conversation.id, titleFrom(user.content));
  const key = { turnId, conversationId: conversation.id, messageId: answer.id };
  const trail = parts.trails.open(key);
  const turn = newTurn({
    mode: "chat",
    key,
    conversation,
    user,
    trail,
    publisher: createTokenStreamPublisher({ trail, conversations, messageId: answer.id, clock }),
    cost: createCostTracker({ clock, ...(parts.costLimits ? { limits: parts.costLimits } : {}) }),
    activity: createSharedActivityState(),
    limit: parts.settings().maxIterations,
    startedAt: clock.monotonic(),
  });
  conversations.setActiveTurn(conversation.id, turnId);
  trail.add({
    type: "turn.started",
    userMessageId: user.id,
    assistantMessageId: answer.id,
    modelName: model?.name ?? "",
  });
  trail.add({ type: "turn.phase", phase: "CONTEXT", iteration: 0, limit: turn.limit, label: "Getting ready" });
  return turn;
}

/** Runs a begun turn through its stages. `done` never rejects: however the turn ends, it ends. */
export function runTurn(parts: AgentParts, turn: Turn, hooks: TurnHooks): RunningTurn {
  let cancelLimit = () => {};
  const loop = startLoop(turn, performersFor(parts, turn), {
    limit: turn.limit,
    onPhase: (phase) => watchTime(phase === "WAITING_APPROVAL" || phase === "CLARIFYING"),
  });
  /** The time limit stands still while the turn waits for the user. */
  function watchTime(waiting: boolean): void {
    cancelLimit();
    turn.cost.waitForUser(waiting);
    if (waiting) return;
    cancelLimit = parts.clock.after(turn.cost.remainingMs(), () => {
      turn.problem ??= {
        reason: turn.cost.exceeded() ?? "This turn has used its time.",
        action: "Send a new message to go on from here.",
      };
      loop.dispatch({ type: "budget-spent" });
    });
  }
  watchTime(false);
  const heartbeat = startProgressHeartbeat({
    clock: parts.clock,
    lastHeard: () => turn.trail.lastAt,
    beat: () => turn.trail.add({ type: "turn.heartbeat", label: turn.activity.summary() || "Working" }),
  });
  return {
    turn,
    loop,
    interrupt: (by) => loop.dispatch({ type: "interrupted", by }),
    done: stages(parts, turn, loop, hooks).finally(() => {
      heartbeat.stop();
      cancelLimit();
      turn.abort.abort();
    }),
  };
}

/** Context, inference, response. Nothing that goes wrong in them gets past here: the turn always ends. */
async function stages(parts: AgentParts, turn: Turn, loop: Loop, hooks: TurnHooks): Promise<void> {
  prepareContext(parts, turn).then(
    (context) => {
      turn.context = context;
      hooks.onContext(context);
      loop.dispatch({ type: "context-ready" });
    },
    (thrown: unknown) => {
      const error = asCredenceError(thrown);
      turn.problem ??= { reason: error.message, action: actionFor(error.retry) };
      loop.dispatch({ type: "engine-failed" });
    },
  );
  const ending = await loop.ended;
  try {
    respond(parts, turn, ending);
    hooks.onEnd(ending);
  } catch (thrown) {
    endAnyhow(parts, turn, ending, thrown);
  } finally {
    parts.conversations.setActiveTurn(turn.conversation.id, null);
  }
}

/** The response stage itself failed (a full disk): the window must still learn that the turn is over, and why. */
function endAnyhow(parts: AgentParts, turn: Turn, ending: Ending, thrown: unknown): void {
  const error = asCredenceError(thrown);
  parts.log.error("turn.response-failed", {
    turnId: turn.key.turnId,
    outcome: ending.outcome,
    kind: error.kind,
    detail: error.facts,
  });
  turn.trail.add({ type: "turn.degraded", reason: error.message, action: actionFor(error.retry) });
  turn.trail.add({
    type: "turn.ended",
    outcome: "degraded",
    messageId: turn.key.messageId,
    note: error.message,
    durationMs: parts.clock.monotonic() - turn.startedAt,
  });
}

/** What the automaton's effects do in this turn. */
export function performersFor(parts: AgentParts, turn: Turn): Performers {
  return {
    think: (step) => {
      if (step.nudge) turn.trail.add({ type: "turn.nudge", reason: nudgeWords[step.nudge] });
      return thinkStep(parts, turn, step);
    },
    consultGate: (callId) => consultGate(parts, turn, callId),
    runCall: (callId) => runCall(parts, turn, callId),
    askApproval: (callId) => askApproval(turn, callId),
    askUser: (callId) => askUser(turn, callId),
    noteRefusal: noteRefusal.bind(null, turn),
    noteMalformed: (problem) => {
      turn.memory = { ...turn.memory, problem };
    },
    consolidate: (callIds) => consolidateAction(parts, turn, callIds),
  };
}

const nudgeWords = {
  stalled: "The same steps came again without progress: it answers from what it has.",
  malformed: "Its tool calls could not be read: it answers from what it has.",
} as const;

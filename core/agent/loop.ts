import { asCredenceError, type Phase } from "../contract/index.ts";
import {
  type Ending,
  initialState,
  isTerminal,
  type LoopEffect,
  type LoopEvent,
  type LoopState,
  transition,
} from "./automaton.ts";
import type { Turn } from "./turn.ts";

/** What the loop asks of the outside, one function an effect. Each may throw: the turn then ends in degraded mode. */
export interface Performers {
  /** One THINKING step: composes the prompt, lets the proposer and the model work, and says what came of it. */
  think(step: { iteration: number; nudge: "stalled" | "malformed" | null }): Promise<LoopEvent>;
  /** The gate's decision for one call. */
  consultGate(callId: string): LoopEvent;
  runCall(callId: string): Promise<LoopEvent>;
  /** Shows the approval dialog; the decision arrives later as a `decided` event. */
  askApproval(callId: string): void;
  /** Puts the assistant's question; the answer arrives later as a `question-answered` event. */
  askUser(callId: string): void;
  noteRefusal(callId: string, outcome: Extract<LoopEffect, { type: "note-refusal" }>["outcome"]): void;
  noteMalformed(problem: string): void;
  consolidate(callIds: readonly string[]): Promise<LoopEvent>;
}

export interface Loop {
  /** Feeds an event from outside: a decision, an answer, an interrupt. Late ones are ignored. */
  dispatch(event: LoopEvent): void;
  readonly state: LoopState;
  /** Resolves once, with how the loop ended. Never rejects. */
  readonly ended: Promise<Ending>;
}

/** Runs the automaton: takes events in order, performs the effects, reports phase changes. */
export function startLoop(
  turn: Turn,
  performers: Performers,
  options: { limit: number; stallLimit?: number; onPhase?: (phase: Phase) => void },
): Loop {
  let state = initialState(options);
  const pending: LoopEvent[] = [];
  let draining = false;
  let resolveEnd: (ending: Ending) => void = () => {};
  const ended = new Promise<Ending>((resolve) => {
    resolveEnd = resolve;
  });

  function dispatch(event: LoopEvent): void {
    pending.push(event);
    if (draining) return;
    draining = true;
    try {
      for (let next = pending.shift(); next; next = pending.shift()) take(next);
    } finally {
      draining = false;
    }
  }

  function take(event: LoopEvent): void {
    const before = state;
    const next = transition(state, event);
    state = next.state;
    if (state.phase !== before.phase || state.iteration !== before.iteration) {
      turn.trail.add({
        type: "turn.phase",
        phase: state.phase,
        iteration: state.iteration,
        limit: state.limit,
        label: phaseLabels[state.phase],
      });
      options.onPhase?.(state.phase);
    }
    for (const effect of next.effects) {
      try {
        perform(effect);
      } catch (thrown) {
        fail(thrown);
      }
    }
  }

  /** One exhaustive switch: a new effect does not compile until it is performed here. */
  function perform(effect: LoopEffect): void {
    switch (effect.type) {
      case "think":
        follow(performers.think({ iteration: effect.iteration, nudge: effect.nudge }));
        break;
      case "consult-gate":
        dispatch(performers.consultGate(effect.callId));
        break;
      case "run-call":
        follow(performers.runCall(effect.callId));
        break;
      case "ask-approval":
        performers.askApproval(effect.callId);
        break;
      case "ask-user":
        performers.askUser(effect.callId);
        break;
      case "note-refusal":
        performers.noteRefusal(effect.callId, effect.outcome);
        break;
      case "note-malformed":
        performers.noteMalformed(effect.problem);
        break;
      case "consolidate":
        follow(performers.consolidate(effect.callIds));
        break;
      case "abort":
        turn.abort.abort();
        break;
      case "finish":
        resolveEnd(effect.ending);
        break;
      default:
        effect satisfies never;
    }
  }

  function follow(work: Promise<LoopEvent>): void {
    work.then(dispatch, fail);
  }

  /** What a step throws ends the turn in degraded mode, unless the turn has ended already and this is only its echo. */
  function fail(thrown: unknown): void {
    if (isTerminal(state)) return;
    const error = asCredenceError(thrown);
    turn.problem ??= { reason: error.message, action: actionFor(error.retry) };
    dispatch({ type: "engine-failed" });
  }

  return {
    dispatch,
    get state() {
      return state;
    },
    ended,
  };
}

/** What the user can do about an error, by whether a retry can help. */
export function actionFor(retry: "now" | "later" | "never"): string {
  switch (retry) {
    case "now":
      return "Try the message again.";
    case "later":
      return "Put it right, then try the message again.";
    case "never":
      return "Change the message or the model, then send it again.";
  }
}

const phaseLabels: Record<Phase, string> = {
  CONTEXT: "Getting ready",
  THINKING: "Thinking",
  ACTING: "Acting",
  WAITING_APPROVAL: "Waiting for your permission",
  CLARIFYING: "Waiting for your answer",
  COMPLETED: "Finished",
  FAILED: "Ended without an answer",
  INTERRUPTED: "Stopped",
};

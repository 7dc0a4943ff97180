/**
 * The agent loop as a pure function: (state, event) -> (state, effects). It reads no clock, draws no chance and touches
 * no database or engine; the loop performs the effects and feeds back what came of them.
 *
 *   CONTEXT -> THINKING -> COMPLETED                        text without a call
 *              THINKING -> ACTING -> THINKING               a call, consolidated
 *                          ACTING -> WAITING_APPROVAL       the gate asks the user
 *                          ACTING -> CLARIFYING             the assistant asks the user
 *                          ACTING -> FAILED                 ceiling
 *              any      -> INTERRUPTED                      stop, or a new message
 *              any      -> FAILED                           budget spent, engine lost
 *
 * After ReAct (Yao et al., ICLR 2023), with one action per step and a mandatory consolidation between steps. There is
 * no DONE signal: the plan that consolidation writes makes the next THINKING answer.
 */
import type { Phase } from "../contract/index.ts";

export type CallOutcome = "ok" | "error" | "denied" | "repeated" | "interrupted" | "circuit-open" | "invalid";

/** A call as THINKING proposed it, already resolved to a tool and with valid arguments. */
export interface PlannedCall {
  readonly callId: string;
  /** Name and key-sorted arguments: equal fingerprints are the same call. */
  readonly fingerprint: string;
  /** Safe calls run together; all others alone, one after another. */
  readonly lane: "together" | "alone";
  /** The call is a question to the user. */
  readonly asks: boolean;
}

export interface BatchCall extends PlannedCall {
  readonly status: "queued" | "gating" | "waiting" | "asking" | "running" | "ended";
  readonly outcome: CallOutcome | null;
  /** Whether there is something to consolidate: the tool ran, or the user answered. */
  readonly ran: boolean;
}

export type Ending =
  | { readonly outcome: "completed" }
  | { readonly outcome: "interrupted"; readonly by: InterruptedBy }
  | { readonly outcome: "failed"; readonly reason: "ceiling" | "stalled" | "budget" }
  /** Degraded mode: the engine or the context failed in a way that no further step can mend. */
  | { readonly outcome: "degraded" };

export type InterruptedBy = "stop" | "new-message" | "shutdown";

export interface LoopState {
  readonly phase: Phase;
  /** THINKING steps so far; 0 while the context is prepared. */
  readonly iteration: number;
  readonly limit: number;
  readonly stallLimit: number;
  /** Repeats and steps without progress since the last progress. */
  readonly stall: number;
  /** Replies that were meant as a call but could not be read, or named no tool. */
  readonly malformed: number;
  /** Set once the synthesis nudge was given: from then on only an answer is possible. */
  readonly nudged: boolean;
  readonly fingerprints: readonly string[];
  /** The one action of this step: one call, or several that the model made at once. */
  readonly batch: readonly BatchCall[];
  readonly ending: Ending | null;
}

export type LoopEvent =
  | { readonly type: "context-ready" }
  | { readonly type: "answered" }
  | { readonly type: "called"; readonly calls: readonly PlannedCall[] }
  | { readonly type: "malformed"; readonly problem: string }
  | { readonly type: "gated"; readonly callId: string; readonly decision: "allow" | "ask" | "deny" }
  | { readonly type: "decided"; readonly callId: string; readonly decision: "allow" | "deny" }
  | { readonly type: "question-answered"; readonly callId: string }
  | { readonly type: "call-ended"; readonly callId: string; readonly outcome: CallOutcome }
  | { readonly type: "consolidated"; readonly progress: boolean }
  | { readonly type: "interrupted"; readonly by: InterruptedBy }
  | { readonly type: "budget-spent" }
  | { readonly type: "engine-failed" };

export type NudgeReason = "stalled" | "malformed";

export type LoopEffect =
  /** One THINKING step. With a nudge, no tools are offered and the prompt asks for an answer from what is there. */
  | { readonly type: "think"; readonly iteration: number; readonly nudge: NudgeReason | null }
  | { readonly type: "consult-gate"; readonly callId: string }
  | { readonly type: "run-call"; readonly callId: string }
  | { readonly type: "ask-approval"; readonly callId: string }
  | { readonly type: "ask-user"; readonly callId: string }
  /** A call ended without running: it becomes a line of the working memory, so that the model learns of it. */
  | { readonly type: "note-refusal"; readonly callId: string; readonly outcome: CallOutcome }
  /** The unreadable call goes back to the model as an error. */
  | { readonly type: "note-malformed"; readonly problem: string }
  /** One consolidation for everything that ran in this action. */
  | { readonly type: "consolidate"; readonly callIds: readonly string[] }
  /** Stop decoding, tools and consolidation that may still run. */
  | { readonly type: "abort" }
  | { readonly type: "finish"; readonly ending: Ending };

export interface Transition {
  readonly state: LoopState;
  readonly effects: readonly LoopEffect[];
}

export const DEFAULT_ITERATION_LIMIT = 12;
export const DEFAULT_STALL_LIMIT = 3;
/** A malformed call goes back once; the next one brings the nudge. */
const MALFORMED_LIMIT = 2;

export function initialState(options: { limit?: number; stallLimit?: number } = {}): LoopState {
  return {
    phase: "CONTEXT",
    iteration: 0,
    limit: options.limit ?? DEFAULT_ITERATION_LIMIT,
    stallLimit: options.stallLimit ?? DEFAULT_STALL_LIMIT,
    stall: 0,
    malformed: 0,
    nudged: false,
    fingerprints: [],
    batch: [],
    ending: null,
  };
}

/** Terminal phases absorb: no event leads out of them. */
export function isTerminal(state: LoopState): boolean {
  return state.phase === "COMPLETED" || state.phase === "FAILED" || state.phase === "INTERRUPTED";
}

/** The next state and what has to be done. An event that does not belong to the present phase changes nothing. */
export function transition(state: LoopState, event: LoopEvent): Transition {
  if (isTerminal(state)) return { state, effects: [] };
  switch (event.type) {
    case "context-ready":
      return state.phase === "CONTEXT" ? think(state) : stay(state);
    case "answered":
      return state.phase === "THINKING" ? end(state, "COMPLETED", { outcome: "completed" }) : stay(state);
    case "called":
      return state.phase === "THINKING" ? act(state, event.calls) : stay(state);
    case "malformed":
      return state.phase === "THINKING" ? returnError(state, event.problem) : stay(state);
    case "gated":
      return gated(state, event.callId, event.decision);
    case "decided":
      return decided(state, event.callId, event.decision);
    case "question-answered":
      return callEnded(state, event.callId, "asking", "ok");
    case "call-ended":
      return callEnded(state, event.callId, "running", event.outcome);
    case "consolidated":
      return state.phase === "ACTING" && state.batch.length > 0 && state.batch.every((call) => call.status === "ended")
        ? think({ ...state, batch: [], stall: event.progress ? 0 : state.stall + 1 })
        : stay(state);
    case "interrupted":
      return end(state, "INTERRUPTED", { outcome: "interrupted", by: event.by });
    case "budget-spent":
      return end(state, "FAILED", { outcome: "failed", reason: "budget" });
    case "engine-failed":
      return end(state, "FAILED", { outcome: "degraded" });
  }
}

function stay(state: LoopState): Transition {
  return { state, effects: [] };
}

function end(state: LoopState, phase: Phase, ending: Ending): Transition {
  const effects: LoopEffect[] = ending.outcome === "completed" ? [] : [{ type: "abort" }];
  return { state: { ...state, phase, batch: [], ending }, effects: [...effects, { type: "finish", ending }] };
}

/** Goes into the next THINKING step, unless the ceiling is reached; at the stall limit with the nudge. */
function think(state: LoopState, before: readonly LoopEffect[] = []): Transition {
  if (state.iteration >= state.limit) {
    const over = end(state, "FAILED", { outcome: "failed", reason: "ceiling" });
    return { state: over.state, effects: [...before, ...over.effects] };
  }
  const nudge = nudgeReason(state);
  const next: LoopState = {
    ...state,
    phase: "THINKING",
    iteration: state.iteration + 1,
    nudged: nudge !== null,
    batch: [],
  };
  return { state: next, effects: [...before, { type: "think", iteration: next.iteration, nudge }] };
}

function nudgeReason(state: LoopState): NudgeReason | null {
  if (state.malformed >= MALFORMED_LIMIT) return "malformed";
  return state.stall >= state.stallLimit ? "stalled" : null;
}

function returnError(state: LoopState, problem: string): Transition {
  if (state.nudged) return end(state, "FAILED", { outcome: "failed", reason: "stalled" });
  return think({ ...state, malformed: state.malformed + 1 }, [{ type: "note-malformed", problem }]);
}

/** Starts an action. Repeats of earlier calls (or within the batch) never run: each raises the stall counter. */
function act(state: LoopState, calls: readonly PlannedCall[]): Transition {
  if (state.nudged) return end(state, "FAILED", { outcome: "failed", reason: "stalled" });
  if (calls.length === 0) return returnError(state, "The reply asked for a tool but named none.");

  const seen = new Set(state.fingerprints);
  const batch: BatchCall[] = [];
  const effects: LoopEffect[] = [];
  for (const call of calls) {
    const repeated = seen.has(call.fingerprint);
    seen.add(call.fingerprint);
    batch.push({ ...call, status: repeated ? "ended" : "queued", outcome: repeated ? "repeated" : null, ran: false });
    if (repeated) effects.push({ type: "note-refusal", callId: call.callId, outcome: "repeated" });
  }
  const repeats = effects.length;
  const next: LoopState = { ...state, batch, fingerprints: [...seen], stall: state.stall + repeats };
  if (repeats === calls.length) return think(next, effects);
  return advance({ ...next, phase: "ACTING" }, effects);
}

/** Sends on whatever may go now: first all calls of the lane `together`, then the others one by one, then consolidation. */
function advance(state: LoopState, before: readonly LoopEffect[] = []): Transition {
  const busy = state.batch.some((call) => call.status !== "queued" && call.status !== "ended");
  const together = state.batch.filter((call) => call.status === "queued" && call.lane === "together" && !call.asks);
  if (together.length > 0) return consultGate(state, together, before);
  if (busy) return { state, effects: before };

  const alone = state.batch.find((call) => call.status === "queued");
  if (alone) return consultGate(state, [alone], before);

  const ran = state.batch.filter((call) => call.ran).map((call) => call.callId);
  if (ran.length > 0) {
    return { state: { ...state, phase: "ACTING" }, effects: [...before, { type: "consolidate", callIds: ran }] };
  }
  // Everything was refused: there is nothing to consolidate, and the step brought no progress.
  return think({ ...state, stall: state.stall + 1 }, before);
}

function consultGate(state: LoopState, calls: readonly BatchCall[], before: readonly LoopEffect[]): Transition {
  const ids = new Set(calls.map((call) => call.callId));
  const batch = state.batch.map((call) => (ids.has(call.callId) ? { ...call, status: "gating" as const } : call));
  const consult = calls.map((call): LoopEffect => ({ type: "consult-gate", callId: call.callId }));
  return { state: { ...state, phase: "ACTING", batch }, effects: [...before, ...consult] };
}

function gated(state: LoopState, callId: string, decision: "allow" | "ask" | "deny"): Transition {
  const call = find(state, callId, "gating");
  if (!call) return stay(state);
  if (decision === "deny") return refuse(state, call);
  if (decision === "allow") return start(state, call);
  if (call.lane === "together") {
    // A standing rule wants to be asked even for a safe tool: it waits its turn with those that run alone.
    return advance(update(state, call, { status: "queued", lane: "alone" }));
  }
  const waiting = update(state, call, { status: "waiting" });
  return { state: { ...waiting, phase: "WAITING_APPROVAL" }, effects: [{ type: "ask-approval", callId }] };
}

function decided(state: LoopState, callId: string, decision: "allow" | "deny"): Transition {
  const call = find(state, callId, "waiting");
  if (!call) return stay(state);
  const resumed: LoopState = { ...state, phase: "ACTING" };
  return decision === "allow" ? start(resumed, call) : refuse(resumed, call);
}

function start(state: LoopState, call: BatchCall): Transition {
  if (call.asks) {
    const asking = update(state, call, { status: "asking" });
    return { state: { ...asking, phase: "CLARIFYING" }, effects: [{ type: "ask-user", callId: call.callId }] };
  }
  return { state: update(state, call, { status: "running" }), effects: [{ type: "run-call", callId: call.callId }] };
}

function refuse(state: LoopState, call: BatchCall): Transition {
  const ended = update(state, call, { status: "ended", outcome: "denied" });
  return advance(ended, [{ type: "note-refusal", callId: call.callId, outcome: "denied" }]);
}

function callEnded(state: LoopState, callId: string, status: BatchCall["status"], outcome: CallOutcome): Transition {
  const call = find(state, callId, status);
  if (!call) return stay(state);
  const ran = outcome === "ok" || outcome === "error";
  const ended = update({ ...state, phase: "ACTING" }, call, { status: "ended", outcome, ran });
  return advance(ended, ran ? [] : [{ type: "note-refusal", callId, outcome }]);
}

function find(state: LoopState, callId: string, status: BatchCall["status"]): BatchCall | undefined {
  return state.batch.find((call) => call.callId === callId && call.status === status);
}

function update(state: LoopState, call: BatchCall, change: Partial<BatchCall>): LoopState {
  return {
    ...state,
    batch: state.batch.map((other) => (other.callId === call.callId ? { ...other, ...change } : other)),
  };
}

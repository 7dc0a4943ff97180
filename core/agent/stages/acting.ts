import { asCredenceError, CredenceError } from "../../contract/index.ts";
import type { CircuitBreaker, GateDecision, ToolOutput } from "../../tools/types.ts";
import type { CallOutcome, LoopEvent } from "../automaton.ts";
import { isRecord } from "../calls/shapes.ts";
import type { AgentParts } from "../deps.ts";
import { addFound, type CallResult, type ResolvedCall, type Turn } from "../turn.ts";

const alwaysClosed: CircuitBreaker = {
  state: () => "closed",
  admit: () => ({ admitted: true }),
  succeeded() {},
  failed() {},
  released() {},
};

/** The gate's word on one call. Without a gate only safe tools run; in the background nobody can be asked. */
export function consultGate(parts: AgentParts, turn: Turn, callId: string): LoopEvent {
  const call = callOf(turn, callId);
  const decision = parts.gate?.decide(call.tool, call.args, turn.conversation.id) ?? withoutGate(call);
  const answer = decision.kind === "ask" && turn.mode === "ingest" ? nobodyToAsk : decision;
  if (answer.kind === "deny") turn.refusals.set(callId, answer.reason);
  return { type: "gated", callId, decision: answer.kind };
}

const nobodyToAsk: GateDecision = { kind: "deny", reason: "Nobody can be asked for permission here." };

function withoutGate(call: ResolvedCall): GateDecision {
  return call.tool.safety === "safe" ? { kind: "allow", because: "It is safe." } : nobodyToAsk;
}

export function askApproval(turn: Turn, callId: string): void {
  const call = callOf(turn, callId);
  turn.trail.add({
    type: "turn.approval",
    callId,
    tool: call.tool.name,
    label: call.label,
    safety: call.tool.safety === "destructive" ? "destructive" : "sensitive",
    leaves: call.tool.leaves?.(call.args) ?? null,
    args: argsOf(call),
  });
}

export function askUser(turn: Turn, callId: string): void {
  const call = callOf(turn, callId);
  const asked = call.tool.asks?.(call.args);
  if (!asked) throw new Error(`${call.tool.name} asks nothing`);
  announce(turn, call);
  turn.trail.add({ type: "turn.question", question: asked.question, options: [...asked.options] });
}

/** The user's answer is the result of the call that asked. */
export function answerQuestion(turn: Turn, callId: string, text: string): void {
  const call = callOf(turn, callId);
  turn.trail.add({ type: "turn.question.answered", text });
  const asked = call.tool.asks?.(call.args);
  keep(
    turn,
    {
      call,
      outcome: "ok",
      text: `Asked: ${asked?.question ?? ""}\nThe user answered: ${text}`,
      summary: `The user answered: ${text}`,
    },
    0,
    null,
  );
}

/** Runs one call within its time, through its breaker. It never throws: a failure is an outcome for the model to read. */
export async function runCall(parts: AgentParts, turn: Turn, callId: string): Promise<LoopEvent> {
  const call = callOf(turn, callId);
  const breaker = parts.breaker ?? alwaysClosed;
  announce(turn, call);
  if (!breaker.admit(call.tool.name).admitted) {
    turn.refusals.set(callId, "It failed several times in a row and is paused.");
    return { type: "call-ended", callId, outcome: "circuit-open" };
  }
  const startedAt = parts.clock.monotonic();
  const activity = turn.activity.begin(call.label);
  try {
    const output = await executeInTime(parts, turn, call, (label, fraction) => {
      activity.update(label, fraction);
      turn.trail.add({ type: "turn.tool.progress", callId, label, fraction });
    });
    breaker.succeeded(call.tool.name);
    const numbers = addFound(turn, output.passages ?? []);
    for (const note of output.beliefs ?? []) turn.trail.add({ type: "turn.belief", note });
    const artifactId = keepOutput(parts, turn, call, output.text);
    const text = withSources(output, numbers);
    keep(
      turn,
      { call, outcome: "ok", text, summary: output.summary },
      parts.clock.monotonic() - startedAt,
      artifactId,
      output.text.length,
    );
    return { type: "call-ended", callId, outcome: "ok" };
  } catch (thrown) {
    const elapsed = parts.clock.monotonic() - startedAt;
    if (turn.abort.signal.aborted) {
      breaker.released(call.tool.name);
      tellEnded(turn, call, "interrupted", "Stopped.", elapsed);
      return { type: "call-ended", callId, outcome: "interrupted" };
    }
    breaker.failed(call.tool.name);
    const error = asCredenceError(thrown);
    // Words from outside go to the window and through consolidation; into THINKING go only our own.
    const foreign = error.kind === "general.unexpected";
    const words = foreign && thrown instanceof Error ? thrown.message : error.message;
    parts.log.warn("tool.failed", { tool: call.tool.name, kind: error.kind });
    keep(turn, { call, outcome: "error", text: words, summary: words, line: foreign ? "" : words }, elapsed, null);
    return { type: "call-ended", callId, outcome: "error" };
  } finally {
    activity.end();
  }
}

/** The call's promise against its time limit and the turn's end: a tool that never returns is left behind. */
async function executeInTime(
  parts: AgentParts,
  turn: Turn,
  call: ResolvedCall,
  progress: (label: string, fraction: number | null) => void,
): Promise<ToolOutput> {
  const own = new AbortController();
  const signal = AbortSignal.any([own.signal, turn.abort.signal]);
  let over = false;
  const limit = new Promise<never>((_, reject) => {
    signal.addEventListener(
      "abort",
      () =>
        reject(
          turn.abort.signal.aborted
            ? new CredenceError("general.cancelled", {})
            : new CredenceError("agent.tool-timeout", {
                tool: call.tool.name,
                seconds: Math.round(call.tool.timeoutMs / 1000),
              }),
        ),
      { once: true },
    );
  });
  const cancel = parts.clock.after(call.tool.timeoutMs, () => own.abort());
  try {
    return await Promise.race([
      call.tool.execute(call.args, {
        conversationId: turn.conversation.id,
        turnId: turn.key.turnId,
        callId: call.callId,
        userText: turn.user.content,
        scope: turn.conversation.scope,
        ephemeral: turn.conversation.ephemeral,
        signal,
        progress: (label, fraction = null) => {
          if (!over) progress(label, fraction);
        },
      }),
      limit,
    ]);
  } finally {
    over = true;
    cancel();
    own.abort();
    limit.catch(() => {});
  }
}

/** A call that ended without running becomes a line of the working memory, with the reason for the model to read. */
export function noteRefusal(turn: Turn, callId: string, outcome: CallOutcome): void {
  const call = callOf(turn, callId);
  const reason = turn.refusals.get(callId) ?? "";
  if (outcome !== "interrupted") {
    announce(turn, call);
    tellEnded(
      turn,
      call,
      outcome,
      reason === "" && outcome === "repeated" ? "The same call was made before; it was not run again." : reason,
      0,
    );
  }
  remember(turn, call, outcome, reason);
}

/** What the user decided on a call that waited. */
export function decideCall(
  parts: AgentParts,
  turn: Turn,
  callId: string,
  answer: { decision: "allow" | "deny"; remember: "once" | "conversation" | "always"; reason?: string | undefined },
): void {
  const call = callOf(turn, callId);
  const remembered =
    parts.gate?.remember(call.tool, call.args, turn.conversation.id, answer.decision, answer.remember) ?? "once";
  if (answer.decision === "deny") {
    const why = answer.reason?.trim();
    turn.refusals.set(callId, why ? `The user refused: ${why}` : "The user refused.");
  }
  turn.trail.add({ type: "turn.approval.decided", callId, decision: answer.decision, remembered });
}

function callOf(turn: Turn, callId: string): ResolvedCall {
  const call = turn.calls.get(callId);
  if (!call) throw new Error(`There is no call ${callId}`);
  return call;
}

function argsOf(call: ResolvedCall): Record<string, unknown> {
  return isRecord(call.args) ? call.args : {};
}

function announce(turn: Turn, call: ResolvedCall): void {
  if (turn.announced.has(call.callId)) return;
  turn.announced.add(call.callId);
  turn.trail.add({
    type: "turn.tool.started",
    callId: call.callId,
    tool: call.tool.name,
    label: call.label,
    args: argsOf(call),
    proposer: call.proposer,
  });
}

function keepOutput(parts: AgentParts, turn: Turn, call: ResolvedCall, text: string): string | null {
  if (text === "") return null;
  return parts.artifacts.keep(turn.key, call.tool.name, text, { ephemeral: turn.conversation.ephemeral });
}

/** The numbers under which the window shows the sources go to the consolidator too, so that findings can cite them. */
function withSources(output: ToolOutput, numbers: readonly number[]): string {
  if (numbers.length === 0) return output.text;
  const lines = (output.passages ?? []).map(
    (passage, i) => `[${numbers[i]}] ${[passage.title, passage.place].filter(Boolean).join(", ")}`,
  );
  return `Sources:\n${lines.join("\n")}\n\n${output.text}`;
}

function keep(
  turn: Turn,
  result: CallResult,
  durationMs: number,
  artifactId: string | null,
  outputChars = result.text.length,
): void {
  turn.results.set(result.call.callId, result);
  tellEnded(turn, result.call, result.outcome, result.summary, durationMs, outputChars, artifactId);
  remember(turn, result.call, result.outcome, result.line ?? result.summary);
}

function tellEnded(
  turn: Turn,
  call: ResolvedCall,
  outcome: CallOutcome,
  summary: string,
  durationMs: number,
  outputChars = 0,
  artifactId: string | null = null,
): void {
  turn.trail.add({
    type: "turn.tool.ended",
    callId: call.callId,
    tool: call.tool.name,
    outcome,
    summary,
    durationMs,
    outputChars,
    artifactId,
  });
}

function remember(turn: Turn, call: ResolvedCall, outcome: CallOutcome, summary: string): void {
  turn.memory = {
    ...turn.memory,
    problem: null,
    past: [...turn.memory.past, { tool: call.tool.name, args: call.args, outcome, summary }],
  };
}

import type { ToolCall } from "../../models/types.ts";
import { newId } from "../../platform/index.ts";
import type { AnyTool } from "../../tools/types.ts";
import type { LoopEvent } from "../automaton.ts";
import { isRecord } from "../calls/shapes.ts";
import { fingerprint } from "../fingerprint.ts";
import type { ResolvedCall, Turn } from "../turn.ts";

/** A reply that cannot be an answer is not left standing as one. */
export function malformed(turn: Turn, problem: string): LoopEvent {
  turn.publisher.retract("The reply could not be used as an answer.");
  return { type: "malformed", problem };
}

/** Resolves proposed calls to tools and checks their arguments; one bad call sends the whole reply back with the reason. */
export function asAction(
  turn: Turn,
  calls: readonly ToolCall[],
  offered: readonly AnyTool[],
  proposer: ResolvedCall["proposer"],
): LoopEvent {
  const resolved: ResolvedCall[] = [];
  for (const call of calls) {
    const tool = offered.find((candidate) => candidate.name === call.name);
    if (!tool)
      return malformed(
        turn,
        `There is no tool named ${call.name}. Tools: ${offered.map((other) => other.name).join(", ")}.`,
      );
    const checked = tool.schema.safeParse(call.args ?? {});
    if (!checked.success) return invalidCall(turn, tool, call, checked.error.issues[0], proposer);
    resolved.push({
      callId: newId("call", turn.startedAt),
      tool,
      args: checked.data,
      label: tool.label(checked.data),
      proposer,
    });
  }
  for (const call of resolved) turn.calls.set(call.callId, call);
  return {
    type: "called",
    calls: resolved.map((call) => ({
      callId: call.callId,
      fingerprint: fingerprint(call.tool.name, call.args),
      lane: call.tool.safety === "safe" ? "together" : "alone",
      asks: call.tool.asks !== undefined,
    })),
  };
}

/** A call with arguments that do not fit is shown in the timeline and goes back to the model with what is wrong. */
function invalidCall(
  turn: Turn,
  tool: AnyTool,
  call: ToolCall,
  issue: { path: PropertyKey[]; message: string } | undefined,
  proposer: ResolvedCall["proposer"],
): LoopEvent {
  const callId = newId("call", turn.startedAt);
  const problem = issue ? `${issue.path.map(String).join(".") || "arguments"}: ${issue.message}` : "wrong arguments";
  const args = isRecord(call.args) ? call.args : { value: call.args };
  turn.trail.add({ type: "turn.tool.started", callId, tool: tool.name, label: tool.name, args, proposer });
  turn.trail.add({
    type: "turn.tool.ended",
    callId,
    tool: tool.name,
    outcome: "invalid",
    summary: problem,
    durationMs: 0,
    outputChars: 0,
    artifactId: null,
  });
  turn.memory = {
    ...turn.memory,
    past: [...turn.memory.past, { tool: tool.name, args: call.args, outcome: "invalid", summary: problem }],
  };
  return malformed(turn, `The arguments of ${tool.name} are not valid. ${problem}.`);
}

import type { WorkingMemory } from "../context/index.ts";
import { excerpt, type PromptStyle } from "./prompts.ts";
import type { PastAction } from "./proposers/types.ts";

const SHOWN_ACTIONS = 8;
const ACTION_CHARS = 160;

/** What the loop remembers between its steps. Raw tool output never gets in: only consolidated text and one-line outcomes. */
export interface TurnMemory {
  /** Short-term memory: the current plan, replaced by each consolidation. */
  readonly plan: string;
  /** Long-term memory: one finding an action, oldest first. */
  readonly findings: readonly string[];
  readonly past: readonly PastAction[];
  /** The last reply that was meant as a call but could not be read; told once. */
  readonly problem: string | null;
}

export const emptyMemory: TurnMemory = { plan: "", findings: [], past: [], problem: null };

/**
 * The working-memory block of one iteration; null in the first step of a turn, where it would say nothing. A very small
 * model gets the findings alone: a list of steps only leads it astray.
 */
export function workingMemory(
  memory: TurnMemory,
  iteration: number,
  limit: number,
  style: PromptStyle,
): WorkingMemory | null {
  if (iteration <= 1 && memory.past.length === 0 && memory.problem === null) return null;
  if (style === "brief") {
    if (memory.findings.length === 0) return null;
    return { header: "", plan: "", findings: memory.findings, actions: [], reminder: "" };
  }
  const remaining = limit - iteration;
  return {
    header: `Step ${iteration} of at most ${limit}; ${remaining === 0 ? "this is the last one" : `${remaining} remain after it`}.`,
    plan: memory.plan,
    findings: memory.findings,
    actions: memory.past.slice(-SHOWN_ACTIONS).map(actionLine),
    reminder: [
      memory.problem ?? "",
      remaining === 0 ? "Answer now." : "Take one next action, or answer if you know enough.",
    ]
      .filter((text) => text !== "")
      .join("\n"),
  };
}

/** One line: the call, how it ended, and what came of it. */
export function actionLine(action: PastAction): string {
  const args = JSON.stringify(action.args ?? {});
  return excerpt(
    `${action.tool} ${args}: ${outcomeWords[action.outcome]}${action.summary === "" ? "" : `; ${action.summary}`}`,
    null,
    ACTION_CHARS,
  );
}

const outcomeWords: Record<PastAction["outcome"], string> = {
  ok: "done",
  error: "failed",
  denied: "refused",
  repeated: "already done before, not run again",
  interrupted: "stopped",
  "circuit-open": "not run, the tool keeps failing",
  invalid: "not valid",
};

/** Small changes to the steps of a turn. */
import type { TurnEvent } from "../../core/contract/index.ts";
import { turn as words } from "../words/turn.ts";
import type { Step, TurnView } from "./view.ts";

/** "Searching your library for …" while it runs; "Searched the library" and the arguments apart once it is done. */
export function inThePast(view: TurnView, event: Extract<TurnEvent, { type: "turn.tool.ended" }>): Partial<Step> {
  const title = words.did[event.tool];
  if (title === undefined) return {};
  const args = view.steps.find((each) => each.kind === "tool" && each.callId === event.callId)?.args;
  return { title, detail: args ? argsInWords(args) : "" };
}

/** Stored trails hold no tokens: the last thinking, which no action followed, was the writing. */
export function withAnswer(steps: readonly Step[]): readonly Step[] {
  if (steps.some((each) => each.kind === "answer")) return steps;
  return changeLast(steps, (each) => each.kind === "thinking" && each.outcome === "running", { kind: "answer" });
}

export function blank(view: TurnView, at: number, kind: Step["kind"], id: string): Step {
  return {
    id,
    kind,
    iteration: kind === "context" ? 0 : view.iteration,
    title: "",
    detail: "",
    figure: "",
    startedAt: at,
    endedAt: null,
    durationMs: null,
    outcome: "running",
    callId: null,
    tool: null,
    args: null,
    proposer: null,
    artifactId: null,
    outputChars: null,
    longTerm: null,
    shortTerm: null,
    note: null,
    budget: null,
    promptArtifactId: null,
    safety: null,
  };
}

export const finishRunning = (
  steps: readonly Step[],
  at: number,
  kind: Step["kind"],
  change: Partial<Step> = {},
): readonly Step[] =>
  steps.map((each) =>
    each.kind === kind && each.outcome === "running" ? { ...each, ...change, endedAt: at, outcome: "ok" } : each,
  );

export const changeCall = (steps: readonly Step[], callId: string, change: Partial<Step>): readonly Step[] =>
  steps.map((each) => (each.kind === "tool" && each.callId === callId ? { ...each, ...change } : each));

export function changeLast(
  steps: readonly Step[],
  which: (each: Step) => boolean,
  change: Partial<Step>,
): readonly Step[] {
  const index = steps.findLastIndex(which);
  return index === -1 ? steps : steps.with(index, { ...steps[index]!, ...change });
}

/** A later report of the same number replaces the earlier one: it knows whether the passage was cited. */
export function mergeFound(before: TurnView["found"], more: TurnView["found"]): TurnView["found"] {
  const byNumber = new Map(before.map((each) => [each.number, each]));
  for (const each of more) byNumber.set(each.number, each);
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

/** The arguments in one line: a single text in quotes, several as name and value. */
export function argsInWords(args: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(args).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const texts = entries.filter(([, value]) => typeof value === "string");
  const text =
    texts.length === 1 ? texts[0] : texts.find(([name]) => ["query", "question", "text", "title"].includes(name));
  if (text) return `“${String(text[1])}”`;
  return entries
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

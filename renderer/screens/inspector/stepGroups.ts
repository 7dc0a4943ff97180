import type { Step, TurnView } from "../../turns/view.ts";

export interface StepGroup {
  /** 0 is what came before the first step. */
  readonly iteration: number;
  readonly steps: readonly Step[];
}

/** Steps under the iteration they belong to, in order. */
export function stepGroups(view: TurnView): readonly StepGroup[] {
  const groups: { iteration: number; steps: Step[] }[] = [];
  for (const step of view.steps) {
    const last = groups[groups.length - 1];
    if (last?.iteration === step.iteration) last.steps.push(step);
    else groups.push({ iteration: step.iteration, steps: [step] });
  }
  return groups;
}

/** Opens with what most people come for: the first thing that was done, else the answer. */
export const defaultStep = (view: TurnView): Step | undefined =>
  view.steps.find((step) => step.kind === "tool") ??
  view.steps.findLast((step) => step.kind === "answer") ??
  view.steps[0];

/** The prompt behind a step: its own, or that of the thinking which proposed it. */
export function promptOf(view: TurnView, step: Step): Pick<Step, "budget" | "promptArtifactId"> {
  if (step.budget) return step;
  const at = view.steps.indexOf(step);
  const thinking = view.steps
    .slice(0, at)
    .findLast((each) => each.budget !== null && each.iteration === step.iteration);
  return thinking ?? { budget: null, promptArtifactId: null };
}

/** The notes that were made from an action, if it was consolidated. */
export function notesAfter(view: TurnView, step: Step): Step | undefined {
  if (step.kind === "notes") return step;
  const at = view.steps.indexOf(step);
  return view.steps.slice(at + 1).find((each) => each.kind === "notes" && each.iteration === step.iteration);
}

export const tookMs = (step: Step): number | null =>
  step.durationMs ?? (step.endedAt === null ? null : Math.max(0, step.endedAt - step.startedAt));

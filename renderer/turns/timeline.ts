/** The turn's steps as the lines of its timeline. */
import type { ActivityItem } from "../components/ActivityLine.tsx";
import { duration, plural } from "../format/numbers.ts";
import { turn as words } from "../words/turn.ts";
import type { Step, TurnView } from "./view.ts";

/** Thinking that led to an action, and the context stage, are the inspector's; the timeline shows what was done. */
const shown = (step: Step, live: boolean): boolean =>
  step.kind === "tool" ||
  step.kind === "belief" ||
  step.kind === "question" ||
  step.kind === "approval" ||
  step.kind === "nudge" ||
  step.kind === "attached" ||
  step.kind === "answer" ||
  step.kind === "notes" ||
  (step.kind === "thinking" && live && step.outcome === "running");

/** A direct answer: nothing was looked up, asked or weighed. */
export const isPlainAnswer = (turn: TurnView): boolean =>
  !turn.steps.some((step) => ["tool", "belief", "question", "approval", "nudge", "attached"].includes(step.kind));

export function activityItems(turn: TurnView, live: boolean): ActivityItem[] {
  return turn.steps
    .filter((step) => shown(step, live))
    .map((step) => {
      const running = live && step.outcome === "running";
      return {
        id: step.id,
        what: step.title,
        // An open question stands in full under the timeline.
        detail: running && step.kind === "question" ? "" : running && step.note ? step.note : step.detail,
        figure: [figureOf(step, turn, running), tookOf(step)].filter(Boolean).join(" · "),
        now: running,
        failed: step.outcome === "problem",
      };
    });
}

function figureOf(step: Step, turn: TurnView, running: boolean): string {
  if (step.kind === "answer" && running) return turn.streamed > 0 ? plural(turn.streamed, "token") : "";
  if (step.kind === "tool" && step.outcome === "problem") return step.note ?? step.figure;
  return step.figure;
}

const tookOf = (step: Step): string =>
  step.durationMs !== null && step.durationMs >= 50 ? duration(step.durationMs) : "";

/** "Step 4 of at most 12 · 14 s" while it runs; "3 steps · searched the library, read 2 files · 22 s" afterwards. */
export function activitySummary(turn: TurnView, live: boolean, elapsed: string): { title: string; detail: string } {
  if (live) {
    const waits =
      turn.phase === "CLARIFYING"
        ? words.needsAnswer
        : turn.phase === "WAITING_APPROVAL"
          ? words.needsApproval
          : elapsed;
    return {
      title: turn.limit > 0 ? words.stepOf(Math.max(1, turn.iteration), turn.limit) : words.starting,
      detail: waits,
    };
  }
  const done = turn.steps.filter((step) => step.kind === "tool" || step.kind === "belief" || step.kind === "question");
  const phrases = [...new Set(done.map((step) => lower(step.title)))];
  const steps = Math.max(done.length, 1) + (turn.steps.some((step) => step.kind === "answer") ? 1 : 0);
  return { title: words.steps(steps), detail: [phrases.slice(0, 3).join(", "), elapsed].filter(Boolean).join(" · ") };
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

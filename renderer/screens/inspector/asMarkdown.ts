import { duration } from "../../format/numbers.ts";
import type { TurnView } from "../../turns/view.ts";
import { inspector as words } from "../../words/inspector.ts";
import { stepGroups, tookMs } from "./stepGroups.ts";
import type { InspectedTurn } from "./useInspectedTurn.ts";

/** The turn's steps as text one can paste into a report. */
export function turnAsMarkdown(view: TurnView, { title, number }: Pick<InspectedTurn, "title" | "number">): string {
  const lines = [`# ${title}${number === null ? "" : `, ${words.turn(number).toLowerCase()}`}`, ""];
  if (view.modelName) lines.push(words.model(view.modelName, view.budget?.window ?? null), "");
  for (const group of stepGroups(view)) {
    lines.push(`## ${group.iteration === 0 ? words.before : words.step(group.iteration)}`, "");
    for (const step of group.steps) {
      const took = tookMs(step);
      lines.push(
        `- **${step.title}** ${[step.detail, step.figure, took === null ? "" : duration(took)].filter(Boolean).join(" · ")}`,
      );
      if (step.args && Object.keys(step.args).length > 0) lines.push(`  - \`${JSON.stringify(step.args)}\``);
      if (step.longTerm) lines.push(`  - ${words.kept} ${step.longTerm}`);
      if (step.shortTerm) lines.push(`  - ${words.plan} ${step.shortTerm}`);
    }
    lines.push("");
  }
  if (view.answer) lines.push(`## ${words.answer}`, "", view.answer, "");
  return lines.join("\n");
}

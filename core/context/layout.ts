import type { ChatMessage } from "../models/types.ts";
import type { PromptParts, WorkingMemory } from "./types.ts";

/**
 * The prompt's layout, stable before volatile: one system message (identity, snapshot, summary), the history word for
 * word, and one last user message that carries everything that changes with the step, the user's own words at its end.
 * Roles alternate strictly, as several model families demand.
 */
export function layOut(parts: PromptParts): ChatMessage[] {
  const messages: ChatMessage[] = [{ role: "system", content: systemText(parts) }];
  for (const message of parts.history) messages.push({ role: message.role, content: message.content });
  const last: ChatMessage = { role: "user", content: lastText(parts) };
  return [...messages, last];
}

export function systemText(parts: Pick<PromptParts, "system" | "snapshot" | "summary">): string {
  return [parts.system, snapshotText(parts.snapshot), summaryText(parts.summary)]
    .filter((text) => text !== "")
    .join("\n\n");
}

export function snapshotText(snapshot: string): string {
  return snapshot === "" ? "" : `Who you have become so far:\n${snapshot}`;
}

export function summaryText(summary: string): string {
  return summary === "" ? "" : `Earlier in this conversation:\n${summary}`;
}

export function memoriesText(memories: readonly string[]): string {
  return memories.length === 0 ? "" : `Notes found for this message:\n${memories.join("\n")}`;
}

export function beliefsText(beliefs: readonly string[]): string {
  return beliefs.length === 0 ? "" : `What you believe about this:\n${beliefs.join("\n")}`;
}

export function workingText(working: WorkingMemory | null): string {
  if (!working) return "";
  return [
    working.header,
    section("Plan", working.plan === "" ? [] : [working.plan]),
    section("Findings so far", working.findings),
    section("Actions taken", working.actions),
    working.reminder,
  ]
    .filter((text) => text !== "")
    .join("\n");
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title}:\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

function lastText(parts: PromptParts): string {
  return [memoriesText(parts.memories), beliefsText(parts.beliefs), workingText(parts.working), parts.user, parts.nudge]
    .filter((text) => text !== "")
    .join("\n\n");
}

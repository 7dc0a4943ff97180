import { z } from "zod";

/**
 * An anchored summary: four lists that only grow, like a notebook. Later overflows add to it; it is never written anew
 * from a longer text, so that what it once held is not lost in retelling (after arXiv:2603.29193).
 */
export const AnchoredSummary = z.object({
  /** What the user is after, newest wording. */
  intent: z.string(),
  keyFacts: z.array(z.string()),
  decisions: z.array(z.string()),
  openThreads: z.array(z.string()),
  /** Findings of tools in the summarised turns, word for word. */
  toolResults: z.array(z.string()),
});
export type AnchoredSummary = z.infer<typeof AnchoredSummary>;

/** What a model adds for the turns that leave the prompt. */
export const SummaryAddition = z.object({
  intent: z.string().describe("What the user wants, in one sentence."),
  key_facts: z.array(z.string()).max(12).describe("New facts worth keeping: names, numbers, preferences."),
  decisions: z.array(z.string()).max(6).describe("What was decided or agreed."),
  open_threads: z.array(z.string()).max(6).describe("Questions and tasks still open."),
  closed_threads: z
    .array(z.string())
    .max(6)
    .describe("Open threads of the summary so far that these messages settle, word for word."),
});
export type SummaryAddition = z.infer<typeof SummaryAddition>;

export const emptySummary: AnchoredSummary = {
  intent: "",
  keyFacts: [],
  decisions: [],
  openThreads: [],
  toolResults: [],
};

/** Adds to a summary. Facts and decisions are never taken out; threads leave only when they are said to be settled. */
export function mergeSummary(
  summary: AnchoredSummary,
  addition: SummaryAddition,
  toolResults: readonly string[],
): AnchoredSummary {
  const closed = new Set(addition.closed_threads.map(normal));
  return {
    intent: addition.intent.trim() === "" ? summary.intent : addition.intent.trim(),
    keyFacts: union(summary.keyFacts, addition.key_facts),
    decisions: union(summary.decisions, addition.decisions),
    openThreads: union(summary.openThreads, addition.open_threads).filter((thread) => !closed.has(normal(thread))),
    toolResults: union(summary.toolResults, toolResults),
  };
}

/** The summary as the model and the user read it; "" when it holds nothing. */
export function renderSummary(summary: AnchoredSummary): string {
  return [
    summary.intent === "" ? "" : `The user wants: ${summary.intent}`,
    list("Facts", summary.keyFacts),
    list("Decided", summary.decisions),
    list("Open", summary.openThreads),
    list("Found with tools", summary.toolResults),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

/**
 * Shortens a summary by one entry; null when only the intent is left. The longest list gives its oldest entry, facts and
 * tool results before decisions, decisions before open threads.
 */
export function shortenSummary(summary: AnchoredSummary): { summary: AnchoredSummary; lost: string } | null {
  const order = ["toolResults", "keyFacts", "decisions", "openThreads"] as const;
  const weight = { toolResults: 3, keyFacts: 2, decisions: 1.2, openThreads: 1 } as const;
  const list = [...order].sort((a, b) => summary[b].length * weight[b] - summary[a].length * weight[a])[0];
  const lost = list === undefined ? undefined : summary[list][0];
  if (list === undefined || lost === undefined) return null;
  return { summary: { ...summary, [list]: summary[list].slice(1) }, lost };
}

function union(known: readonly string[], more: readonly string[]): string[] {
  const seen = new Set(known.map(normal));
  const result = [...known];
  for (const item of more) {
    const text = item.replace(/\s+/g, " ").trim();
    if (text === "" || seen.has(normal(text))) continue;
    seen.add(normal(text));
    result.push(text);
  }
  return result;
}

function normal(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `${title}:\n${items.map((item) => `- ${item}`).join("\n")}`;
}

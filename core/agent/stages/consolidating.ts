import type { LoopEvent } from "../automaton.ts";
import { consolidate } from "../consolidation.ts";
import type { AgentParts } from "../deps.ts";
import { contextOf, type Turn } from "../turn.ts";
import { actionLine } from "../working-memory.ts";
import { overBudget } from "./inference.ts";

/** Findings longer than this become an episode of their own. */
const EPISODE_CHARS = 50;

/** One consolidation for everything that the action brought. */
export async function consolidateAction(parts: AgentParts, turn: Turn, callIds: readonly string[]): Promise<LoopEvent> {
  const context = contextOf(turn);
  const results = callIds.flatMap((id) => turn.results.get(id) ?? []);
  const startedAt = parts.clock.monotonic();
  const activity = turn.activity.begin("Keeping what was found");
  try {
    const done = await consolidate({
      question: context.user,
      plan: turn.memory.plan,
      findings: turn.memory.findings,
      action: results
        .map((result) =>
          actionLine({ tool: result.call.tool.name, args: result.call.args, outcome: result.outcome, summary: "" }),
        )
        .join("\n"),
      output: results
        .map((result) => (result.outcome === "ok" ? result.text : `${result.call.tool.name} failed: ${result.text}`))
        .join("\n\n"),
      model: context.model,
      canCopyFacts: context.canCopyFacts,
      budget: context.budget,
      counter: context.counter,
      signal: turn.abort.signal,
    });
    turn.cost.record({ promptTokens: done.promptTokens, generatedTokens: done.generatedTokens, cachedTokens: 0 });
    for (let i = 0; i < done.calls; i++) turn.cost.countSideCall();
    for (const id of callIds) turn.results.delete(id);
    const news = done.longTerm !== "" && !turn.memory.findings.includes(done.longTerm);
    turn.memory = {
      ...turn.memory,
      plan: done.shortTerm,
      findings: news ? [...turn.memory.findings, done.longTerm] : turn.memory.findings,
      problem: null,
    };
    turn.trail.add({
      type: "turn.consolidated",
      longTerm: done.longTerm,
      shortTerm: done.shortTerm,
      method: done.method,
      note: done.note,
      durationMs: parts.clock.monotonic() - startedAt,
      tokens: done.promptTokens + done.generatedTokens,
    });
    const tool = results[0]?.call.tool.name;
    if (news && tool && done.longTerm.length > EPISODE_CHARS) turn.findings.push({ tool, text: done.longTerm });
    const spent = turn.cost.exceeded();
    if (spent !== null) return overBudget(turn, spent);
    return { type: "consolidated", progress: news && results.some((result) => result.outcome === "ok") };
  } finally {
    activity.end();
  }
}

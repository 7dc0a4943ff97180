import { type ComposedPrompt, composeGuarded, type PromptParts, replyLimit } from "../../context/index.ts";
import type { FoundPassage } from "../../contract/index.ts";
import type { ChatRequest, ChatResult } from "../../models/types.ts";
import { type AnyTool, definitionOf } from "../../tools/types.ts";
import type { LoopEvent } from "../automaton.ts";
import type { AgentParts } from "../deps.ts";
import { beliefLine, type PromptStyle, passageLine, synthesisNudge, systemPrompt } from "../prompts.ts";
import type { Recognition } from "../proposers/types.ts";
import { renderTranscript } from "../transcript.ts";
import { contextOf, type Turn } from "../turn.ts";
import { workingMemory } from "../working-memory.ts";
import { compressLeftOut } from "./compression.ts";
import { asAction, malformed } from "./resolving.ts";

/** How much of the prompt recalled passages may take, and how long each may be, by what the model can digest. */
const memoryShape = {
  brief: { passages: 3, chars: 420 },
  full: { passages: 8, chars: 900 },
} as const;

/** A very small model that has not come to an end by now is rambling. */
const longestReply: Record<PromptStyle, number> = { brief: 640, full: Number.POSITIVE_INFINITY };

/** One THINKING step: an answer, an action, or a reply that was meant as a call and could not be read. */
export async function thinkStep(
  parts: AgentParts,
  turn: Turn,
  step: { iteration: number; nudge: "stalled" | "malformed" | null },
): Promise<LoopEvent> {
  const spent = turn.cost.exceeded();
  if (spent !== null) return overBudget(turn, spent);

  const context = contextOf(turn);
  const tools = step.nudge ? [] : offeredTools(parts, turn);
  const native = context.proposer.kind === "native";
  let prompt = await compose(parts, turn, step, native ? tools : []);

  if (tools.length > 0) {
    const { proposal, promptTokens, generatedTokens } = await context.proposer.propose({
      userText: turn.user.content,
      history: prompt.messages.slice(1, -1),
      iteration: step.iteration,
      tools,
      past: turn.memory.past,
      found: turn.found.length,
      plan: turn.memory.plan,
      findings: turn.memory.findings.join("\n"),
      model: context.model,
      messages: prompt.messages,
      maxPromptTokens: context.budget.prompt,
      signal: turn.abort.signal,
    });
    turn.cost.record({ promptTokens, generatedTokens, cachedTokens: 0 });
    if (generatedTokens > 0) turn.cost.countSideCall();
    if (proposal.kind === "done") return { type: "answered" };
    if (proposal.kind === "answer" && proposal.text !== undefined) {
      showWhole(turn, proposal.text);
      return { type: "answered" };
    }
    if (proposal.kind === "calls") return asAction(turn, proposal.calls, tools, context.proposer.kind);
    if (proposal.kind === "ask-model" && !native) prompt = await compose(parts, turn, step, tools);
  }

  const offered = tools.filter((tool) => prompt.tools.some((definition) => definition.name === tool.name));
  const result = await generate(parts, turn, step.iteration, prompt);
  if (result.stopped === "aborted") return { type: "interrupted", by: "stop" };
  return judge(parts, turn, result, offered);
}

function offeredTools(parts: AgentParts, turn: Turn): readonly AnyTool[] {
  const all =
    parts.tools?.available({ conversationId: turn.conversation.id, ephemeral: turn.conversation.ephemeral }) ?? [];
  return turn.mode === "ingest" ? all.filter((tool) => !tool.asks) : all;
}

/** Composes within the budget. History that does not fit is summarised first, so that nothing goes without a trace. */
async function compose(
  parts: AgentParts,
  turn: Turn,
  step: { iteration: number; nudge: string | null },
  tools: readonly AnyTool[],
): Promise<ComposedPrompt> {
  const context = contextOf(turn);
  const draft = () => composeGuarded(promptParts(turn, step, tools), context.budget, context.counter);
  const records = context.omitted ? [context.omitted] : [];
  let prompt = await draft();
  if (prompt.leftOut.length > 0) {
    records.push(await compressLeftOut(parts, turn, prompt.leftOut));
    prompt = await draft();
  }
  return { ...prompt, split: { ...prompt.split, dropped: [...records, ...prompt.split.dropped] } };
}

function promptParts(
  turn: Turn,
  step: { iteration: number; nudge: string | null },
  tools: readonly AnyTool[],
): PromptParts {
  const context = contextOf(turn);
  const shape = memoryShape[context.style];
  return {
    system: systemPrompt(context.style, { withTools: tools.length > 0, mode: turn.mode }),
    snapshot: context.style === "full" ? context.snapshot : "",
    tools: tools.map(definitionOf),
    summary: context.summary,
    history: context.history,
    memories: shownPassages(turn, context.style)
      .slice(0, shape.passages)
      .map((found) => passageLine(found.number, found, shape.chars)),
    beliefs: context.beliefs.map(beliefLine),
    // A very small model that sees a passage and a finding made of it takes the two for a list to go on with.
    working:
      context.style === "brief" && turn.found.length > 0
        ? null
        : workingMemory(turn.memory, step.iteration, turn.limit, context.style),
    user: context.user,
    nudge: step.nudge ? synthesisNudge : "",
  };
}

/**
 * Recalled passages go into the prompt. What a tool found does not: it comes as consolidated findings. Only a model too
 * weak to consolidate well gets the best few of a tool's passages as they stand, cut short.
 */
function shownPassages(turn: Turn, style: PromptStyle): readonly FoundPassage[] {
  const recalled = turn.found.slice(0, turn.recalled);
  if (style === "full") return recalled;
  const byTools = turn.found.slice(turn.recalled);
  return byTools.length > 0 ? byTools : recalled;
}

/** Keeps the exact prompt for the inspector and tells the window how its tokens were spent. */
function showPrompt(parts: AgentParts, turn: Turn, iteration: number, prompt: ComposedPrompt): void {
  const artifactId = parts.artifacts.keep(
    turn.key,
    `prompt-${iteration}`,
    renderTranscript(prompt.messages, prompt.tools),
    { ephemeral: turn.conversation.ephemeral },
  );
  turn.trail.add({ type: "turn.prompt", step: `Step ${iteration}`, budget: prompt.split, artifactId });
}

/** Streams one reply. What may still turn out to be a call is held back until it is known. */
async function generate(parts: AgentParts, turn: Turn, iteration: number, prompt: ComposedPrompt): Promise<ChatResult> {
  const context = contextOf(turn);
  showPrompt(parts, turn, iteration, prompt);
  const activity = turn.activity.begin("Thinking");
  const names = offeredTools(parts, turn).map((tool) => tool.name);
  let seen = "";
  let shown = 0;
  try {
    const result = await context.model.generate(
      {
        messages: prompt.messages,
        ...(prompt.tools.length > 0 ? { tools: prompt.tools } : {}),
        maxTokens: Math.min(
          replyLimit(context.budget, prompt.split.total),
          longestReply[context.style],
          parts.maxReplyTokens ?? Number.POSITIVE_INFINITY,
        ),
        maxPromptTokens: context.budget.prompt,
        ...sequenceFor(turn, context.aside),
      },
      {
        signal: turn.abort.signal,
        onChunk(chunk) {
          if (turn.abort.signal.aborted) return;
          if (chunk.channel === "reasoning") {
            turn.publisher.push(chunk);
            return;
          }
          seen += chunk.text;
          const safe = parts.recognizer.safePrefix(seen, names);
          if (safe > shown) {
            turn.publisher.push({ channel: "answer", text: seen.slice(shown, safe) });
            shown = safe;
          }
        },
      },
    );
    turn.cost.record(result);
    // An aborted reply comes back when the turn has ended already: nothing may follow its end.
    if (turn.abort.signal.aborted) return result;
    turn.trail.add({
      type: "turn.usage",
      promptTokens: result.promptTokens,
      cachedTokens: result.cachedTokens,
      generatedTokens: result.generatedTokens,
      budget: context.budget.effective,
      tokensPerSecond: result.decodeMs > 0 ? (result.generatedTokens / result.decodeMs) * 1_000 : null,
    });
    turn.lastReply = result;
    return result;
  } finally {
    activity.end();
  }
}

/** Text without a call is the answer; anything that is or was meant as a call never stays visible as one. */
function judge(parts: AgentParts, turn: Turn, result: ChatResult, offered: readonly AnyTool[]): LoopEvent {
  const names = offeredTools(parts, turn).map((tool) => tool.name);
  const recognition = recognise(parts, result, names);
  switch (recognition.kind) {
    case "text":
      if (result.text.trim() === "") return malformed(turn, "The reply was empty.");
      showWhole(turn, result.text);
      return { type: "answered" };
    case "calls":
      if (offered.length === 0) return malformed(turn, "No tool can be used in this step: answer in words.");
      turn.publisher.retract("The reply is an action, not an answer.");
      return asAction(turn, recognition.calls, offered, "native");
    case "malformed":
      return malformed(turn, recognition.problem);
  }
}

/** A step beside the conversation uses a sequence of its own, so that the conversation stays evaluated. */
function sequenceFor(turn: Turn, aside: boolean): Pick<ChatRequest, "cacheKey" | "lane" | "keepState"> {
  return aside
    ? { cacheKey: "aside", lane: "side", keepState: false }
    : { cacheKey: turn.conversation.id, lane: "conversation", keepState: !turn.conversation.ephemeral };
}

/** Shows what was held back while it might have become a call. */
function showWhole(turn: Turn, text: string): void {
  const shown = turn.publisher.answer;
  if (text.startsWith(shown)) turn.publisher.push({ channel: "answer", text: text.slice(shown.length) });
  else turn.publisher.replace(text, "The reply was put right.");
}

function recognise(parts: AgentParts, result: ChatResult, names: readonly string[]): Recognition {
  if (result.calls.length > 0) return { kind: "calls", calls: result.calls, before: result.text };
  return parts.recognizer.recognize(result.text, names);
}

export function overBudget(turn: Turn, spent: string): LoopEvent {
  turn.problem = { reason: spent, action: "Send a new message to go on from here." };
  return { type: "budget-spent" };
}

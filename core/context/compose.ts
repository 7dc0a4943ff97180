import type { BudgetSplit } from "../contract/index.ts";
import { CredenceError } from "../contract/index.ts";
import type { Budget } from "./budget.ts";
import type { TokenCounter } from "./counter.ts";
import { beliefsText, layOut, memoriesText, snapshotText, summaryText, systemText, workingText } from "./layout.ts";
import type { ComposedPrompt, HistoryMessage, PromptParts } from "./types.ts";

type Dropped = BudgetSplit["dropped"][number];

/** Rounds (a question and its answer) that stay until memories and tool history have been reduced. */
const KEPT_ROUNDS = 2;

/**
 * Composes a prompt that fits: at most `budget.prompt` tokens, counted exactly with template and tools. Over budget it
 * takes away, in this order, the oldest history (for the caller to summarise), the lowest-ranked memories, and tool
 * history; only then the last rounds, beliefs, tool definitions and the snapshot. The system prompt and the newest user
 * message never go: when they alone are too much, it throws `agent.message-too-large`. Each loss is recorded.
 */
export async function composeGuarded(
  parts: PromptParts,
  budget: Budget,
  counter: TokenCounter,
): Promise<ComposedPrompt> {
  const draft: Draft = { parts, leftOut: [], dropped: [] };
  // Most prompts fit at once: the parts are counted beside the whole, so that one trip to the tokenizer is waited for.
  let [total] = await Promise.all([count(draft.parts, counter), counter.texts(splitTexts(draft.parts))]);
  for (const step of steps) {
    while (total > budget.prompt) {
      const changed = await step(draft, total - budget.prompt, counter);
      if (!changed) break;
      total = await count(draft.parts, counter);
    }
    if (total <= budget.prompt) break;
  }
  if (total > budget.prompt) {
    throw new CredenceError("agent.message-too-large", { tokens: total, budget: budget.prompt });
  }
  return {
    messages: layOut(draft.parts),
    tools: draft.parts.tools,
    split: await splitOf(draft.parts, total, budget, draft.dropped, counter),
    leftOut: draft.leftOut,
    memoriesKept: draft.parts.memories.length,
  };
}

interface Draft {
  parts: PromptParts;
  leftOut: HistoryMessage[];
  dropped: Dropped[];
}

/** Takes at least something away towards `excess` tokens; false when there is nothing of its kind left to take. */
type Step = (draft: Draft, excess: number, counter: TokenCounter) => Promise<boolean>;

const steps: readonly Step[] = [
  (draft, excess, counter) => dropHistory(draft, excess, counter, KEPT_ROUNDS),
  dropMemories,
  dropToolHistory,
  (draft, excess, counter) => dropHistory(draft, excess, counter, 0),
  dropBeliefs,
  dropSummary,
  dropTools,
  dropSnapshot,
];

function count(parts: PromptParts, counter: TokenCounter): Promise<number> {
  return counter.prompt(layOut(parts), parts.tools);
}

async function dropHistory(draft: Draft, excess: number, counter: TokenCounter, keptRounds: number): Promise<boolean> {
  const { history } = draft.parts;
  const candidates = history.slice(0, Math.max(0, startOfLastRounds(history, keptRounds)));
  if (candidates.length === 0) return false;
  const tokens = await counter.texts(candidates.map((message) => message.content));
  let freed = 0;
  let n = 0;
  // Whole rounds go: what is left must start with a question.
  while (n < candidates.length && (freed < excess || history[n]?.role === "assistant")) freed += tokens[n++] ?? 0;
  const gone = history.slice(0, n);
  draft.leftOut.push(...gone);
  draft.parts = { ...draft.parts, history: history.slice(n) };
  record(draft, {
    what: plural(gone.length, "older message", "older messages"),
    tokens: freed,
    reason: "The chat is longer than the budget.",
  });
  return true;
}

function startOfLastRounds(history: readonly HistoryMessage[], rounds: number): number {
  if (rounds === 0) return history.length;
  let left = rounds;
  for (let i = history.length - 1; i >= 0; i--) {
    if (history[i]?.role === "user" && --left === 0) return i;
  }
  return 0;
}

async function dropMemories(draft: Draft, excess: number, counter: TokenCounter): Promise<boolean> {
  const { memories } = draft.parts;
  if (memories.length === 0) return false;
  const { kept, freed } = await dropLast(memories, excess, counter);
  draft.parts = { ...draft.parts, memories: kept };
  const gone = memories.length - kept.length;
  record(draft, {
    what: plural(gone, "found passage", "found passages"),
    tokens: freed,
    reason: "Ranked lowest; they stay visible beside the answer.",
  });
  return true;
}

async function dropToolHistory(draft: Draft, excess: number, counter: TokenCounter): Promise<boolean> {
  const { working } = draft.parts;
  if (!working) return false;
  if (working.actions.length > 0) {
    const { kept, freed } = await dropFirst(working.actions, excess, counter);
    draft.parts = { ...draft.parts, working: { ...working, actions: kept } };
    record(draft, {
      what: plural(working.actions.length - kept.length, "earlier action", "earlier actions"),
      tokens: freed,
      reason: "The oldest steps of this turn.",
    });
    return true;
  }
  if (working.findings.length > 0) {
    const { kept, freed } = await dropFirst(working.findings, excess, counter);
    draft.parts = { ...draft.parts, working: { ...working, findings: kept } };
    record(draft, {
      what: plural(working.findings.length - kept.length, "earlier finding", "earlier findings"),
      tokens: freed,
      reason: "The oldest findings of this turn; they stay in its inspector.",
    });
    return true;
  }
  const [tokens = 0] = await counter.texts([workingText(working)]);
  draft.parts = { ...draft.parts, working: null };
  record(draft, { what: "the plan of this turn", tokens, reason: "The budget is too small for it." });
  return true;
}

async function dropBeliefs(draft: Draft, excess: number, counter: TokenCounter): Promise<boolean> {
  const { beliefs } = draft.parts;
  if (beliefs.length === 0) return false;
  const { kept, freed } = await dropLast(beliefs, excess, counter);
  draft.parts = { ...draft.parts, beliefs: kept };
  record(draft, {
    what: plural(beliefs.length - kept.length, "belief", "beliefs"),
    tokens: freed,
    reason: "Least relevant to this message.",
  });
  return true;
}

async function dropSummary(draft: Draft, _excess: number, counter: TokenCounter): Promise<boolean> {
  if (draft.parts.summary === "") return false;
  const [tokens = 0] = await counter.texts([draft.parts.summary]);
  draft.parts = { ...draft.parts, summary: "" };
  record(draft, { what: "the summary of this chat", tokens, reason: "The budget is too small for it." });
  return true;
}

async function dropTools(draft: Draft, excess: number, counter: TokenCounter): Promise<boolean> {
  const { tools } = draft.parts;
  if (tools.length === 0) return false;
  const { kept, freed } = await dropLast(tools, excess, counter, (tool) => JSON.stringify(tool));
  draft.parts = { ...draft.parts, tools: kept };
  const names = tools
    .slice(kept.length)
    .map((tool) => tool.name)
    .join(", ");
  record(draft, { what: `tools: ${names}`, tokens: freed, reason: "Their descriptions do not fit into the budget." });
  return true;
}

async function dropSnapshot(draft: Draft, _excess: number, counter: TokenCounter): Promise<boolean> {
  if (draft.parts.snapshot === "") return false;
  const [tokens = 0] = await counter.texts([draft.parts.snapshot]);
  draft.parts = { ...draft.parts, snapshot: "" };
  record(draft, { what: "the snapshot", tokens, reason: "The budget is too small for it." });
  return true;
}

async function dropLast<Item>(
  items: readonly Item[],
  excess: number,
  counter: TokenCounter,
  text: (item: Item) => string = String,
) {
  const tokens = await counter.texts(items.map(text));
  let kept = items.length;
  let freed = 0;
  while (kept > 0 && freed < excess) freed += tokens[--kept] ?? 0;
  return { kept: items.slice(0, kept), freed };
}

async function dropFirst<Item>(
  items: readonly Item[],
  excess: number,
  counter: TokenCounter,
  text: (item: Item) => string = String,
) {
  const { kept, freed } = await dropLast([...items].reverse(), excess, counter, text);
  return { kept: kept.reverse(), freed };
}

function record(draft: Draft, loss: Dropped): void {
  draft.dropped.push(loss);
}

function plural(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** Shares the exact total out; what no part accounts for (the template's own marks) is the system's. */
async function splitOf(
  parts: PromptParts,
  total: number,
  budget: Budget,
  dropped: Dropped[],
  counter: TokenCounter,
): Promise<BudgetSplit> {
  const [snapshot = 0, beliefs = 0, memories = 0, workingMemory = 0, ownSystem = 0, ...historyCounts] =
    await counter.texts(splitTexts(parts));
  const historyTotal = historyCounts.reduce((sum, tokens) => sum + tokens, 0);
  const listed = snapshot + beliefs + memories + workingMemory + historyTotal;
  const tools =
    parts.tools.length === 0 ? 0 : Math.min(await toolTokens(parts, counter), Math.max(0, total - listed - ownSystem));
  return {
    window: budget.window,
    effective: budget.effective,
    reserved: budget.reserved,
    system: Math.max(0, total - listed - tools),
    snapshot,
    beliefs,
    tools,
    history: historyTotal,
    memories,
    workingMemory,
    total,
    dropped,
  };
}

/** What is counted apart: snapshot, beliefs, memories, working memory, own system text, then everything of the chat. */
function splitTexts(parts: PromptParts): string[] {
  return [
    snapshotText(parts.snapshot),
    beliefsText(parts.beliefs),
    memoriesText(parts.memories),
    workingText(parts.working),
    systemText({ system: parts.system, snapshot: "", summary: "" }),
    summaryText(parts.summary),
    ...parts.history.map((message) => message.content),
    parts.user,
    parts.nudge,
  ];
}

async function toolTokens(parts: PromptParts, counter: TokenCounter): Promise<number> {
  const messages = [
    { role: "system", content: parts.system },
    { role: "user", content: "." },
  ] as const;
  return (await counter.prompt(messages, parts.tools)) - (await counter.prompt(messages, []));
}

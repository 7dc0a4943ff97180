/**
 * The aptitude check: what one model can do, measured by a handful of fixed tasks in about a minute. Each part can be
 * interrupted and taken up again; what is measured already is not measured twice.
 */
import type { ChatMessage, ChatModel, ChatResult } from "../../models/types.ts";
import type { Clock } from "../../platform/index.ts";
import { definitionOf } from "../../tools/types.ts";
import { createCallRecognizer } from "../calls/index.ts";
import { MemoryUpdate } from "../consolidation.ts";
import { consolidationPrompt } from "../prompts.ts";
import { chooseUnderGrammar } from "../proposers/grammar.ts";
import type { ProposerKind } from "../proposers/types.ts";
import {
  ACTION_TASKS,
  type ActionTask,
  CHECK_TOOLS,
  CONSOLIDATION_TASKS,
  COPY_TASKS,
  type ConsolidationTask,
  CopySchema,
  type CopyTask,
  DISTANCES,
  fillerSentence,
  HIDDEN,
  LANGUAGE_TASKS,
  SYSTEM_TASKS,
  type SystemTask,
} from "./tasks.ts";

/** Shares are 0..1. */
export interface Aptitude {
  readonly nativeCalls: number;
  readonly grammarChoice: number;
  readonly copiesFacts: number;
  readonly followsSystem: number;
  /** Codes of the languages it answered in. */
  readonly languages: readonly string[];
  /** Tokens back at which it still found a fact; 0 when it found none. */
  readonly recallsBack: number;
}

export type PartialAptitude = { -readonly [Key in keyof Aptitude]?: Aptitude[Key] };

/** A part ends after this, with what it has measured by then; slow machines measure less instead of longer. */
const PART_MS = 12_000;
/** So many tasks of a part are tried whatever they take. */
const LEAST_TASKS = 2;
/** Choosing actions decides who proposes, so it is given longer, and ends at once when a model cannot pass any more. */
const ACTIONS_MS = 40_000;
const PASS = 0.9;
const SAMPLING = { temperature: 0, seed: 1 } as const;

/**
 * Measures what `done` lacks, writing into it after each part, and answers with the whole.
 * Throws when the signal is aborted, or what the engine throws.
 */
export async function checkAptitude(
  model: ChatModel,
  options: { readonly signal: AbortSignal; readonly clock: Clock; readonly done?: PartialAptitude },
): Promise<Aptitude> {
  const done = options.done ?? {};
  const { signal, clock } = options;
  const parts: { [Key in keyof Aptitude]: () => Promise<Aptitude[Key]> } = {
    grammarChoice: () => shareOfAll(ACTION_TASKS, clock, (task) => choosesRightly(model, task, signal)),
    copiesFacts: async () => {
      const copied = await share(COPY_TASKS, clock, (task) => copiesShare(model, task, signal));
      const kept = await share(CONSOLIDATION_TASKS, clock, (task) => consolidates(model, task, signal));
      return Math.round(((copied + kept) / 2) * 100) / 100;
    },
    nativeCalls: () => shareOfAll(ACTION_TASKS, clock, (task) => callsRightly(model, task, signal)),
    followsSystem: () => share(SYSTEM_TASKS, clock, (task) => followsSystem(model, task, signal)),
    languages: () => measureLanguages(model, signal),
    recallsBack: () => measureRecall(model, options),
  };
  for (const key of Object.keys(parts) as (keyof Aptitude)[]) {
    if (done[key] !== undefined) continue;
    signal.throwIfAborted();
    Object.assign(done, { [key]: await parts[key]() });
  }
  return {
    nativeCalls: done.nativeCalls ?? 0,
    grammarChoice: done.grammarChoice ?? 0,
    copiesFacts: done.copiesFacts ?? 0,
    followsSystem: done.followsSystem ?? 0,
    languages: done.languages ?? [],
    recallsBack: done.recallsBack ?? 0,
  };
}

/** A model proposes by itself only when it is right about as often as the harness, which is right on most messages. */
export function proposerOf(aptitude: Aptitude): ProposerKind {
  if (aptitude.nativeCalls >= PASS) return "native";
  if (aptitude.grammarChoice >= PASS) return "grammar";
  return "harness";
}

/** Faithful enough to be trusted with consolidation: all of the copying and at least two of the three consolidations. */
export function copiesFaithfully(aptitude: Pick<Aptitude, "copiesFacts">): boolean {
  return aptitude.copiesFacts >= 0.8;
}

/** The share of tasks solved, of those that there was time for. */
async function share<Task>(
  tasks: readonly Task[],
  clock: Clock,
  solve: (task: Task) => Promise<number>,
): Promise<number> {
  const started = clock.monotonic();
  let solved = 0;
  let tried = 0;
  for (const task of tasks) {
    if (tried >= LEAST_TASKS && clock.monotonic() - started > PART_MS) break;
    solved += await solve(task);
    tried++;
  }
  return Math.round((solved / tried) * 100) / 100;
}

/**
 * The share of tasks solved. Passing takes all of them: one that has failed too many already is not asked further, and one
 * that the time ran out for is held just below the pass.
 */
async function shareOfAll<Task>(
  tasks: readonly Task[],
  clock: Clock,
  solve: (task: Task) => Promise<number>,
): Promise<number> {
  const started = clock.monotonic();
  let solved = 0;
  let tried = 0;
  for (const task of tasks) {
    if (tried >= LEAST_TASKS && clock.monotonic() - started > ACTIONS_MS) break;
    solved += await solve(task);
    tried++;
    if (tried - solved > tasks.length * (1 - PASS) + 1) break;
  }
  const share = Math.round((solved / tried) * 100) / 100;
  return tried === tasks.length ? share : Math.min(share, PASS - 0.01);
}

async function callsRightly(model: ChatModel, task: ActionTask, signal: AbortSignal): Promise<number> {
  const system = {
    role: "system",
    content: "You are a helpful assistant. Use a tool only when it is needed.",
  } as const;
  const reply = await say(model, [system, user(task.message)], 48, signal, true);
  const read = createCallRecognizer().recognize(
    reply.text,
    CHECK_TOOLS.map((tool) => tool.name),
  );
  const calls = reply.calls.length > 0 ? reply.calls : read.kind === "calls" ? read.calls : [];
  if (task.tool === null) return Number(calls.length === 0 && read.kind === "text" && reply.text.trim() !== "");
  return Number(calls[0]?.name === task.tool && task.about.test(JSON.stringify(calls[0].args ?? "")));
}

async function choosesRightly(model: ChatModel, task: ActionTask, signal: AbortSignal): Promise<number> {
  const action = await orNothing(
    async () =>
      (await chooseUnderGrammar({ model, maxPromptTokens: promptRoom(model), signal }, task.message, CHECK_TOOLS, ""))
        .value.action,
    signal,
    "",
  );
  return Number(action === (task.tool ?? "answer"));
}

async function copiesShare(model: ChatModel, task: CopyTask, signal: AbortSignal): Promise<number> {
  const copied = await orNothing(() => copyFacts(model, task.text, signal), signal, {});
  const facts = Object.entries(task.facts);
  const right = facts.filter(([key, fact]) => (copied[key] ?? "").toLowerCase().includes(fact.toLowerCase())).length;
  return right / facts.length;
}

/** A consolidation as the loop asks for it, judged by what it keeps; one that repeats itself keeps nothing. */
async function consolidates(model: ChatModel, task: ConsolidationTask, signal: AbortSignal): Promise<number> {
  const prompt = consolidationPrompt({ ...task, plan: "", findings: "", piece: null });
  const update = await orNothing(
    async () =>
      (
        await model.structured(
          {
            messages: [
              { role: "system", content: prompt.system },
              { role: "user", content: prompt.user },
            ],
            schema: MemoryUpdate,
            maxTokens: 200,
            maxPromptTokens: promptRoom(model),
            sampling: SAMPLING,
          },
          { signal },
        )
      ).value,
    signal,
    null,
  );
  if (!update || update.long_term_memory.length > task.output.length * 2 + 120) return 0;
  const words = `${update.long_term_memory}\n${update.short_term_memory}`;
  return task.keeps.filter((kept) => kept.test(words)).length / task.keeps.length;
}

async function copyFacts(
  model: ChatModel,
  text: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { value } = await model.structured(
    {
      messages: [
        {
          role: "system",
          content: "Copy the facts from the text into JSON: who, when, and the amount. Use the text's own words.",
        },
        user(text),
      ],
      schema: CopySchema,
      maxTokens: 90,
      maxPromptTokens: promptRoom(model),
      sampling: SAMPLING,
    },
    { signal },
  );
  return value;
}

async function followsSystem(model: ChatModel, task: SystemTask, signal: AbortSignal): Promise<number> {
  const reply = await say(model, [{ role: "system", content: task.system }, user(task.message)], 32, signal);
  return Number(task.follows(reply.text));
}

async function measureLanguages(model: ChatModel, signal: AbortSignal): Promise<string[]> {
  const languages: string[] = [];
  for (const task of LANGUAGE_TASKS) {
    const { text } = await say(model, [user(task.message)], 40, signal);
    const words = text.split(/\s+/).filter((word) => word !== "").length;
    const share = (text.match(task.words)?.length ?? 0) / Math.max(1, words);
    if (words >= 4 && share >= 0.15 && task.names.test(text)) languages.push(task.code);
  }
  return languages;
}

async function measureRecall(
  model: ChatModel,
  options: { readonly signal: AbortSignal; readonly clock: Clock },
): Promise<number> {
  const started = options.clock.monotonic();
  let farthest = 0;
  let lastMs = 0;
  for (const distance of DISTANCES) {
    const room = promptRoom(model);
    // The next distance takes about three times as long: not begun when it cannot end in time.
    const left = 2 * PART_MS - (options.clock.monotonic() - started);
    if (distance + 200 > room || lastMs * 3 > left) break;
    const begun = options.clock.monotonic();
    const filler = Array.from({ length: Math.ceil(distance / 24) }, (_, i) => fillerSentence(i)).join(" ");
    const { text } = await say(model, [user(`${HIDDEN.fact} ${filler}\n\n${HIDDEN.question}`)], 32, options.signal);
    lastMs = options.clock.monotonic() - begun;
    if (!HIDDEN.found.test(text)) break;
    farthest = distance;
  }
  return farthest;
}

/** One reply. A stop in the middle is no reply: it throws, so that half a sentence is never judged. */
async function say(
  model: ChatModel,
  messages: readonly ChatMessage[],
  maxTokens: number,
  signal: AbortSignal,
  tools = false,
): Promise<ChatResult> {
  const reply = await orNothing(
    () =>
      model.generate(
        {
          messages,
          ...(tools ? { tools: CHECK_TOOLS.map(definitionOf) } : {}),
          maxTokens,
          maxPromptTokens: promptRoom(model),
          sampling: SAMPLING,
          cacheKey: "aptitude",
          lane: "side",
        },
        { signal },
      ),
    signal,
    SILENCE,
  );
  signal.throwIfAborted();
  return reply;
}

const SILENCE: ChatResult = {
  text: "",
  reasoning: "",
  calls: [],
  stopped: "end",
  promptTokens: 0,
  cachedTokens: 0,
  generatedTokens: 0,
  promptMs: 0,
  decodeMs: 0,
};

/** A task that the model fails in a typed way (cut short, no valid JSON) is a task not solved. */
async function orNothing<Value>(work: () => Promise<Value>, signal: AbortSignal, nothing: Value): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    signal.throwIfAborted();
    if (isModelFailure(thrown)) return nothing;
    throw thrown;
  }
}

function isModelFailure(thrown: unknown): boolean {
  const kind = thrown instanceof Error && "kind" in thrown ? String(thrown.kind) : "";
  return kind === "models.structured-invalid" || kind === "models.prompt-too-large";
}

function promptRoom(model: ChatModel): number {
  return Math.floor(model.description.window * 0.65);
}

function user(content: string): ChatMessage {
  return { role: "user", content };
}

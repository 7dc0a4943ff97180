/**
 * The aptitude check: what one model can do, measured by a handful of fixed tasks in about a minute. Each part can be
 * interrupted and taken up again; what is measured already is not measured twice.
 */
import type { ChatMessage, ChatModel, ChatResult } from "../../models/types.ts";
import type { Clock } from "../../platform/index.ts";
import { definitionOf } from "../../tools/types.ts";
import { createCallRecognizer } from "../calls/index.ts";
import { chooseUnderGrammar } from "../proposers/grammar.ts";
import type { ProposerKind } from "../proposers/types.ts";
import {
  ACTION_TASKS,
  CHECK_TOOLS,
  COPY_TASKS,
  CopySchema,
  DISTANCES,
  fillerSentence,
  HIDDEN,
  LANGUAGE_TASKS,
  SYSTEM_TASKS,
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

/** No new part is begun after this; what is missing counts as not shown. */
const TIME_MS = 75_000;
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
  const started = options.clock.monotonic();
  const parts: { [Key in keyof Aptitude]: () => Promise<Aptitude[Key]> } = {
    grammarChoice: () => measureGrammar(model, options.signal),
    copiesFacts: () => measureCopying(model, options.signal),
    nativeCalls: () => measureNative(model, options.signal),
    followsSystem: () => measureSystem(model, options.signal),
    languages: () => measureLanguages(model, options.signal),
    recallsBack: () => measureRecall(model, options, started),
  };
  for (const key of Object.keys(parts) as (keyof Aptitude)[]) {
    if (done[key] !== undefined) continue;
    options.signal.throwIfAborted();
    if (options.clock.monotonic() - started > TIME_MS) break;
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
  if (aptitude.nativeCalls >= 0.9) return "native";
  if (aptitude.grammarChoice >= 0.9) return "grammar";
  return "harness";
}

/** Faithful enough to be trusted with consolidation. */
export function copiesFaithfully(aptitude: Pick<Aptitude, "copiesFacts">): boolean {
  return aptitude.copiesFacts >= 0.6;
}

async function measureNative(model: ChatModel, signal: AbortSignal): Promise<number> {
  const recognizer = createCallRecognizer();
  const names = CHECK_TOOLS.map((tool) => tool.name);
  let right = 0;
  for (const task of ACTION_TASKS) {
    const reply = await say(
      model,
      [
        { role: "system", content: "You are a helpful assistant. Use a tool only when it is needed." },
        user(task.message),
      ],
      64,
      signal,
      true,
    );
    const read = recognizer.recognize(reply.text, names);
    const calls = reply.calls.length > 0 ? reply.calls : read.kind === "calls" ? read.calls : [];
    if (task.tool === null) right += Number(calls.length === 0 && read.kind === "text");
    else right += Number(calls[0]?.name === task.tool && task.about.test(JSON.stringify(calls[0].args ?? "")));
  }
  return right / ACTION_TASKS.length;
}

async function measureGrammar(model: ChatModel, signal: AbortSignal): Promise<number> {
  let right = 0;
  for (const task of ACTION_TASKS) {
    const action = await orNothing(
      async () =>
        (await chooseUnderGrammar({ model, maxPromptTokens: promptRoom(model), signal }, task.message, CHECK_TOOLS, ""))
          .value.action,
      signal,
      "",
    );
    right += Number(action === (task.tool ?? "answer"));
  }
  return right / ACTION_TASKS.length;
}

async function measureCopying(model: ChatModel, signal: AbortSignal): Promise<number> {
  let right = 0;
  let total = 0;
  for (const task of COPY_TASKS) {
    const copied = await orNothing(() => copyFacts(model, task.text, signal), signal, {});
    for (const [key, fact] of Object.entries(task.facts)) {
      total++;
      right += Number((copied[key] ?? "").toLowerCase().includes(fact.toLowerCase()));
    }
  }
  return right / total;
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

async function measureSystem(model: ChatModel, signal: AbortSignal): Promise<number> {
  let right = 0;
  for (const task of SYSTEM_TASKS) {
    const reply = await say(model, [{ role: "system", content: task.system }, user(task.message)], 40, signal);
    right += Number(task.follows(reply.text));
  }
  return right / SYSTEM_TASKS.length;
}

async function measureLanguages(model: ChatModel, signal: AbortSignal): Promise<string[]> {
  const languages: string[] = [];
  for (const task of LANGUAGE_TASKS) {
    const { text } = await say(model, [user(task.message)], 48, signal);
    const words = text.split(/\s+/).filter((word) => word !== "").length;
    const share = (text.match(task.words)?.length ?? 0) / Math.max(1, words);
    if (words >= 4 && share >= 0.15 && task.names.test(text)) languages.push(task.code);
  }
  return languages;
}

async function measureRecall(
  model: ChatModel,
  options: { readonly signal: AbortSignal; readonly clock: Clock },
  started: number,
): Promise<number> {
  let farthest = 0;
  let lastMs = 0;
  for (const distance of DISTANCES) {
    const room = promptRoom(model);
    // The next distance takes about three times as long: not begun when it cannot end in time.
    const left = TIME_MS - (options.clock.monotonic() - started);
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

function say(
  model: ChatModel,
  messages: readonly ChatMessage[],
  maxTokens: number,
  signal: AbortSignal,
  tools = false,
): Promise<ChatResult> {
  return orNothing(
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

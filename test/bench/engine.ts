/**
 * What the engine process and its client cost over a bare node-llama-cpp loop in this process, and what keeping evaluated
 * conversations saves. Ratios against something measured in the same run, rounds taking turns, so that a busy machine blurs
 * both sides alike. `npm run bench -- engine [MODEL.gguf]`.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  getLlama,
  type LlamaContextSequence,
  LlamaLogLevel,
  type LlamaModel,
  resolveChatWrapper,
  type Token,
} from "node-llama-cpp";
import { threadsFor } from "../../core/models/engine/llama.ts";
import type { ChatMessage, ChatModel, ChatRequest } from "../../core/models/types.ts";
import { startEngine, starterChat } from "../integration/models.ts";

const rounds = 6;
const decodeTokens = 128;
const path = process.argv[2] ?? starterChat();
const never = new AbortController().signal;

const paragraph =
  "The ferry crosses the sound at noon, and the keeper of the light writes down each ship, its flag and its heading. ";
const promptOf = (words: string, round: number): ChatMessage[] => [
  { role: "system", content: "You are a helpful assistant." },
  { role: "user", content: `Notes of day ${round}. ${words}\nTell a long story about these notes.` },
];

interface Timing {
  readonly promptTokens: number;
  readonly firstMs: number;
  readonly tokens: number;
  readonly decodeMs: number;
}

async function product(
  model: ChatModel,
  messages: readonly ChatMessage[],
  more: Partial<ChatRequest> = {},
): Promise<Timing & { text: string; cachedTokens: number }> {
  const started = performance.now();
  let first = 0;
  const result = await model.generate(
    {
      messages,
      maxTokens: decodeTokens,
      maxPromptTokens: 1e6,
      cacheKey: "bench",
      lane: "conversation",
      sampling: { seed: 1 },
      ...more,
    },
    {
      signal: never,
      onChunk: () => {
        first ||= performance.now();
      },
    },
  );
  const ended = performance.now();
  return {
    promptTokens: result.promptTokens - result.cachedTokens,
    firstMs: first - started,
    tokens: result.generatedTokens,
    decodeMs: ended - first,
    text: result.text,
    cachedTokens: result.cachedTokens,
  };
}

async function bare(
  model: LlamaModel,
  sequence: LlamaContextSequence,
  messages: readonly ChatMessage[],
): Promise<Timing> {
  const started = performance.now();
  const wrapper = resolveChatWrapper(model);
  const state = wrapper.generateContextState({
    chatHistory: [
      ...messages.map((message) =>
        message.role === "system"
          ? { type: "system" as const, text: message.content }
          : { type: "user" as const, text: message.content },
      ),
      { type: "model", response: [""] },
    ],
  });
  const tokens = state.contextText.tokenize(model.tokenizer, "trimLeadingSpace");
  await sequence.clearHistory();
  const recent: Token[] = [];
  let first = 0;
  let text = "";
  for await (const token of sequence.evaluate(tokens, {
    temperature: 0.2,
    topP: 0.9,
    topK: 40,
    minP: 0.05,
    seed: 1,
    repeatPenalty: { punishTokens: () => recent.slice(-64), penalty: 1.1 },
    dryRepeatPenalty: { strength: 0.8, base: 1.75, allowedLength: 4, lastTokens: 1024 },
  })) {
    first ||= performance.now();
    recent.push(token);
    text += model.detokenize([token]);
    if (recent.length >= decodeTokens) break;
  }
  const ended = performance.now();
  return {
    promptTokens: tokens.length,
    firstMs: first - started,
    tokens: text === "" ? 0 : recent.length,
    decodeMs: ended - first,
  };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const promptSpeed = (t: Timing): number => (t.promptTokens / t.firstMs) * 1000;
const decodeSpeed = (t: Timing): number => ((t.tokens - 1) / t.decodeMs) * 1000;

function peakMemory(pid: number | "self"): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return null;
  }
}

function line(name: string, value: number, goal: string, detail: string): void {
  console.log(`${name.padEnd(46)} ${value.toFixed(3).padStart(7)}   goal ${goal.padEnd(8)} ${detail}`);
}

const states = mkdtempSync(join(tmpdir(), "credence-bench-"));
const engine = startEngine();
try {
  console.log(
    `${basename(path)}, load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors, ${rounds} rounds\n`,
  );
  const model = await engine.loadChat(path, { windowLimit: 8192, stateFolder: states });
  const llama = await getLlama({ build: "never", progressLogs: false, logLevel: LlamaLogLevel.error });
  const threads = Math.min(llama.cpuMathCores, availableParallelism());
  const own = await llama.loadModel({ modelPath: path });
  const context = await own.createContext({ contextSize: 8192, threads, swaFullCache: true });
  const sequence = context.getSequence();

  const ours: Timing[] = [];
  const theirs: Timing[] = [];
  const words = paragraph.repeat(20);
  for (let round = -1; round < rounds; round++) {
    // Both sides use as many threads as the product would now; who goes first alternates.
    llama.maxThreads = threadsFor(threads, loadavg()[0]!, availableParallelism());
    const pair: [Timing | null, Timing | null] = [null, null];
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0])
      pair[side] =
        side === 0 ? await product(model, promptOf(words, round)) : await bare(own, sequence, promptOf(words, round));
    if (round < 0) continue;
    ours.push(pair[0]!);
    theirs.push(pair[1]!);
  }
  const ratio = (speed: (t: Timing) => number): number =>
    median(ours.map((timing, i) => speed(timing) / speed(theirs[i]!)));
  line(
    "decode, product against bare",
    ratio(decodeSpeed),
    ">= 0.97",
    `${median(ours.map(decodeSpeed)).toFixed(1)} and ${median(theirs.map(decodeSpeed)).toFixed(1)} tokens/s`,
  );
  line(
    "prompt, product against bare",
    ratio(promptSpeed),
    ">= 0.97",
    `${median(ours.map(promptSpeed)).toFixed(0)} and ${median(theirs.map(promptSpeed)).toFixed(0)} tokens/s`,
  );
  await context.dispose();
  await own.dispose();

  const history: ChatMessage[] = [
    { role: "system", content: "You are a helpful assistant." },
    { role: "user", content: `${paragraph.repeat(190)}\nWhat are these notes about?` },
  ];
  const cold = await product(model, history, { cacheKey: "cold", keepState: true, maxTokens: 40 });
  const second: ChatMessage[] = [
    ...history,
    { role: "assistant", content: cold.text },
    { role: "user", content: "And who wrote them?" },
  ];
  const warm = await product(model, second, { cacheKey: "cold", keepState: true, maxTokens: 8 });
  line(
    "first token of turn 2 against cold",
    warm.firstMs / cold.firstMs,
    "<= 0.05",
    `${(warm.firstMs / 1000).toFixed(2)} s and ${(cold.firstMs / 1000).toFixed(2)} s, ${cold.promptTokens} tokens, ${warm.promptTokens} of turn 2 evaluated`,
  );

  await engine.engine.call("saveState", { cacheKey: null });
  process.kill(engine.engine.pid!, "SIGKILL");
  await model.countTokens(["wait until it is back"]).catch(() => {});
  await model.countTokens(["loaded"]);
  const reopened = await product(model, second, { cacheKey: "cold", keepState: true, maxTokens: 8 });
  line(
    "first token after a relaunch against cold",
    reopened.firstMs / cold.firstMs,
    "<= 0.15",
    `${(reopened.firstMs / 1000).toFixed(2)} s, ${reopened.cachedTokens} tokens came back`,
  );
  const peak = peakMemory(engine.engine.pid!);
  if (peak !== null)
    console.log(
      `\npeak memory of the engine process: ${peak.toFixed(0)} MB with a window of ${model.description.window} tokens`,
    );
} finally {
  engine.close();
  rmSync(states, { recursive: true, force: true });
}
process.exit();

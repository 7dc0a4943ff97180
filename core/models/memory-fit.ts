/**
 * How large a context window a model gets on a machine, estimated from its head before anything is loaded.
 * Estimates are on the careful side: weights + attention cache of the window + scratch space of one batch.
 */
import type { ModelFacts } from "./model-facts.ts";

/** What may be used for models. With a graphics card that shares no memory with the processor, its own memory counts. */
export interface MemoryBudget {
  /** Main memory that is free now, in bytes. */
  readonly freeBytes: number;
  /** All main memory. */
  readonly totalBytes: number;
  /** Free memory of the graphics card; null when there is none or it uses main memory. */
  readonly gpuFreeBytes: number | null;
}

export interface Fit {
  /** Tokens of the conversation's window. */
  readonly window: number;
  /** Tokens of the window for side calls. */
  readonly sideWindow: number;
  /** How many side calls keep their prefix at the same time. */
  readonly sideSlots: number;
  /** Expected memory with these windows. */
  readonly memoryBytes: number;
  readonly fits: "yes" | "tight" | "no";
}

export const smallestWindow = 2048;
export const largestWindow = 262_144;
const sideWindowLimit = 8192;
const comfortableWindow = 8192;
const generousShare = 0.7;
/** Tokens evaluated at once when a prompt is read. */
export const batchTokens = 512;
const overheadBytes = 160e6;

/** Memory left alone for the rest of the machine: a tenth, at least half a gigabyte, at most four. */
export function reservedBytes(totalBytes: number): number {
  return Math.min(4e9, Math.max(0.5e9, totalBytes * 0.1));
}

/** Scratch space for one batch: activations of the widest layer and the scores over the vocabulary. */
export function scratchBytes(facts: ModelFacts): number {
  return batchTokens * 4 * (facts.vocabulary + 2 * facts.feedForwardLength + 8 * facts.embeddingLength);
}

/** Two side calls keep their prefix where that takes little memory, else one. */
function sideSlotsOf(facts: ModelFacts, sideWindow: number): number {
  return facts.cacheBytesPerToken * sideWindow <= 200e6 ? 2 : 1;
}

/** Expected memory of a loaded model. The windows for side calls lie in a context of their own. */
export function estimateMemory(facts: ModelFacts, window: number, sideWindow: number): number {
  const contexts = sideWindow > 0 ? 2 : 1;
  const cells = window + sideWindow * sideSlotsOf(facts, sideWindow);
  return overheadBytes + facts.sizeBytes + facts.cacheBytesPerToken * cells + contexts * scratchBytes(facts);
}

/**
 * The largest window within what the model was trained for, the user's limit and memory.
 * `shrink` below 1 asks for less than the estimate allows: the one retry after a load that failed for memory.
 */
export function fitModel(facts: ModelFacts, memory: MemoryBudget, limit: number | null, shrink = 1): Fit {
  const wanted = Math.max(
    Math.min(facts.trainedContext, limit ?? largestWindow, largestWindow),
    Math.min(facts.trainedContext, smallestWindow),
  );
  if (facts.role !== "chat") {
    const memoryBytes = estimateMemory(facts, wanted, 0);
    const room = usable(memory);
    return { window: wanted, sideWindow: 0, sideSlots: 0, memoryBytes, fits: memoryBytes <= room ? "yes" : "no" };
  }
  const room = usable(memory) * shrink;
  // Beyond a comfortable window memory is better left to the user's other programs.
  const holds = (window: number): boolean =>
    estimateMemory(facts, window, sideOf(window)) <= (window > comfortableWindow ? generousShare * room : room);
  const window = holds(wanted) ? wanted : largest(Math.min(wanted, smallestWindow), wanted, holds);
  const memoryBytes = estimateMemory(facts, window, sideOf(window));
  const sideWindow = sideOf(window);
  const sideSlots = sideSlotsOf(facts, sideWindow);
  if (!holds(window)) return { window, sideWindow, sideSlots, memoryBytes, fits: "no" };
  const tight = window < Math.min(wanted, comfortableWindow) || memoryBytes > 0.85 * room;
  return { window, sideWindow, sideSlots, memoryBytes, fits: tight ? "tight" : "yes" };
}

function sideOf(window: number): number {
  return Math.min(window, sideWindowLimit);
}

function usable(memory: MemoryBudget): number {
  const main = Math.max(0, memory.freeBytes - reservedBytes(memory.totalBytes));
  return memory.gpuFreeBytes === null ? main : Math.max(main, memory.gpuFreeBytes * 0.92);
}

/** The largest multiple of 256 in [low, high] that holds, or `low` when none does. */
function largest(low: number, high: number, holds: (window: number) => boolean): number {
  let below = Math.ceil(low / 256);
  let above = Math.floor(high / 256);
  while (below < above) {
    const middle = Math.ceil((below + above) / 2);
    if (holds(middle * 256)) below = middle;
    else above = middle - 1;
  }
  return Math.max(low, Math.min(high, below * 256));
}

/** The largest model, in billions of parameters at about 4.8 bits each, that gets a window of 8,192 tokens; at least 0.1. */
export function suggestedBillions(memory: MemoryBudget): number {
  const sizes = [...Array.from({ length: 9 }, (_, i) => (i + 1) / 10), ...Array.from({ length: 500 }, (_, i) => i + 1)];
  const holds = (billions: number): boolean => {
    const fit = fitModel(typicalFacts(billions), memory, sideWindowLimit);
    return fit.fits !== "no" && fit.window === sideWindowLimit;
  };
  return sizes.filter(holds).at(-1) ?? 0.1;
}

/** Today's models keep about these proportions: Llama 8B scaled by the square root of its size. */
function typicalFacts(billions: number): ModelFacts {
  const scale = Math.sqrt(billions / 8);
  return {
    name: "",
    role: "chat",
    architecture: "llama",
    parameters: billions * 1e9,
    quantization: null,
    trainedContext: 32_768,
    licence: null,
    sizeBytes: billions * 0.6e9,
    layers: Math.ceil(32 * scale),
    embeddingLength: Math.ceil(4096 * scale),
    feedForwardLength: Math.ceil(14_336 * scale),
    vocabulary: 128_000,
    cacheBytesPerToken: Math.ceil(131_072 * scale),
    supportsTools: false,
    reasons: false,
  };
}

/** Loads a chat model with the largest window that fits, or says in words why not. */
import { basename } from "node:path";
import { CredenceError } from "../../contract/index.ts";
import { mainMemory } from "../machine-memory.ts";
import { batchTokens, type Fit, fitModel, type MemoryBudget } from "../memory-fit.ts";
import { type ModelFacts, readModelFacts } from "../model-facts.ts";
import { ChatRuntime } from "./chat-runtime.ts";
import type { ComputeGate } from "./gate.ts";
import type { OpenedLlama } from "./llama.ts";
import type { LoadChat, OperationContext } from "./protocol.ts";

export async function memoryBudget({ llama }: OpenedLlama): Promise<MemoryBudget> {
  const main = mainMemory();
  if (!llama.gpu) return { ...main, gpuFreeBytes: null };
  const card = await llama.getVramState();
  return { ...main, gpuFreeBytes: card.unifiedSize > 0 ? null : card.free };
}

/** Two tries at most: the window that the estimate gives, then a much smaller one when memory did not suffice after all. */
export async function loadChat(
  opened: OpenedLlama,
  load: LoadChat,
  gate: ComputeGate,
  context: OperationContext,
): Promise<ChatRuntime> {
  const file = basename(load.path);
  const facts = await readModelFacts(load.path);
  if (facts.role !== "chat")
    throw new CredenceError("models.wrong-role", {
      file,
      role: facts.role === "embed" ? "embedding" : "ranking",
      wanted: "chat",
    });
  const memory = await memoryBudget(opened);
  let last: unknown = null;
  for (const shrink of [1, 0.5]) {
    const fit = fitModel(facts, memory, load.windowLimit, shrink);
    if (fit.fits === "no")
      throw new CredenceError(
        "models.too-large",
        { file, neededBytes: fit.memoryBytes, freeBytes: memory.gpuFreeBytes ?? memory.freeBytes },
        { cause: last },
      );
    try {
      return await tryLoad(opened, load, facts, fit, gate, context);
    } catch (error) {
      context.signal.throwIfAborted();
      last = error;
      if (!isMemoryProblem(error)) throw loadError(file, error, opened.complaints());
    }
  }
  throw new CredenceError(
    "models.too-large",
    { file, neededBytes: fitModel(facts, memory, load.windowLimit, 0.5).memoryBytes, freeBytes: memory.freeBytes },
    { cause: last },
  );
}

async function tryLoad(
  opened: OpenedLlama,
  load: LoadChat,
  facts: ModelFacts,
  fit: Fit,
  gate: ComputeGate,
  context: OperationContext,
): Promise<ChatRuntime> {
  opened.complaints();
  const model = await opened.llama.loadModel({
    modelPath: load.path,
    gpuLayers: opened.llama.gpu ? { fitContext: { contextSize: fit.window } } : 0,
    loadSignal: context.signal,
    onLoadProgress: (fraction) => context.progress(fraction * 0.95),
  });
  try {
    const conversation = await model.createContext({
      contextSize: fit.window,
      sequences: 1,
      batchSize: Math.min(batchTokens, fit.window),
      threads: opened.threads,
      swaFullCache: true,
      failedCreationRemedy: false,
      // One sequence alone has nothing to wait for.
      batching: { dispatchSchedule: (dispatch) => dispatch() },
      createSignal: context.signal,
    });
    context.progress(1);
    return new ChatRuntime({ opened, model, context: conversation, facts, fit, load, gate });
  } catch (error) {
    await model.dispose();
    throw error;
  }
}

function isMemoryProblem(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.constructor.name === "InsufficientMemoryError" ||
      /memory|vram|failed to (create|allocate).*(context|buffer)/i.test(error.message))
  );
}

/** What llama.cpp said, as one of our errors. */
export function loadError(file: string, error: unknown, complaints: readonly string[]): CredenceError {
  if (error instanceof CredenceError) return error;
  const said = [...complaints].reverse();
  const architecture = said.map((line) => /unknown model architecture: '([^']*)'/.exec(line)?.[1]).find(Boolean);
  if (architecture) return new CredenceError("models.unknown-architecture", { file, architecture }, { cause: error });
  const damaged = said.find((line) =>
    /missing tensor|wrong shape|wrong number of tensors|corrupted|not within the file bounds|invalid magic|tensor .* has|failed to read/i.test(
      line,
    ),
  );
  const reason = (
    damaged ??
    said.find((line) => /error|fail|unknown|unsupported/i.test(line)) ??
    (error instanceof Error ? error.message : String(error))
  )
    .replace(/^[\w ]*load[\w ]*:\s*/i, "")
    .replace(/[.\s]+$/, "");
  if (damaged) return new CredenceError("models.damaged", { file, detail: reason }, { cause: error });
  return new CredenceError("models.load-failed", { file, detail: reason }, { cause: error });
}

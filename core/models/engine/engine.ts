/** All operations of the engine process over at most one chat model and one embedder. */
import { basename } from "node:path";
import { CredenceError } from "../../contract/index.ts";
import { type ModelFacts, readModelFacts } from "../model-facts.ts";
import type { ChatRuntime } from "./chat-runtime.ts";
import { EmbedderRuntime } from "./embedder-runtime.ts";
import { ComputeGate } from "./gate.ts";
import type { OpenedLlama } from "./llama.ts";
import { loadChat, loadError } from "./load.ts";
import type { EngineMachine, EngineOperations, Operation, OperationContext } from "./protocol.ts";

type Table = {
  [Name in Operation]: (
    params: EngineOperations[Name]["params"],
    context: OperationContext,
  ) => Promise<EngineOperations[Name]["result"]>;
};

/** Makes the table of operations. Loading replaces the model of the same kind; loads wait for one another. */
export function createOperations(opened: OpenedLlama): Table {
  const gate = new ComputeGate();
  let chat: ChatRuntime | null = null;
  let embedder: EmbedderRuntime | null = null;
  let loading: Promise<unknown> = Promise.resolve();

  const oneLoad = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const next = loading.then(work);
    loading = next.catch(() => {});
    return next;
  };
  /** A call that comes while models change waits for the new one. */
  const needChat = async (): Promise<ChatRuntime> => {
    if (!chat) await loading;
    if (!chat) throw new CredenceError("models.none-installed", { need: "chat" });
    return chat;
  };
  const needEmbedder = async (): Promise<EmbedderRuntime> => {
    if (!embedder) await loading;
    if (!embedder) throw new CredenceError("models.none-installed", { need: "embed" });
    return embedder;
  };
  const unloadChat = async (): Promise<null> => {
    const old = chat;
    chat = null;
    await old?.dispose();
    return null;
  };
  const unloadEmbedder = async (): Promise<null> => {
    const old = embedder;
    embedder = null;
    await old?.dispose();
    return null;
  };

  return {
    machine: () => machineOf(opened),
    inspect: ({ path }, context) => oneLoad(() => inspect(opened, path, context.signal)),
    loadChat: (load, context) =>
      oneLoad(async () => {
        await unloadChat();
        chat = await loadChat(opened, load, gate, context);
        return chat.description;
      }),
    unloadChat: () => oneLoad(unloadChat),
    loadEmbedder: (load) =>
      oneLoad(async () => {
        await unloadEmbedder();
        embedder = await EmbedderRuntime.load(opened, load, gate);
        return embedder.description;
      }),
    unloadEmbedder: () => oneLoad(unloadEmbedder),
    generate: async (request, context) => (await needChat()).generate(request, context),
    structured: async (request, context) => (await needChat()).structured(request, context),
    prefill: async (request, context) => (await needChat()).prefill(request, context),
    countPrompt: async ({ messages, tools }) => (await needChat()).countPrompt(messages, tools),
    countTokens: async ({ texts, with: which }) =>
      (await (which === "chat" ? needChat() : needEmbedder())).countTokens(texts),
    embed: async ({ texts, background }, context) => (await needEmbedder()).embed(texts, background, context),
    saveState: async ({ cacheKey }, context) => (chat ? chat.saveState(cacheKey, context.signal) : { savedBytes: 0 }),
    dropState: async ({ cacheKey }) => (chat ? chat.dropState(cacheKey) : null),
  };
}

/** Loads the vocabulary alone: llama.cpp then has judged architecture, settings and tokenizer, at next to no cost. */
async function inspect(opened: OpenedLlama, path: string, signal: AbortSignal): Promise<ModelFacts> {
  const facts = await readModelFacts(path);
  opened.complaints();
  try {
    const model = await opened.llama.loadModel({ modelPath: path, vocabOnly: true, gpuLayers: 0, loadSignal: signal });
    await model.dispose();
  } catch (error) {
    signal.throwIfAborted();
    throw loadError(basename(path), error, opened.complaints());
  }
  return facts;
}

async function machineOf({ llama, threads }: OpenedLlama): Promise<EngineMachine> {
  const base = { physicalCores: llama.cpuMathCores, threads };
  if (!llama.gpu) return { ...base, gpu: null, gpuMemoryBytes: null, gpuFreeBytes: null };
  const [names, card] = await Promise.all([llama.getGpuDeviceNames(), llama.getVramState()]);
  return { ...base, gpu: names[0] ?? llama.gpu, gpuMemoryBytes: card.total, gpuFreeBytes: card.free };
}

/** The interfaces of `types.ts` over the engine process: each call first makes sure that its model is loaded there. */
import { CredenceError, isCredenceError } from "../../contract/index.ts";
import type { EmbedderDescription } from "../engine/protocol.ts";
import type { ChatModel, ChatResult, Embedder, ModelDescription } from "../types.ts";
import type { EngineClient } from "./engine-client.ts";
import { structuredCall } from "./structured.ts";

export interface RemoteChatDeps {
  readonly engine: EngineClient;
  /** Loads the model where it is not; gives the process that holds it. */
  ensure(): Promise<{ readonly generation: number }>;
  description(): ModelDescription | null;
  measured(id: string, tokensPerSecond: number): void;
}

export function remoteChatModel(deps: RemoteChatDeps): ChatModel {
  const { engine } = deps;
  let last = deps.description()!;
  return {
    get description() {
      last = deps.description() ?? last;
      return last;
    },
    async generate(request, { signal, onChunk }) {
      const { generation } = await deps.ensure();
      const result = await engine
        .callIn(generation, "generate", request, { signal, onChunk })
        .catch((error: unknown) => {
          // Stopped before it began: an answer without words, like one stopped after it began.
          if (signal.aborted && isCredenceError(error, "general.cancelled")) return nothingWritten;
          throw error;
        });
      // Short answers measure the clock more than the model.
      if (result.generatedTokens >= 24 && result.decodeMs > 0)
        deps.measured(last.id, (result.generatedTokens / result.decodeMs) * 1000);
      return result;
    },
    async countPrompt(messages, tools) {
      const { generation } = await deps.ensure();
      return engine.callIn(generation, "countPrompt", { messages, ...(tools ? { tools } : {}) });
    },
    async countTokens(texts) {
      const { generation } = await deps.ensure();
      return engine.callIn(generation, "countTokens", { texts, with: "chat" });
    },
    async prefill(request, { signal }) {
      const { generation } = await deps.ensure();
      await engine.callIn(generation, "prefill", request, { signal });
    },
    async structured(request, { signal }) {
      const { generation } = await deps.ensure();
      return structuredCall(request, (one) => engine.callIn(generation, "structured", one, { signal }));
    },
  };
}

const nothingWritten: ChatResult = {
  text: "",
  reasoning: "",
  calls: [],
  stopped: "aborted",
  promptTokens: 0,
  cachedTokens: 0,
  generatedTokens: 0,
  promptMs: 0,
  decodeMs: 0,
};

export interface RemoteEmbedderDeps {
  readonly engine: EngineClient;
  ensure(): Promise<{ readonly generation: number; readonly description: EmbedderDescription }>;
  description(): EmbedderDescription;
}

/** Texts of one message to the engine: background work is taken in small pieces, so that stopping it is quick. */
const batch = 16;

export function remoteEmbedder(deps: RemoteEmbedderDeps): Embedder {
  const own = deps.description();
  const loaded = async (): Promise<number> => {
    const { generation, description } = await deps.ensure();
    // Another embedder came into use: its vectors must not be taken for this one's.
    if (description.id !== own.id) throw new CredenceError("models.none-installed", { need: "embed" });
    return generation;
  };
  return {
    ...own,
    async embed(texts, { signal, background = false } = {}) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batch) {
        const generation = await loaded();
        vectors.push(
          ...(await deps.engine.callIn(
            generation,
            "embed",
            { texts: texts.slice(at, at + batch), background },
            { signal },
          )),
        );
      }
      return vectors;
    },
    async countTokens(texts) {
      return deps.engine.callIn(await loaded(), "countTokens", { texts, with: "embedder" });
    },
  };
}

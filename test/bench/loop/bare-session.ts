import { availableParallelism, loadavg } from "node:os";
import { getLlama, LlamaChatSession } from "node-llama-cpp";
import { threadsFor } from "../../../core/models/engine/llama.ts";

/** node-llama-cpp's own chat session in this process, as small a program as there can be around a model. */
export async function openBareSession(modelPath: string, contextSize: number, systemPrompt: string) {
  const llama = await getLlama({ gpu: false, logLevel: "error" as never });
  // As many threads as the engine takes: on a crowded machine more of them are slower, and would flatter the app.
  const threads = Math.max(1, Math.min(llama.cpuMathCores, availableParallelism()));
  const breathe = () => {
    llama.maxThreads = threadsFor(threads, loadavg()[0] ?? 0, availableParallelism());
  };
  breathe();
  const model = await llama.loadModel({ modelPath });
  const context = await model.createContext({ contextSize });
  const sequence = context.getSequence();
  await fresh().preloadPrompt("");

  function fresh(): LlamaChatSession {
    return new LlamaChatSession({ contextSequence: sequence, systemPrompt, autoDisposeSequence: false });
  }

  return {
    /** Milliseconds to the first token of a reply in a new chat whose system prompt is evaluated already. */
    async firstTokenMs(text: string): Promise<number> {
      breathe();
      const session = fresh();
      await session.preloadPrompt("");
      const stop = new AbortController();
      const startedAt = performance.now();
      let firstMs = Number.NaN;
      await session.prompt(text, {
        maxTokens: 32,
        signal: stop.signal,
        stopOnAbortSignal: true,
        onTextChunk() {
          if (Number.isNaN(firstMs)) firstMs = performance.now() - startedAt;
          stop.abort();
        },
      });
      session.dispose();
      return firstMs;
    },
    async close(): Promise<void> {
      await context.dispose();
      await model.dispose();
      await llama.dispose();
    },
  };
}

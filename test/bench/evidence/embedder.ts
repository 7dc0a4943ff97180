/** The starter's embedding model in this process, for scripts that need vectors of many texts and nothing else. */
import { fileURLToPath } from "node:url";
import { getLlama, LlamaLogLevel } from "node-llama-cpp";
import type { Embedder } from "../../../core/models/types.ts";

const weights = fileURLToPath(new URL("../../../models/weights/all-MiniLM-L6-v2.Q8_0.gguf", import.meta.url));

export async function starterEmbedder(path = weights): Promise<Embedder & { close(): Promise<void> }> {
  const llama = await getLlama({ build: "never", gpu: false, maxThreads: 1, logLevel: LlamaLogLevel.error });
  const model = await llama.loadModel({ modelPath: path });
  const context = await model.createEmbeddingContext({ contextSize: 512 });
  const most = 510;
  return {
    id: "all-MiniLM-L6-v2",
    dimensions: model.embeddingVectorSize,
    maxTokens: most,
    async embed(texts) {
      const out: Float32Array[] = [];
      for (const text of texts) {
        const { vector } = await context.getEmbeddingFor(model.tokenize(text).slice(0, most));
        const length = Math.hypot(...vector) || 1;
        out.push(Float32Array.from(vector, (value) => value / length));
      }
      return out;
    },
    countTokens: async (texts) => texts.map((text) => model.tokenize(text).length),
    close: () => llama.dispose(),
  };
}

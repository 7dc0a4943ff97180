/** Small GGUF files for tests: right in every part but without a real model behind them. */
import { type GgufTensor, type GgufValue, writeGguf } from "../../models/gguf-writer.ts";

export const tinyMetadata: Record<string, GgufValue> = {
  "general.architecture": { type: "string", value: "llama" },
  "general.name": { type: "string", value: "Tiny" },
  "general.license": { type: "string", value: "mit" },
  "general.file_type": { type: "u32", value: 7 },
  "llama.block_count": { type: "u32", value: 2 },
  "llama.context_length": { type: "u32", value: 4096 },
  "llama.embedding_length": { type: "u32", value: 64 },
  "llama.feed_forward_length": { type: "u32", value: 128 },
  "llama.attention.head_count": { type: "u32", value: 4 },
  "llama.attention.head_count_kv": { type: "u32", value: 2 },
  "tokenizer.ggml.tokens": { type: "strings", value: ["<s>", "</s>", "a"] },
  "tokenizer.chat_template": { type: "string", value: "{% if tools %}{{ tools }}{% endif %}<think>" },
};

export function tinyGguf(
  change: Record<string, GgufValue> = {},
  tensors: readonly GgufTensor[] = [{ name: "a.weight", dimensions: [32, 4], type: 8, data: new Uint8Array(136) }],
): Buffer {
  return writeGguf({ ...tinyMetadata, ...change }, tensors);
}

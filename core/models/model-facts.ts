/** What Credence needs to know of a model file before it is loaded, taken from its head. */

import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CredenceError } from "../contract/index.ts";
import { type GgufHead, readGgufHead } from "./gguf.ts";

export interface ModelFacts {
  readonly name: string;
  readonly role: "chat" | "embed" | "rerank";
  readonly architecture: string;
  readonly parameters: number;
  readonly quantization: string | null;
  readonly trainedContext: number;
  readonly licence: string | null;
  /** Bytes of all parts on disk, which is about what the weights take in memory. */
  readonly sizeBytes: number;
  readonly layers: number;
  readonly embeddingLength: number;
  readonly feedForwardLength: number;
  readonly vocabulary: number;
  /** Bytes that one token takes in the attention cache (keys and values in half precision, all layers). */
  readonly cacheBytesPerToken: number;
  /** Whether the chat template knows tools. */
  readonly supportsTools: boolean;
  /** Whether the chat template knows reasoning tags. */
  readonly reasons: boolean;
}

const fileTypes: Readonly<Record<number, string>> = {
  0: "F32",
  1: "F16",
  2: "Q4_0",
  3: "Q4_1",
  7: "Q8_0",
  8: "Q5_0",
  9: "Q5_1",
  10: "Q2_K",
  11: "Q3_K_S",
  12: "Q3_K_M",
  13: "Q3_K_L",
  14: "Q4_K_S",
  15: "Q4_K_M",
  16: "Q5_K_S",
  17: "Q5_K_M",
  18: "Q6_K",
  19: "IQ2_XXS",
  20: "IQ2_XS",
  21: "Q2_K_S",
  22: "IQ3_XS",
  23: "IQ3_XXS",
  24: "IQ1_S",
  25: "IQ4_NL",
  26: "IQ3_S",
  27: "IQ3_M",
  28: "IQ2_S",
  29: "IQ2_M",
  30: "IQ4_XS",
  31: "IQ1_M",
  32: "BF16",
  36: "TQ1_0",
  37: "TQ2_0",
  38: "MXFP4",
};

const encoders = new Set([
  "bert",
  "nomic-bert",
  "nomic-bert-moe",
  "jina-bert-v2",
  "jina-bert-v3",
  "modern-bert",
  "neo-bert",
  "gemma-embedding",
  "eurobert",
]);

/** Reads the facts of a model, all parts of a split one included; throws the errors of `readGgufHead` and `models.split-file`. */
export async function readModelFacts(path: string): Promise<ModelFacts> {
  const head = await readGgufHead(path);
  return factsOf(path, head, await splitParts(path, head));
}

/** The part that a model in several files is opened by; any other file is its own. */
export function firstPart(path: string): string {
  return path.replace(/-\d{5}(-of-\d{5}\.gguf)$/i, "-00001$1");
}

/** Reads and adds up the further parts of a split model. */
async function splitParts(path: string, head: GgufHead): Promise<{ bytes: number; parameters: number }> {
  const count = Number(head.values.get("split.count") ?? 1);
  const name = basename(path);
  const pattern = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/i.exec(name);
  let bytes = head.fileBytes;
  let parameters = head.parameters;
  if (count <= 1 || !pattern) return { bytes, parameters };
  for (let part = 1; part <= count; part++) {
    const other = `${pattern[1]}-${String(part).padStart(5, "0")}-of-${pattern[3]}.gguf`;
    if (other === name) continue;
    const otherPath = join(dirname(path), other);
    if (!(await stat(otherPath).catch(() => null)))
      throw new CredenceError("models.split-file", { file: name, missing: other });
    const otherHead = await readGgufHead(otherPath);
    bytes += otherHead.fileBytes;
    parameters += otherHead.parameters;
  }
  return { bytes, parameters };
}

export function factsOf(
  path: string,
  head: GgufHead,
  whole: { bytes: number; parameters: number } = { bytes: head.fileBytes, parameters: head.parameters },
): ModelFacts {
  const file = basename(path);
  const text = (key: string): string | null => {
    const value = head.values.get(key);
    return typeof value === "string" && value.trim() ? value.trim() : null;
  };
  const architecture = text("general.architecture");
  if (!architecture)
    throw new CredenceError("models.damaged", { file, detail: "it does not say what it is built for" });
  const kind = text("general.type");
  if ((kind !== null && kind !== "model") || architecture === "clip") {
    throw new CredenceError("models.wrong-role", {
      file,
      role:
        kind === "adapter" ? "adapting another model" : kind === "imatrix" ? "making other models" : "seeing pictures",
      wanted: "chat",
    });
  }
  const own = (key: string): string => `${architecture}.${key}`;
  const number = (key: string, fallback: number): number => {
    const value = head.values.get(own(key));
    if (typeof value === "number" && Number.isFinite(value)) return value;
    const list = head.numberArrays.get(own(key));
    return list && list.length > 0 ? Math.max(...list) : fallback;
  };
  const layers = number("block_count", 1);
  const embeddingLength = number("embedding_length", 1024);
  const heads = Math.max(1, number("attention.head_count", 1));
  const keyLength = number("attention.key_length", embeddingLength / heads);
  const valueLength = number("attention.value_length", embeddingLength / heads);
  const perLayer = head.numberArrays.get(own("attention.head_count_kv"));
  const sharedHeads = perLayer
    ? perLayer.reduce((sum, n) => sum + n, 0)
    : layers * number("attention.head_count_kv", heads);
  const template = text("tokenizer.chat_template") ?? "";
  const pooling = head.values.get(own("pooling_type"));
  const fileType = head.values.get("general.file_type");
  const role =
    pooling === 4
      ? "rerank"
      : encoders.has(architecture) || (typeof pooling === "number" && pooling > 0)
        ? "embed"
        : "chat";
  return {
    name: text("general.name") ?? file.replace(/(-\d{5}-of-\d{5})?\.gguf$/i, ""),
    role,
    architecture,
    parameters: whole.parameters,
    quantization: typeof fileType === "number" ? (fileTypes[fileType] ?? null) : null,
    trainedContext: Math.max(1, number("context_length", 2048)),
    licence: text("general.license"),
    sizeBytes: whole.bytes,
    layers,
    embeddingLength,
    feedForwardLength: number("feed_forward_length", embeddingLength * 4),
    vocabulary: head.arrayLengths.get("tokenizer.ggml.tokens") ?? number("vocab_size", 32_000),
    cacheBytesPerToken: sharedHeads * (keyLength + valueLength) * 2,
    supportsTools: /\btools?\b/.test(template),
    reasons: /<think|<\|channel\|>|\[THINK\]|<reason|<seed:think>|enable_thinking/i.test(template),
  };
}

/**
 * Turns a sentence-transformers MiniLM (fp16 safetensors, WordPiece tokenizer) into a GGUF that llama.cpp loads as a BERT
 * embedder. Matrices become q8_0 (blocks of 32 weights that share one half-precision scale, each weight one signed byte),
 * except those that carry values on and write back into the state: they stay in half precision, because llama.cpp rounds
 * what is multiplied with q8_0 to eight bits as well, and on texts of one word the sum of that error is felt (cosine to the
 * original 0.9977 with q8_0 alone, 0.9992 so). Vectors and positions are f32. The result depends on the input bytes alone.
 */
import { z } from "zod";
import { type GgufTensor, type GgufValue, writeGguf } from "./gguf-writer.ts";

const Config = z.object({
  model_type: z.literal("bert"),
  hidden_act: z.literal("gelu"),
  hidden_size: z.number().int().multipleOf(32),
  intermediate_size: z.number().int().multipleOf(32),
  layer_norm_eps: z.number(),
  max_position_embeddings: z.number().int(),
  num_attention_heads: z.number().int(),
  num_hidden_layers: z.number().int(),
  type_vocab_size: z.number().int(),
  vocab_size: z.number().int(),
});

const Tokenizer = z.object({
  model: z.object({
    type: z.literal("WordPiece"),
    continuing_subword_prefix: z.literal("##"),
    vocab: z.record(z.string(), z.number().int()),
  }),
});

const TensorHeader = z.object({
  dtype: z.string(),
  shape: z.array(z.number().int()),
  data_offsets: z.tuple([z.number().int(), z.number().int()]),
});

const sensitive = /\.(attn_v|attn_output|ffn_down)\.weight$/;

export interface MiniLmSource {
  readonly config: Uint8Array;
  readonly tokenizer: Uint8Array;
  readonly weights: Uint8Array;
}

/** `maxTokens`: input length the authors recommend; positions beyond it are left out, so the file says it itself. */
export function convertMiniLm(
  source: MiniLmSource,
  options: { name: string; licence: string; maxTokens: number },
): Buffer {
  const config = Config.parse(JSON.parse(Buffer.from(source.config).toString("utf8")));
  const { vocab } = Tokenizer.parse(JSON.parse(Buffer.from(source.tokenizer).toString("utf8"))).model;
  const weights = readSafetensors(source.weights);
  const positions = Math.min(options.maxTokens, config.max_position_embeddings);

  const tensors: GgufTensor[] = [];
  const matrix = (name: string, from: string): void => {
    const { values, shape } = weights(from);
    const dimensions = [...shape].reverse();
    tensors.push(
      sensitive.test(name)
        ? { name, dimensions, type: 1, data: toHalves(values) }
        : { name, dimensions, type: 8, data: quantizeQ8(values) },
    );
  };
  const plain = (name: string, from: string, rows?: number): void => {
    const { values, shape } = weights(from);
    const kept = rows === undefined ? values : values.subarray(0, rows * shape[1]!);
    const dimensions = rows === undefined ? [...shape].reverse() : [shape[1]!, rows];
    tensors.push({ name, dimensions, type: 0, data: new Uint8Array(kept.buffer, kept.byteOffset, kept.byteLength) });
  };
  const both = (name: string, from: string): void => {
    matrix(`${name}.weight`, `${from}.weight`);
    plain(`${name}.bias`, `${from}.bias`);
  };
  const norm = (name: string, from: string): void => {
    plain(`${name}.weight`, `${from}.weight`);
    plain(`${name}.bias`, `${from}.bias`);
  };

  matrix("token_embd.weight", "embeddings.word_embeddings.weight");
  plain("position_embd.weight", "embeddings.position_embeddings.weight", positions);
  plain("token_types.weight", "embeddings.token_type_embeddings.weight", config.type_vocab_size);
  norm("token_embd_norm", "embeddings.LayerNorm");
  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    const from = `encoder.layer.${layer}`;
    both(`blk.${layer}.attn_q`, `${from}.attention.self.query`);
    both(`blk.${layer}.attn_k`, `${from}.attention.self.key`);
    both(`blk.${layer}.attn_v`, `${from}.attention.self.value`);
    both(`blk.${layer}.attn_output`, `${from}.attention.output.dense`);
    norm(`blk.${layer}.attn_output_norm`, `${from}.attention.output.LayerNorm`);
    both(`blk.${layer}.ffn_up`, `${from}.intermediate.dense`);
    both(`blk.${layer}.ffn_down`, `${from}.output.dense`);
    norm(`blk.${layer}.layer_output_norm`, `${from}.output.LayerNorm`);
  }

  const metadata: Record<string, GgufValue> = {
    "general.architecture": { type: "string", value: "bert" },
    "general.name": { type: "string", value: options.name },
    "general.license": { type: "string", value: options.licence.toLowerCase() },
    "general.file_type": { type: "u32", value: 7 },
    "bert.block_count": { type: "u32", value: config.num_hidden_layers },
    "bert.context_length": { type: "u32", value: positions },
    "bert.embedding_length": { type: "u32", value: config.hidden_size },
    "bert.feed_forward_length": { type: "u32", value: config.intermediate_size },
    "bert.attention.head_count": { type: "u32", value: config.num_attention_heads },
    "bert.attention.layer_norm_epsilon": { type: "f32", value: config.layer_norm_eps },
    "bert.attention.causal": { type: "bool", value: false },
    "bert.pooling_type": { type: "u32", value: 1 },
    ...vocabulary(vocab, config.vocab_size, config.type_vocab_size),
  };
  return writeGguf(metadata, tensors);
}

/** WordPiece as llama.cpp keeps it: pieces that begin a word carry "▁", continuations lose their "##". */
function vocabulary(
  vocab: Readonly<Record<string, number>>,
  size: number,
  tokenTypes: number,
): Record<string, GgufValue> {
  const pieces: string[] = new Array(size).fill("");
  for (const [piece, id] of Object.entries(vocab)) {
    if (id < 0 || id >= size) throw new Error(`token ${id} lies outside the vocabulary`);
    pieces[id] = piece;
  }
  const id = (piece: string): number => {
    const found = vocab[piece];
    if (found === undefined) throw new Error(`the vocabulary lacks ${piece}`);
    return found;
  };
  const control = new Set(["[PAD]", "[CLS]", "[SEP]", "[MASK]"]);
  const tokens = pieces.map((piece) =>
    /^\[.+\]$/.test(piece) ? piece : piece.startsWith("##") ? piece.slice(2) : `\u2581${piece}`,
  );
  const types = pieces.map((piece) =>
    piece === "[UNK]" ? 2 : control.has(piece) ? 3 : /^\[unused\d+\]$/.test(piece) ? 5 : 1,
  );
  return {
    "tokenizer.ggml.model": { type: "string", value: "bert" },
    "tokenizer.ggml.token_type_count": { type: "u32", value: tokenTypes },
    "tokenizer.ggml.tokens": { type: "strings", value: tokens },
    "tokenizer.ggml.token_type": { type: "i32s", value: types },
    "tokenizer.ggml.bos_token_id": { type: "u32", value: id("[CLS]") },
    "tokenizer.ggml.eos_token_id": { type: "u32", value: id("[SEP]") },
    "tokenizer.ggml.unknown_token_id": { type: "u32", value: id("[UNK]") },
    "tokenizer.ggml.seperator_token_id": { type: "u32", value: id("[SEP]") },
    "tokenizer.ggml.padding_token_id": { type: "u32", value: id("[PAD]") },
    "tokenizer.ggml.cls_token_id": { type: "u32", value: id("[CLS]") },
    "tokenizer.ggml.mask_token_id": { type: "u32", value: id("[MASK]") },
  };
}

/** Reads half-precision tensors of a safetensors file, widened to f32. */
export function readSafetensors(bytes: Uint8Array): (name: string) => { values: Float32Array; shape: number[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerBytes = Number(view.getBigUint64(0, true));
  const header = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(Buffer.from(bytes.subarray(8, 8 + headerBytes)).toString("utf8")));
  const base = 8 + headerBytes;
  return (name) => {
    const entry = TensorHeader.parse(header[name]);
    if (entry.dtype !== "F16") throw new Error(`${name} is ${entry.dtype}, not F16`);
    const [start, end] = entry.data_offsets;
    const values = new Float32Array((end - start) / 2);
    for (let i = 0; i < values.length; i++) values[i] = halfToFloat(view.getUint16(base + start + i * 2, true));
    return { values, shape: entry.shape };
  };
}

/** IEEE half to float. Exact. */
export function halfToFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Float to IEEE half, to the nearest, ties to even. */
export function floatToHalf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (size >= 65_520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size || 2 ** -24)));
  // Counting in units of the last place makes subnormals, normals and the carry into the next power one case.
  const units = roundHalfToEven(size / 2 ** (exponent - 10));
  return sign | (units + (exponent + 14) * 1024);
}

function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

function toHalves(values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) view.setUint16(i * 2, floatToHalf(values[i]!), true);
  return bytes;
}

/** q8_0: for each 32 values one half-precision scale (largest size / 127) and 32 signed bytes. */
export function quantizeQ8(values: Float32Array): Uint8Array {
  if (values.length % 32 !== 0) throw new Error("q8_0 takes whole blocks of 32 values");
  const blocks = values.length / 32;
  const bytes = new Uint8Array(blocks * 34);
  const view = new DataView(bytes.buffer);
  for (let block = 0; block < blocks; block++) {
    let largest = 0;
    for (let i = 0; i < 32; i++) largest = Math.max(largest, Math.abs(values[block * 32 + i]!));
    const scale = Math.fround(largest / 127);
    const inverse = scale ? Math.fround(1 / scale) : 0;
    view.setUint16(block * 34, floatToHalf(scale), true);
    for (let i = 0; i < 32; i++) {
      const scaled = Math.fround(values[block * 32 + i]! * inverse);
      view.setInt8(block * 34 + 2 + i, Math.sign(scaled) * Math.floor(Math.abs(scaled) + 0.5));
    }
  }
  return bytes;
}

/** A MiniLM of one layer and eight words, with weights that follow a formula. */
import { floatToHalf, type MiniLmSource } from "../../models/minilm.ts";

const size = 32;
const inner = 64;
const words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "cat", "##s"];

export function tinyMiniLm(): MiniLmSource {
  const shapes: Record<string, number[]> = {
    "embeddings.word_embeddings.weight": [words.length, size],
    "embeddings.position_embeddings.weight": [16, size],
    "embeddings.token_type_embeddings.weight": [2, size],
    "embeddings.LayerNorm.weight": [size],
    "embeddings.LayerNorm.bias": [size],
  };
  const layer = "encoder.layer.0";
  for (const name of ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"]) {
    shapes[`${layer}.${name}.weight`] = [size, size];
    shapes[`${layer}.${name}.bias`] = [size];
  }
  shapes[`${layer}.intermediate.dense.weight`] = [inner, size];
  shapes[`${layer}.intermediate.dense.bias`] = [inner];
  shapes[`${layer}.output.dense.weight`] = [size, inner];
  shapes[`${layer}.output.dense.bias`] = [size];
  for (const name of ["attention.output.LayerNorm", "output.LayerNorm"])
    for (const part of ["weight", "bias"]) shapes[`${layer}.${name}.${part}`] = [size];
  return {
    config: Buffer.from(
      JSON.stringify({
        model_type: "bert",
        hidden_act: "gelu",
        hidden_size: size,
        intermediate_size: inner,
        layer_norm_eps: 1e-12,
        max_position_embeddings: 16,
        num_attention_heads: 4,
        num_hidden_layers: 1,
        type_vocab_size: 2,
        vocab_size: words.length,
      }),
    ),
    tokenizer: Buffer.from(
      JSON.stringify({
        model: {
          type: "WordPiece",
          continuing_subword_prefix: "##",
          vocab: Object.fromEntries(words.map((word, id) => [word, id])),
        },
      }),
    ),
    weights: safetensors(shapes),
  };
}

function safetensors(shapes: Readonly<Record<string, number[]>>): Buffer {
  const header: Record<string, unknown> = {};
  const data: Buffer[] = [];
  let at = 0;
  let seed = 1;
  for (const [name, shape] of Object.entries(shapes)) {
    const bytes = Buffer.alloc(shape.reduce((a, b) => a * b, 1) * 2);
    for (let i = 0; i < bytes.length; i += 2) {
      seed = (seed * 16_807) % 2_147_483_647;
      bytes.writeUInt16LE(floatToHalf(seed / 2_147_483_647 - 0.5), i);
    }
    header[name] = { dtype: "F16", shape, data_offsets: [at, at + bytes.length] };
    at += bytes.length;
    data.push(bytes);
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...data]);
}

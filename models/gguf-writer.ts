/** Writes GGUF version 3: the file format of llama.cpp, little-endian, tensors aligned to 32 bytes. */

export type GgufValue =
  | { readonly type: "u32"; readonly value: number }
  | { readonly type: "f32"; readonly value: number }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "strings"; readonly value: readonly string[] }
  | { readonly type: "i32s"; readonly value: readonly number[] };

export interface GgufTensor {
  readonly name: string;
  /** Fastest-changing dimension first, as GGUF wants it. */
  readonly dimensions: readonly number[];
  /** ggml's type number: 0 = f32, 1 = f16, 8 = q8_0. */
  readonly type: 0 | 1 | 8;
  readonly data: Uint8Array;
}

const typeIds = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;
const alignment = 32;

/** The bytes of a whole GGUF file, in the order given; the same input gives the same bytes on every machine. */
export function writeGguf(metadata: Readonly<Record<string, GgufValue>>, tensors: readonly GgufTensor[]): Buffer {
  const entries = Object.entries(metadata);
  const head: Uint8Array[] = [Buffer.from("GGUF", "latin1"), u32(3), u64(tensors.length), u64(entries.length)];
  for (const [key, value] of entries) head.push(string(key), encode(value));
  let offset = 0;
  for (const tensor of tensors) {
    head.push(
      string(tensor.name),
      u32(tensor.dimensions.length),
      ...tensor.dimensions.map(u64),
      u32(tensor.type),
      u64(offset),
    );
    offset += padded(tensor.data.byteLength);
  }
  const headBytes = head.reduce((sum, part) => sum + part.byteLength, 0);
  const parts: Uint8Array[] = [...head, zeros(headBytes)];
  for (const tensor of tensors) parts.push(tensor.data, zeros(tensor.data.byteLength));
  return Buffer.concat(parts);
}

function padded(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}

function zeros(after: number): Buffer {
  return Buffer.alloc(padded(after) - after);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function string(value: string): Buffer {
  const bytes = Buffer.from(value, "utf8");
  return Buffer.concat([u64(bytes.length), bytes]);
}

function encode(entry: GgufValue): Buffer {
  switch (entry.type) {
    case "u32":
      return Buffer.concat([u32(typeIds.u32), u32(entry.value)]);
    case "f32": {
      const bytes = Buffer.alloc(4);
      bytes.writeFloatLE(entry.value);
      return Buffer.concat([u32(typeIds.f32), bytes]);
    }
    case "bool":
      return Buffer.concat([u32(typeIds.bool), Buffer.from([entry.value ? 1 : 0])]);
    case "string":
      return Buffer.concat([u32(typeIds.string), string(entry.value)]);
    case "strings":
      return Buffer.concat([
        u32(typeIds.array),
        u32(typeIds.string),
        u64(entry.value.length),
        ...entry.value.map(string),
      ]);
    case "i32s": {
      const bytes = Buffer.alloc(entry.value.length * 4);
      entry.value.forEach((value, index) => {
        bytes.writeInt32LE(value, index * 4);
      });
      return Buffer.concat([u32(typeIds.array), u32(typeIds.i32), u64(entry.value.length), bytes]);
    }
  }
}

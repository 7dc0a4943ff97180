/**
 * Reads the head of a GGUF file (versions 2 and 3) without loading it: what the model is, how large its parts are, and
 * whether the file is whole. The file comes from a stranger, so every length is checked before it is believed.
 */
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { CredenceError } from "../contract/index.ts";

export type GgufScalar = string | number | boolean;

export interface GgufHead {
  readonly version: number;
  /** Scalars by key. Arrays are left out, except that their length is kept in `arrayLengths` and short number arrays in `numberArrays`. */
  readonly values: ReadonlyMap<string, GgufScalar>;
  readonly arrayLengths: ReadonlyMap<string, number>;
  readonly numberArrays: ReadonlyMap<string, readonly number[]>;
  readonly tensorCount: number;
  /** Sum of all elements of all tensors: the number of parameters. */
  readonly parameters: number;
  readonly tensorBytes: number;
  /** What the file must at least measure to hold every tensor. */
  readonly expectedBytes: number;
  readonly fileBytes: number;
}

/** ggml tensor types: elements of a block and its bytes. Types newer than this table count as 0 bytes (not checked). */
const blocks: Readonly<Record<number, readonly [elements: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  9: [32, 36],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  15: [256, 292],
  16: [256, 66],
  17: [256, 74],
  18: [256, 98],
  19: [256, 50],
  20: [32, 18],
  21: [256, 110],
  22: [256, 82],
  23: [256, 136],
  24: [1, 1],
  25: [1, 2],
  26: [1, 4],
  27: [1, 8],
  28: [1, 8],
  29: [256, 56],
  30: [1, 2],
  34: [256, 54],
  35: [256, 66],
  39: [32, 17],
};

const scalarBytes: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};
const limits = {
  keys: 100_000,
  tensors: 1_000_000,
  text: 16 << 20,
  array: 1 << 28,
  headBytes: 512 << 20,
  dimensions: 8,
};

class Damaged extends Error {}

/** A cursor over the file that reads ahead in chunks. */
class Cursor {
  readonly #file: FileHandle;
  readonly #size: number;
  #chunk = Buffer.alloc(0);
  #start = 0;
  position = 0;

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  async take(bytes: number): Promise<Buffer> {
    if (this.position + bytes > this.#size) throw new Damaged("it ends in the middle of its description");
    const offset = this.position - this.#start;
    if (offset < 0 || offset + bytes > this.#chunk.length) {
      const length = Math.min(Math.max(bytes, 1 << 18), this.#size - this.position);
      this.#chunk = Buffer.alloc(length);
      this.#start = this.position;
      const { bytesRead } = await this.#file.read(this.#chunk, 0, length, this.position);
      if (bytesRead < bytes) throw new Damaged("it ends in the middle of its description");
    }
    const from = this.position - this.#start;
    this.position += bytes;
    return this.#chunk.subarray(from, from + bytes);
  }

  skip(bytes: number): void {
    if (this.position + bytes > this.#size) throw new Damaged("it ends in the middle of its description");
    this.position += bytes;
  }

  async u32(): Promise<number> {
    return (await this.take(4)).readUInt32LE(0);
  }

  async u64(limit: number, what: string): Promise<number> {
    const value = (await this.take(8)).readBigUInt64LE(0);
    if (value > BigInt(limit)) throw new Damaged(`${what} is absurd`);
    return Number(value);
  }

  async text(): Promise<string> {
    return (await this.take(await this.u64(limits.text, "a text length"))).toString("utf8");
  }

  async skipText(): Promise<void> {
    this.skip(await this.u64(limits.text, "a text length"));
  }
}

/** Reads and checks a file; throws `models.file-missing`, `models.unreadable`, `models.not-gguf`, `models.truncated` or `models.damaged`. */
export async function readGgufHead(path: string): Promise<GgufHead> {
  const name = basename(path);
  let file: FileHandle;
  let size: number;
  try {
    file = await open(path, "r");
  } catch (error) {
    throw unreadable(name, error);
  }
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new CredenceError("models.unreadable", { file: name, detail: "it is not a file" });
    size = found.size;
    const cursor = new Cursor(file, size);
    await checkMagic(file, name, size);
    cursor.position = 4;
    const head = await readHead(cursor, size);
    if (head.expectedBytes > size)
      throw new CredenceError("models.truncated", { file: name, bytes: size, expectedBytes: head.expectedBytes });
    return head;
  } catch (error) {
    if (error instanceof Damaged)
      throw new CredenceError("models.damaged", { file: name, detail: error.message }, { cause: error });
    if (error instanceof CredenceError) throw error;
    throw unreadable(name, error);
  } finally {
    await file.close();
  }
}

function unreadable(file: string, error: unknown): CredenceError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return new CredenceError("models.file-missing", { file }, { cause: error });
  return new CredenceError("models.unreadable", { file, detail: code ?? String(error) }, { cause: error });
}

async function checkMagic(file: FileHandle, name: string, size: number): Promise<void> {
  const start = Buffer.alloc(Math.min(512, size));
  await file.read(start, 0, start.length, 0);
  if (start.toString("latin1", 0, 4) === "GGUF") return;
  throw new CredenceError("models.not-gguf", { file: name, looksLike: guess(start) });
}

function guess(start: Buffer): string | null {
  const text = start.toString("latin1").trimStart().toLowerCase();
  if (start.length === 0) return "an empty file";
  if (text.startsWith("<!doctype html") || text.startsWith("<html") || (text.startsWith("<") && text.includes("<html")))
    return "a web page";
  if (text.startsWith("version https://git-lfs")) return "a pointer to the real file";
  if (text.startsWith("pk\u0003\u0004")) return "a zip archive";
  if (text.startsWith("{") || text.startsWith("[")) return "a JSON text";
  if (text.startsWith("%pdf")) return "a PDF";
  if (/^(ggml|ggjt|tjgg|lmgg|fmgg)/.test(text)) return "a model in a format from before GGUF";
  if (start.length > 9 && start[8] === 0x7b && start[9] === 0x22) return "a safetensors model";
  return null;
}

async function readHead(cursor: Cursor, fileBytes: number): Promise<GgufHead> {
  const version = await cursor.u32();
  if (version !== 2 && version !== 3) throw new Damaged(`it has format version ${version}`);
  const tensorCount = await cursor.u64(limits.tensors, "the number of tensors");
  const keyCount = await cursor.u64(limits.keys, "the number of entries");
  const values = new Map<string, GgufScalar>();
  const arrayLengths = new Map<string, number>();
  const numberArrays = new Map<string, readonly number[]>();
  for (let i = 0; i < keyCount; i++) {
    const key = await cursor.text();
    const type = await cursor.u32();
    if (type === 9) {
      const itemType = await cursor.u32();
      const length = await cursor.u64(limits.array, "an array length");
      arrayLengths.set(key, length);
      if (itemType === 8) for (let item = 0; item < length; item++) await cursor.skipText();
      else if (scalarBytes[itemType] === undefined) throw new Damaged("it nests arrays");
      else if (length <= 1024) {
        const items: number[] = [];
        for (let item = 0; item < length; item++) items.push(Number(await readScalar(cursor, itemType)));
        numberArrays.set(key, items);
      } else cursor.skip(length * scalarBytes[itemType]);
    } else values.set(key, await readScalar(cursor, type));
    if (cursor.position > limits.headBytes) throw new Damaged("its description is absurdly long");
  }
  let parameters = 0;
  let tensorBytes = 0;
  let dataEnd = 0;
  for (let i = 0; i < tensorCount; i++) {
    await cursor.skipText();
    const dimensions = await cursor.u32();
    if (dimensions > limits.dimensions) throw new Damaged("a tensor has too many dimensions");
    let elements = 1;
    for (let d = 0; d < dimensions; d++) elements *= await cursor.u64(2 ** 48, "a tensor's size");
    const block = blocks[await cursor.u32()];
    const offset = await cursor.u64(2 ** 52, "a tensor's place");
    const bytes = block ? Math.ceil(elements / block[0]) * block[1] : 0;
    parameters += elements;
    tensorBytes += bytes;
    dataEnd = Math.max(dataEnd, offset + bytes);
  }
  const alignment = Number(values.get("general.alignment") ?? 32) || 32;
  const expectedBytes = Math.ceil(cursor.position / alignment) * alignment + dataEnd;
  return {
    version,
    values,
    arrayLengths,
    numberArrays,
    tensorCount,
    parameters,
    tensorBytes,
    expectedBytes,
    fileBytes,
  };
}

async function readScalar(cursor: Cursor, type: number): Promise<GgufScalar> {
  if (type === 8) return await cursor.text();
  const bytes = scalarBytes[type];
  if (bytes === undefined) throw new Damaged(`it has an entry of unknown type ${type}`);
  const buffer = await cursor.take(bytes);
  switch (type) {
    case 0:
      return buffer.readUInt8(0);
    case 1:
      return buffer.readInt8(0);
    case 2:
      return buffer.readUInt16LE(0);
    case 3:
      return buffer.readInt16LE(0);
    case 4:
      return buffer.readUInt32LE(0);
    case 5:
      return buffer.readInt32LE(0);
    case 6:
      return buffer.readFloatLE(0);
    case 7:
      return buffer.readUInt8(0) !== 0;
    case 10:
      return Number(buffer.readBigUInt64LE(0));
    case 11:
      return Number(buffer.readBigInt64LE(0));
    default:
      return buffer.readDoubleLE(0);
  }
}

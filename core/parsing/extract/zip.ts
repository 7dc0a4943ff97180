import { inflateRawSync } from "node:zlib";
import iconv from "iconv-lite";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { CredenceError } from "../../contract/index.ts";
import { isUtf8 } from "./charset.ts";
import type { ExtractContext } from "./context.ts";

/** An opened archive. Names use forward slashes, folders are left out. */
export interface Zip {
  readonly names: readonly string[];
  /** True when the directory at the end was missing and the entries were found by scanning. */
  readonly salvaged: boolean;
  has(name: string): boolean;
  /** Unpacks one entry; null when there is none of that name. Throws `documents.bomb` beyond the caps, `documents.encrypted` for locked entries. */
  read(name: string): Promise<Buffer | null>;
  /** Like `read`, as UTF-8 or UTF-16 text by its byte order mark. */
  text(name: string): Promise<string | null>;
}

const smallEnough = 10 * 1024 * 1024;

interface Found {
  readonly name: string;
  readonly packed: number;
  readonly size: number;
  readonly locked: boolean;
  read(cap: number): Promise<Buffer>;
}

/** Opens a zip held in memory. An archive cut off at its end is read as far as its entries go. */
export async function openZip(bytes: Buffer, context: ExtractContext): Promise<Zip> {
  let salvaged = false;
  let entries: Found[];
  try {
    entries = await listEntries(bytes, context);
  } catch (thrown) {
    if (thrown instanceof CredenceError) throw thrown;
    entries = scanEntries(bytes, context);
    salvaged = true;
    if (entries.length === 0) throw new CredenceError("documents.damaged", { format: "zip" }, { cause: thrown });
  }
  const byName = new Map<string, Found>();
  for (const entry of entries) if (!byName.has(entry.name)) byName.set(entry.name, entry);
  let unpacked = 0;
  const read = async (name: string): Promise<Buffer | null> => {
    const entry = byName.get(name) ?? byName.get(name.replace(/^\//, ""));
    if (!entry) return null;
    if (entry.locked) throw new CredenceError("documents.encrypted", { format: "zip" });
    const { maxUnpackedBytes, maxRatio } = context.limits;
    const cap = Math.min(maxUnpackedBytes - unpacked, Math.max(smallEnough, entry.packed * maxRatio));
    const data = await entry.read(cap).catch((thrown: unknown) => {
      if (thrown instanceof CredenceError) throw thrown;
      throw new CredenceError("documents.damaged", { format: "zip" }, { cause: thrown });
    });
    unpacked += data.length;
    return data;
  };
  return {
    names: [...byName.keys()],
    salvaged,
    has: (name) => byName.has(name),
    read,
    async text(name) {
      const data = await read(name);
      return data === null ? null : decodeXml(data);
    },
  };
}

function decodeXml(data: Buffer): string {
  if (data[0] === 0xff && data[1] === 0xfe) return data.subarray(2).toString("utf16le");
  if (data[0] === 0xfe && data[1] === 0xff) return Buffer.from(data.subarray(2)).swap16().toString("utf16le");
  return data.toString("utf8").replace(/^\ufeff/, "");
}

function bomb(name: string, cap: number): CredenceError {
  return new CredenceError("documents.bomb", {
    detail: `${name.slice(-80)}: over ${Math.round(cap / 1024 / 1024)} MB`,
  });
}

function listEntries(bytes: Buffer, context: ExtractContext): Promise<Found[]> {
  return new Promise((resolve, reject) => {
    fromBuffer(
      bytes,
      { lazyEntries: true, decodeStrings: false, strictFileNames: false, validateEntrySizes: true },
      (error, zip) => {
        if (error || !zip) return reject(error);
        const entries: Found[] = [];
        zip.on("error", reject);
        zip.on("end", () => resolve(entries));
        zip.on("entry", (entry: Entry) => {
          if (entries.length >= context.limits.maxEntries) {
            context.warn({
              kind: "cut-short",
              message: `The archive has more than ${context.limits.maxEntries} entries; the rest is left out.`,
            });
            return resolve(entries);
          }
          const name = nameOf(entry);
          if (!name.endsWith("/")) entries.push(foundEntry(zip, entry, name));
          zip.readEntry();
        });
        zip.readEntry();
      },
    );
  });
}

/** Names are UTF-8 by their flag, or because they are valid, else in the code page of old tools. They are never used as paths. */
function nameOf(entry: Entry): string {
  const raw: unknown = entry.fileName;
  const bytes = Buffer.isBuffer(raw) ? raw : Buffer.from(String(raw), "utf8");
  const name =
    (entry.generalPurposeBitFlag & 0x800) !== 0 || isUtf8(bytes)
      ? bytes.toString("utf8")
      : iconv.decode(bytes, "cp437");
  return name.replaceAll("\\", "/");
}

function foundEntry(zip: ZipFile, entry: Entry, name: string): Found {
  return {
    name,
    packed: entry.compressedSize,
    size: entry.uncompressedSize,
    locked: (entry.generalPurposeBitFlag & 1) === 1,
    read: (cap) =>
      new Promise((resolve, reject) => {
        if (entry.uncompressedSize > cap) return reject(bomb(name, cap));
        zip.openReadStream(entry, (error, stream) => {
          if (error || !stream) return reject(error);
          const parts: Buffer[] = [];
          let size = 0;
          stream.on("data", (part: Buffer) => {
            size += part.length;
            if (size > cap) {
              stream.destroy();
              reject(bomb(name, cap));
            } else parts.push(part);
          });
          stream.on("end", () => resolve(Buffer.concat(parts)));
          stream.on("error", reject);
        });
      }),
  };
}

/** Finds entries by their local headers, for archives whose directory is gone. */
function scanEntries(bytes: Buffer, context: ExtractContext): Found[] {
  const entries: Found[] = [];
  let at = bytes.indexOf("PK\x03\x04", 0, "latin1");
  while (at >= 0 && at + 30 <= bytes.length && entries.length < context.limits.maxEntries) {
    const flags = bytes.readUInt16LE(at + 6);
    const method = bytes.readUInt16LE(at + 8);
    const nameLength = bytes.readUInt16LE(at + 26);
    const start = at + 30 + nameLength + bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + 30, at + 30 + nameLength);
    const next = bytes.indexOf("PK\x03\x04", Math.max(start, at + 4), "latin1");
    const stated = bytes.readUInt32LE(at + 18);
    const end = stated > 0 && start + stated <= bytes.length ? start + stated : next < 0 ? bytes.length : next;
    const packed = bytes.subarray(start, end);
    if (name !== "" && !name.endsWith("/")) {
      entries.push({
        name,
        packed: packed.length,
        size: packed.length,
        locked: (flags & 1) === 1,
        read: async (cap) => unpack(packed, method, cap, name),
      });
    }
    at = next;
  }
  return entries;
}

function unpack(packed: Buffer, method: number, cap: number, name: string): Buffer {
  if (method === 0) return packed;
  try {
    // `finishFlush` gives what a cut-off stream holds so far.
    return inflateRawSync(packed, { maxOutputLength: cap, finishFlush: 2 });
  } catch (thrown) {
    if (thrown instanceof RangeError || (thrown as { code?: string }).code === "ERR_BUFFER_TOO_LARGE")
      throw bomb(name, cap);
    throw thrown;
  }
}

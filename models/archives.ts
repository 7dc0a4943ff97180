/**
 * Just enough of two archive formats to take known members out of archives whose hash was checked before:
 * zip (stored and deflated members, no zip64 split archives) and gzipped tar (ustar names).
 */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip, createInflateRaw } from "node:zlib";

interface ZipMember {
  readonly method: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly localHeader: number;
}

/** Opens one member of a zip file as a stream of its plain bytes. Throws when the member is not in the archive. */
export async function openZipMember(path: string, member: string): Promise<{ stream: Readable; bytes: number }> {
  const file = await open(path, "r");
  try {
    const found = await findZipMember(file, member);
    if (!found) throw new Error(`the archive holds no ${member}`);
    const header = await readExactly(file, found.localHeader, 30);
    if (header.readUInt32LE(0) !== 0x04034b50) throw new Error("a local header of the archive is damaged");
    const start = found.localHeader + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    const raw = createReadStream(path, { start, end: start + found.compressedBytes - 1, highWaterMark: 1 << 20 });
    if (found.method === 0) return { stream: raw, bytes: found.bytes };
    if (found.method !== 8) throw new Error(`the archive uses compression method ${found.method}`);
    const inflate = createInflateRaw({ chunkSize: 1 << 18 });
    raw.on("error", (error) => inflate.destroy(error));
    return { stream: raw.pipe(inflate), bytes: found.bytes };
  } finally {
    await file.close();
  }
}

type File = Awaited<ReturnType<typeof open>>;

async function readExactly(file: File, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw new Error("the archive is cut short");
  return buffer;
}

async function findZipMember(file: File, member: string): Promise<ZipMember | null> {
  const { size } = await file.stat();
  const tailLength = Math.min(size, 65_557);
  const tail = await readExactly(file, size - tailLength, tailLength);
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0) throw new Error("the file is not a zip archive");
  const count = tail.readUInt16LE(end + 10);
  const directory = await readExactly(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  let at = 0;
  for (let i = 0; i < count && at + 46 <= directory.length; i++) {
    const nameLength = directory.readUInt16LE(at + 28);
    const name = directory.toString("utf8", at + 46, at + 46 + nameLength);
    if (name === member) {
      return {
        method: directory.readUInt16LE(at + 10),
        compressedBytes: directory.readUInt32LE(at + 20),
        bytes: directory.readUInt32LE(at + 24),
        localHeader: directory.readUInt32LE(at + 42),
      };
    }
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return null;
}

/** Reads the named members of a .tgz into memory. Throws when one is missing. */
export async function readTarMembers(path: string, members: readonly string[]): Promise<Map<string, Buffer>> {
  const wanted = new Set(members);
  const found = new Map<string, Buffer>();
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path).pipe(createGunzip({ chunkSize: 1 << 20 })))
    chunks.push(chunk as Buffer);
  const tar = Buffer.concat(chunks);
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = text(tar, at, 100);
    if (name === "") break;
    const prefix = text(tar, at + 345, 155);
    const bytes = Number.parseInt(text(tar, at + 124, 12).trim(), 8);
    if (!Number.isFinite(bytes)) throw new Error("a header of the archive is damaged");
    const full = prefix ? `${prefix}/${name}` : name;
    if (wanted.has(full)) found.set(full, tar.subarray(at + 512, at + 512 + bytes));
    at += 512 + Math.ceil(bytes / 512) * 512;
  }
  for (const member of members) if (!found.has(member)) throw new Error(`the archive holds no ${member}`);
  return found;
}

function text(buffer: Buffer, at: number, length: number): string {
  const field = buffer.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end < 0 ? length : end);
}

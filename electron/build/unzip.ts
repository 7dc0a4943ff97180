import { closeSync, mkdirSync, openSync, readSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inflateRawSync } from "node:zlib";

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly compressedSize: number;
  readonly headerOffset: number;
  readonly mode: number;
}

/** Central directory of a plain (not zip64) archive; see PKWARE's APPNOTE, sections 4.3.12 and 4.3.16. */
function readDirectory(fd: number, size: number): ZipEntry[] {
  const tail = Buffer.alloc(Math.min(size, 65_557));
  readSync(fd, tail, 0, tail.length, size - tail.length);
  const end = tail.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end < 0) throw new Error("The archive has no end record");
  const count = tail.readUInt16LE(end + 10);
  const directory = Buffer.alloc(tail.readUInt32LE(end + 12));
  readSync(fd, directory, 0, directory.length, tail.readUInt32LE(end + 16));
  const entries: ZipEntry[] = [];
  for (let at = 0, i = 0; i < count; i++) {
    if (directory.readUInt32LE(at) !== 0x02014b50) throw new Error("The archive's directory is damaged");
    const nameLength = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString("utf8", at + 46, at + 46 + nameLength),
      method: directory.readUInt16LE(at + 10),
      compressedSize: directory.readUInt32LE(at + 20),
      headerOffset: directory.readUInt32LE(at + 42),
      mode: directory.readUInt32LE(at + 38) >>> 16,
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * Unpacks the files that `place` gives a relative path for, keeping their permissions. For archives whose hash was
 * checked before: names are trusted no further than that they may not climb out of `folder`.
 */
export function unzip(archive: string, folder: string, place: (name: string) => string | null): void {
  const fd = openSync(archive, "r");
  try {
    for (const entry of readDirectory(fd, statSync(archive).size)) {
      if (entry.name.endsWith("/")) continue;
      const relative = place(entry.name);
      if (relative === null) continue;
      if (relative.split("/").includes("..")) throw new Error(`The archive's entry ${entry.name} leaves its folder`);
      const header = Buffer.alloc(30);
      readSync(fd, header, 0, 30, entry.headerOffset);
      const start = entry.headerOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
      const packed = Buffer.alloc(entry.compressedSize);
      readSync(fd, packed, 0, packed.length, start);
      const target = join(folder, relative);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, entry.method === 0 ? packed : inflateRawSync(packed), { mode: entry.mode & 0o777 });
    }
  } finally {
    closeSync(fd);
  }
}

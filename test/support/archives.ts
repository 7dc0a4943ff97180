/** Writes small zip and tar archives for tests. */
import { crc32, deflateRawSync, gzipSync } from "node:zlib";

export function zip(members: Readonly<Record<string, Uint8Array>>, method: 0 | 8 = 8): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(members)) {
    const packed = method === 8 ? deflateRawSync(content) : Buffer.from(content);
    const fields = Buffer.alloc(22);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(content.length, 18);
    const local = Buffer.concat([
      Buffer.from([0x50, 0x4b, 3, 4]),
      fields,
      Buffer.from([name.length, 0, 0, 0]),
      Buffer.from(name),
    ]);
    const offset = Buffer.alloc(4);
    offset.writeUInt32LE(at);
    directory.push(
      Buffer.concat([
        Buffer.from([0x50, 0x4b, 1, 2, 20, 0]),
        fields,
        Buffer.from([name.length, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        offset,
        Buffer.from(name),
      ]),
    );
    parts.push(local, packed);
    at += local.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, central, end]);
}

export function tgz(members: Readonly<Record<string, Uint8Array>>): Buffer {
  const blocks: Buffer[] = [];
  for (const [name, content] of Object.entries(members)) {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("0", 156);
    header.write("ustar\0", 257);
    blocks.push(header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512));
  }
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

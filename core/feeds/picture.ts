/** Image formats that a window may show, by their first bytes. SVG is left out: it is a document, not a picture. */
const FORMATS: readonly (readonly [string, (head: Buffer) => boolean])[] = [
  ["image/png", (head) => head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
  ["image/jpeg", (head) => head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff],
  ["image/gif", (head) => /^GIF8[79]a/.test(head.toString("latin1", 0, 6))],
  ["image/webp", (head) => head.toString("latin1", 0, 4) === "RIFF" && head.toString("latin1", 8, 12) === "WEBP"],
  ["image/avif", (head) => head.toString("latin1", 4, 12) === "ftypavif"],
];

/** The bytes of a picture as a data address; null when they are none of the known formats, whatever they were called. */
export function pictureAddress(bytes: Uint8Array): string | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = FORMATS.find(([, is]) => is(buffer.subarray(0, 16)))?.[0];
  return format ? `data:${format};base64,${buffer.toString("base64")}` : null;
}

/** Bodies: decompressed and counted while they stream, cut off at their cap. */
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { CredenceError } from "../contract/index.ts";

export interface BodyCount {
  /** Bytes as they came over the wire. */
  wire: number;
  /** Bytes after decompression. */
  decoded: number;
}

export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** The decoded body in pieces. Throws `egress.too-large` past `maxBytes`, of either count. */
export async function* readBody(
  body: Readable,
  encoding: string | undefined,
  limit: { readonly host: string; readonly maxBytes: number },
  count: BodyCount,
): AsyncGenerator<Uint8Array> {
  const tooLarge = () => new CredenceError("egress.too-large", { host: limit.host, limitBytes: limit.maxBytes });
  body.on("data", (chunk: Buffer) => {
    count.wire += chunk.length;
    if (count.wire > limit.maxBytes) body.destroy(tooLarge());
  });
  body.pause();
  let stream: Readable = body;
  for (const name of codings(encoding)) {
    const decoder = decoderFor(name);
    stream.once("error", (error) => decoder.destroy(error));
    stream = stream.pipe(decoder);
  }
  try {
    for await (const chunk of stream) {
      const bytes = chunk as Buffer;
      count.decoded += bytes.length;
      if (count.decoded > limit.maxBytes) throw tooLarge();
      yield bytes;
    }
  } finally {
    stream.destroy();
    body.destroy();
  }
}

/** Content codings in the order in which they have to be undone; what is unknown is left as it is. */
function codings(encoding: string | undefined): string[] {
  return (encoding ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity")
    .reverse()
    .slice(0, 3);
}

function decoderFor(name: string) {
  if (name === "gzip" || name === "x-gzip") return createGunzip({ finishFlush: 2 });
  if (name === "br") return createBrotliDecompress();
  if (name === "deflate") return createInflate({ finishFlush: 2 });
  if (name === "deflate-raw") return createInflateRaw();
  throw new CredenceError("egress.failed", {
    host: "The server",
    detail: `it compresses with ${name}, which was not asked for`,
  });
}

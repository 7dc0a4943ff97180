import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { CredenceError } from "../../contract/index.ts";

/** Reads a regular file whole. Throws `documents.not-readable`, `documents.too-large` or `documents.empty` before any byte is read. */
export async function readWhole(path: string, maxBytes: number): Promise<Buffer> {
  const size = await checkFile(path);
  if (size > maxBytes) throw new CredenceError("documents.too-large", { bytes: size, limit: maxBytes });
  if (size === 0) throw new CredenceError("documents.empty", {});
  return readFile(path).catch((thrown: unknown) => {
    throw notReadable(path, thrown);
  });
}

async function checkFile(path: string): Promise<number> {
  const found = await stat(path).catch((thrown: unknown) => {
    throw notReadable(path, thrown);
  });
  if (found.isDirectory()) throw new CredenceError("documents.not-readable", { path, reason: "folder" });
  if (!found.isFile()) throw new CredenceError("documents.not-readable", { path, reason: "not-a-file" });
  return found.size;
}

function notReadable(path: string, thrown: unknown): CredenceError {
  const code = (thrown as { code?: string }).code;
  const reason =
    code === "ENOENT" || code === "ENOTDIR"
      ? "missing"
      : code === "EACCES" || code === "EPERM"
        ? "forbidden"
        : code === "EISDIR"
          ? "folder"
          : "other";
  return new CredenceError("documents.not-readable", { path, reason }, { cause: thrown });
}

/** SHA-256 of a file, read in parts. */
export async function hashJob(params: { readonly path: string }): Promise<{ hash: string; bytes: number }> {
  const bytes = await checkFile(params.path);
  const hash = createHash("sha256");
  try {
    for await (const part of createReadStream(params.path, { highWaterMark: 1024 * 1024 })) hash.update(part as Buffer);
  } catch (thrown) {
    throw notReadable(params.path, thrown);
  }
  return { hash: hash.digest("hex"), bytes };
}

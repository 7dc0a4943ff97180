import { createHash } from "node:crypto";
import { basename } from "node:path";
import { chunk } from "../chunk/index.ts";
import { defaultLimits, extract } from "../extract/index.ts";
import type { ExtractParams, ExtractPiece, ExtractResult } from "../jobs.ts";
import { readWhole } from "./files.ts";
import type { JobContext } from "./jobs.ts";

const textPiece = 128 * 1024;
const listPiece = 500;

/** Reads, extracts, cuts into passages and sends all of it in pieces. */
export async function extractJob(params: ExtractParams, context: JobContext): Promise<ExtractResult> {
  const bytes = params.bytes ?? (await readWhole(params.path ?? "", defaultLimits.maxFileBytes));
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (params.knownHash === hash) {
    return {
      format: "",
      title: null,
      language: null,
      warnings: [],
      metadata: {},
      hash,
      bytes: bytes.length,
      textLength: 0,
      passageCount: 0,
      unchanged: true,
    };
  }
  const extracted = await extract(bytes, {
    name: params.name ?? (params.path === undefined ? "" : basename(params.path)),
    password: params.password ?? null,
    declaredCharset: params.declaredCharset ?? null,
    ...(params.ocr ? { ocr: params.ocr } : {}),
    limits: defaultLimits,
    depth: 0,
    expired: context.expired,
    progress: context.progress,
  });
  const { text, sections, ...rest } = extracted;
  const passages = chunk(extracted, {
    key: params.passageKey ?? hash,
    ...(params.maxPassageTokens === undefined ? {} : { maxTokens: params.maxPassageTokens }),
  });
  const send = (piece: ExtractPiece) => context.piece(piece);
  for (let at = 0; at < text.length; at += textPiece)
    await send({ type: "text", text: text.slice(at, at + textPiece) });
  for (let at = 0; at < sections.length; at += listPiece)
    await send({ type: "sections", sections: sections.slice(at, at + listPiece) });
  for (let at = 0; at < passages.length; at += listPiece)
    await send({ type: "passages", passages: passages.slice(at, at + listPiece) });
  return {
    ...rest,
    hash,
    bytes: bytes.length,
    textLength: text.length,
    passageCount: passages.length,
    unchanged: false,
  };
}

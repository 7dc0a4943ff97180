/** Turns the bytes of a file into text with the ranges of its pages or sections. What a file is shows in its bytes; its name only settles ties. */
import { CredenceError, isCredenceError } from "../../contract/index.ts";
import type { Extracted, Warning } from "../types.ts";
import { decodeText } from "./charset.ts";
import type { ExtractContext } from "./context.ts";
import { extractEpub } from "./epub.ts";
import { writeHtml } from "./html.ts";
import { languageOf } from "./language.ts";
import { extractEml, extractMbox, extractMhtml } from "./mail.ts";
import { extractNotebook } from "./notebook.ts";
import { extractOdf, readOdf } from "./odf.ts";
import { extractDocx } from "./ooxml-docx.ts";
import { extractPptx } from "./ooxml-pptx.ts";
import { extractXlsx } from "./ooxml-xlsx.ts";
import { extractPdf } from "./pdf/pdf.ts";
import { extractJson, extractMarkdown, extractPlain, extractXml } from "./plain.ts";
import { extractRtf } from "./rtf.ts";
import {
  codeLanguage,
  controlShare,
  isPdf,
  isRtf,
  isZip,
  looksLikeMarkdown,
  mailFormat,
  refuseBinary,
  refuseCompound,
  zipFormat,
} from "./sniff.ts";
import { extractSubtitles } from "./subtitles.ts";
import { extractTable, findDelimiter } from "./tables.ts";
import { TextBuilder } from "./text-builder.ts";
import { openZip, type Zip } from "./zip.ts";

export { defaultLimits, type ExtractContext, type Limits } from "./context.ts";

/** Extracts one file. Throws the `documents.*` errors; warnings of all parts are gathered in the result. */
export async function extract(bytes: Uint8Array, given: Omit<ExtractContext, "warn">): Promise<Extracted> {
  const warnings: Warning[] = [];
  const context: ExtractContext = {
    ...given,
    warn: (warning) => {
      if (warnings.length < 100) warnings.push(warning);
    },
  };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length === 0) throw new CredenceError("documents.empty", {});
  if (buffer.length > context.limits.maxFileBytes) {
    throw new CredenceError("documents.too-large", { bytes: buffer.length, limit: context.limits.maxFileBytes });
  }
  const result = await byContent(buffer, context);
  if (result.text.trim() === "" && warnings.length === 0) {
    warnings.push({ kind: "empty", message: "This file holds no text." });
  }
  return {
    ...result,
    language: result.language ?? languageOf(result.text),
    warnings: [...warnings, ...result.warnings],
  };
}

async function byContent(bytes: Buffer, context: ExtractContext): Promise<Extracted> {
  if (isPdf(bytes)) return extractPdf(bytes, context);
  if (isRtf(bytes)) return extractRtf(bytes, context);
  if (isZip(bytes)) return fromZip(bytes, context);
  refuseCompound(bytes);
  refuseBinary(bytes);
  return fromText(bytes, context);
}

async function fromZip(bytes: Buffer, context: ExtractContext): Promise<Extracted> {
  const zip = await openZip(bytes, context);
  if (zip.salvaged)
    context.warn({ kind: "damaged", message: "The file is cut off or damaged; what could be found in it was read." });
  const format = await zipFormat(zip);
  if (format === "docx") return extractDocx(zip, context);
  if (format === "pptx") return extractPptx(zip, context);
  if (format === "xlsx") return extractXlsx(zip, context);
  if (format === "epub") return extractEpub(zip, context);
  if (format === "zip") return fromArchive(zip, context);
  return extractOdf(zip, format, context);
}

/** A zip of files: each readable one becomes a section; what cannot be read is named in a warning. */
async function fromArchive(zip: Zip, context: ExtractContext): Promise<Extracted> {
  const builder = new TextBuilder(context.limits.maxTextChars);
  const names = zip.names.filter((name) => !/(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|\._)/.test(name)).sort();
  if (context.depth >= context.limits.maxDepth) {
    throw new CredenceError("documents.bomb", {
      detail: `archives within archives, more than ${context.limits.maxDepth} deep`,
    });
  }
  const left: string[] = [];
  let read = 0;
  for (const name of names) {
    if (context.expired() || builder.full) {
      context.warn({ kind: "cut-short", message: `The archive is too large to read whole: it ends before ${name}.` });
      break;
    }
    const part = await readPart(zip, name, context).catch((thrown: unknown) => {
      if (isCredenceError(thrown, "documents.bomb")) throw thrown;
      left.push(name);
      return null;
    });
    if (part === null) continue;
    read++;
    builder.newParagraph().open("file", name, 1, read).add(part.text);
    context.progress(read, names.length, "file");
  }
  if (left.length > 0) {
    const shown = left.slice(0, 5).join(", ");
    context.warn({
      kind: "skipped-part",
      message: `${left.length} of ${names.length} files in the archive could not be read: ${shown}${left.length > 5 ? " and more" : ""}.`,
    });
  }
  const { text, sections } = builder.finish();
  return {
    format: "zip",
    text,
    sections,
    title: null,
    language: null,
    warnings: [],
    metadata: { files: names.length },
  };
}

async function readPart(zip: Zip, name: string, context: ExtractContext): Promise<Extracted | null> {
  const bytes = await zip.read(name);
  return bytes === null || bytes.length === 0
    ? null
    : byContent(bytes, { ...context, name, password: null, declaredCharset: null, depth: context.depth + 1 });
}

async function fromText(bytes: Buffer, context: ExtractContext): Promise<Extracted> {
  const attachments = (part: Buffer, name: string): Promise<Extracted | null> =>
    part.length === 0 || context.depth >= context.limits.maxDepth
      ? Promise.resolve(null)
      : byContent(part, { ...context, name, password: null, declaredCharset: null, depth: context.depth + 1 });
  const mail = mailFormat(bytes.toString("latin1", 0, 16_384).replace(/^\xef\xbb\xbf/, ""));
  if (mail === "mbox") return extractMbox(bytes, context, attachments);
  if (mail === "mhtml") return extractMhtml(bytes, context);
  if (mail === "eml") return extractEml(bytes, context, attachments);
  const decoded = decodeText(bytes, context.declaredCharset);
  const wide = /^utf-(?:16|32)/.test(decoded.charset);
  if (!wide && controlShare(bytes.subarray(0, 65_536)) > 0.1) {
    throw new CredenceError("documents.unsupported", { found: "this kind of file: its bytes are not text" });
  }
  if (decoded.guessed) {
    context.warn({
      kind: "charset-guessed",
      message: `The file does not say how its letters are stored; ${decoded.charset} fits best.`,
    });
  }
  const result = byText(decoded.text.replace(/^\ufeff/, ""), context);
  return decoded.charset === "utf-8"
    ? result
    : { ...result, metadata: { ...result.metadata, charset: decoded.charset } };
}

function byText(text: string, context: ExtractContext): Extracted {
  const extension = /\.([a-z0-9]+)$/i.exec(context.name)?.[1]?.toLowerCase() ?? "";
  const head = text.slice(0, 4096).replace(/^\s+/, "");
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(head)) return extractSubtitles(text, "vtt", context);
  if (/^(?:\d+\s*\r?\n)?\s*\d{1,2}:\d{2}:\d{2}[,.]\d{1,3}\s*-->/.test(head))
    return extractSubtitles(text, "srt", context);
  if (/^[[{]/.test(head)) {
    const json = fromJson(text, context, extension);
    if (json) return json;
  }
  if (head.startsWith("<")) {
    const marked = fromMarkup(text, head, context);
    if (marked) return marked;
  }
  if (/^(?:html?|xhtml|shtml)$/.test(extension) && /<[a-z][^>]*>/i.test(head)) return fromHtml(text, context);
  if (extension === "md" || extension === "markdown" || extension === "mdx") return extractMarkdown(text, context);
  const language = codeLanguage(context.name, text);
  if (language !== null) return extractPlain(text, "code", { codeLanguage: language });
  if (/^(?:csv|tsv|tab)$/.test(extension)) return extractTable(text, context);
  const delimiter = findDelimiter(text);
  if (delimiter !== null && tableLike(text, delimiter)) return extractTable(text, context);
  if (looksLikeMarkdown(text)) return extractMarkdown(text, context);
  return extractPlain(text, "txt");
}

/** Prose has commas too: a table has them in every line, in equal number, and lines that do not end like sentences. */
function tableLike(text: string, delimiter: string): boolean {
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, 40);
  if (lines.length < 3) return false;
  const counts = lines.map((line) => line.split(delimiter).length);
  const usual = counts[0]!;
  const even = counts.filter((count) => count === usual).length / counts.length;
  const sentences = lines.filter((line) => /[.!?:]["”’)]?\s*$/.test(line) || line.length > 400).length / lines.length;
  return usual >= (delimiter === "," ? 3 : 2) && even > 0.8 && sentences < 0.3 && (delimiter !== "|" || usual >= 3);
}

function fromJson(text: string, context: ExtractContext, extension: string): Extracted | null {
  try {
    const value: unknown = JSON.parse(text);
    if (
      typeof value === "object" &&
      value !== null &&
      "nbformat" in value &&
      ("cells" in value || "worksheets" in value)
    ) {
      return extractNotebook(value as Record<string, unknown>, context);
    }
    return extractJson(text);
  } catch {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
    const valid = lines.slice(0, 50).every((line) => isJson(line));
    if (valid && lines.length > 1) return { ...extractPlain(text, "json"), metadata: { records: lines.length } };
    if (!/^(?:json|jsonl|ndjson|ipynb|geojson)$/.test(extension)) return null;
    context.warn({ kind: "damaged", message: "This is not valid JSON; it was read as plain text." });
    return extractPlain(text, "json");
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function fromMarkup(text: string, head: string, context: ExtractContext): Extracted | null {
  const body = head.replace(/^<\?xml[^>]*\?>\s*/, "").replace(/^(?:<!--[\s\S]*?-->\s*|<\?[^>]*\?>\s*)+/, "");
  if (
    /^<!doctype\s+html|^<html[\s>]|^<(?:head|body|title|meta|div|p|h[1-6]|table|ul|ol|article|section|main|span|a|b|i|br|center|font|pre|script|style|link|form|header|nav|img|blockquote|dl|em|strong)(?=[\s/>])/i.test(
      body,
    )
  ) {
    return fromHtml(text, context);
  }
  const flat =
    /^<office:document\b[\s\S]*?office:mimetype="application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(
      body,
    );
  if (flat)
    return readOdf(
      text,
      text.slice(0, 20_000),
      flat[1] === "text" ? "odt" : flat[1] === "spreadsheet" ? "ods" : "odp",
      context,
    );
  if (
    /^<\?xml/.test(head) ||
    /^<!DOCTYPE/.test(body) ||
    /^<([A-Za-z_][\w.:-]*)(?:\s[^<>]*)?>[\s\S]*<\/\1>\s*$/.test(text.trim())
  )
    return extractXml(text, context);
  return null;
}

function fromHtml(text: string, context: ExtractContext): Extracted {
  const builder = new TextBuilder(context.limits.maxTextChars);
  const facts = writeHtml(text, builder);
  const finished = builder.finish();
  const language = facts.language ? /^[a-z]{2}/i.exec(facts.language)?.[0]?.toLowerCase() : undefined;
  return {
    format: "html",
    ...finished,
    title: facts.title ?? finished.sections[0]?.title ?? null,
    language: language ?? null,
    warnings: [],
    metadata: facts.meta,
  };
}

import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import type { Extracted } from "../types.ts";
import { decodeText } from "./charset.ts";
import type { ExtractContext } from "./context.ts";
import { writeHtml } from "./html.ts";
import { TextBuilder } from "./text-builder.ts";

/** Reads an attached file; null when it holds no text that we can read. */
export type ReadPart = (bytes: Buffer, name: string) => Promise<Extracted | null>;

/** One message: its main headers, its text, and the text of what is attached. */
export async function extractEml(bytes: Buffer, context: ExtractContext, readPart: ReadPart): Promise<Extracted> {
  const builder = new TextBuilder(context.limits.maxTextChars);
  const email = await parseMail(bytes);
  await writeMessage(email, builder, context, readPart);
  const { text, sections } = builder.finish();
  return {
    format: "eml",
    text,
    sections,
    title: email.subject?.trim() || null,
    language: null,
    warnings: [],
    metadata: facts(email),
  };
}

/** A mailbox: message after message, each a section titled by its subject. A broken message does not stop the rest. */
export async function extractMbox(bytes: Buffer, context: ExtractContext, readPart: ReadPart): Promise<Extracted> {
  const builder = new TextBuilder(context.limits.maxTextChars);
  const messages = splitMbox(bytes);
  let broken = 0;
  for (let i = 0; i < messages.length; i++) {
    if (context.expired() || builder.full) {
      context.warn({
        kind: "cut-short",
        message: `The mailbox is too large to read whole: the text ends before message ${i + 1} of ${messages.length}.`,
      });
      break;
    }
    try {
      const email = await parseMail(messages[i]!);
      builder.newParagraph().open("message", email.subject?.trim() || null, 1, i + 1);
      await writeMessage(email, builder, context, readPart);
    } catch {
      broken++;
    }
    if (i % 20 === 0) context.progress(i + 1, messages.length, "message");
  }
  if (broken > 0)
    context.warn({
      kind: "skipped-part",
      message: `${broken} of ${messages.length} messages are damaged and were left out.`,
    });
  const { text, sections } = builder.finish();
  return {
    format: "mbox",
    text,
    sections,
    title: null,
    language: null,
    warnings: [],
    metadata: { messages: messages.length },
  };
}

/** A saved web page: the first HTML part is the page. */
export async function extractMhtml(bytes: Buffer, context: ExtractContext): Promise<Extracted> {
  const email = await parseMail(bytes);
  const builder = new TextBuilder(context.limits.maxTextChars);
  const page = email.html ?? (await htmlAttachment(email));
  let title: string | null = null;
  if (page) title = writeHtml(page, builder).title;
  else builder.add(email.text ?? "");
  const { text, sections } = builder.finish();
  return {
    format: "mhtml",
    text,
    sections,
    title: title ?? email.subject?.trim() ?? null,
    language: null,
    warnings: [],
    metadata: facts(email),
  };
}

async function htmlAttachment(email: Email): Promise<string | null> {
  const part = email.attachments.find((attachment) => /html/.test(attachment.mimeType));
  return part ? decodeText(contentOf(part)).text : null;
}

function parseMail(bytes: Buffer): Promise<Email> {
  // A message in 8-bit text without a charset is in whatever its writer used: it is decoded before parsing.
  const plain = !/^content-type:[^\n]*(?:\n[ \t][^\n]*)*charset/im.test(bytes.toString("latin1", 0, 20_000));
  const text =
    plain &&
    bytes.some((byte) => byte > 0x7f) &&
    !/^content-transfer-encoding:\s*(?:base64|binary)/im.test(bytes.toString("latin1", 0, 20_000))
      ? decodeText(bytes)
      : null;
  const input = text !== null && text.charset !== "utf-8" ? Buffer.from(text.text, "utf8") : bytes;
  return new PostalMime({ attachmentEncoding: "arraybuffer", maxNestingDepth: 30 }).parse(new Uint8Array(input));
}

async function writeMessage(
  email: Email,
  builder: TextBuilder,
  context: ExtractContext,
  readPart: ReadPart,
): Promise<void> {
  const lines = [
    ["Subject", email.subject?.trim()],
    ["From", email.from ? people([email.from]) : email.sender ? people([email.sender]) : ""],
    ["To", people(email.to)],
    ["Cc", people(email.cc)],
    ["Date", email.date && !Number.isNaN(Date.parse(email.date)) ? new Date(email.date).toISOString() : email.date],
  ];
  for (const [name, value] of lines) if (value) builder.add(`${name}: ${value}\n`);
  builder.newParagraph();
  const text = email.text?.trim();
  if (text) builder.add(text.replace(/\r\n?/g, "\n"));
  else if (email.html) writeHtml(email.html, builder, { headings: false });
  for (const attachment of email.attachments) {
    const name = attachment.filename ?? "";
    if (attachment.related && /^image\//.test(attachment.mimeType)) continue;
    const part = await readPart(contentOf(attachment), name || extensionFor(attachment.mimeType)).catch(() => null);
    if (part === null) {
      if (name !== "")
        context.warn({ kind: "skipped-part", message: `The attachment ${name} holds no text that Credence can read.` });
      continue;
    }
    if (part.text === "") continue;
    builder
      .newParagraph()
      .open("file", name || null, 2)
      .add(name === "" ? "" : `Attachment: ${name}\n`)
      .add(part.text);
  }
}

function extensionFor(type: string): string {
  return type === "message/rfc822" ? "message.eml" : "";
}

function contentOf(attachment: Attachment): Buffer {
  const { content } = attachment;
  if (typeof content === "string") return Buffer.from(content);
  return content instanceof Uint8Array ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
}

function people(addresses: readonly Address[] | undefined): string {
  return (addresses ?? [])
    .flatMap((entry) => (entry.group ? entry.group : [entry]))
    .map((entry) =>
      entry.name && entry.address ? `${entry.name} <${entry.address}>` : entry.name || entry.address || "",
    )
    .filter((entry) => entry !== "")
    .join(", ");
}

function facts(email: Email): Record<string, string> {
  const found: Record<string, string> = {};
  if (email.from) found["author"] = people([email.from]);
  if (email.date) found["created"] = email.date;
  if (email.messageId) found["messageId"] = email.messageId;
  return found;
}

/** Messages begin at a "From " line after an empty one; ">From " inside a message loses its mark. */
export function splitMbox(bytes: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf("From "); at >= 0; at = bytes.indexOf("From ", at + 5)) {
    if (at !== 0 && bytes[at - 1] !== 10) continue;
    const blankBefore = at === 0 || bytes[at - 2] === 10 || (bytes[at - 2] === 13 && bytes[at - 3] === 10);
    const line = bytes.toString("latin1", at, Math.min(at + 200, bytes.length)).split("\n")[0]!;
    if ((blankBefore || starts.length === 0) && (/\d{4}\s*$|\d\d:\d\d/.test(line) || at === 0)) starts.push(at);
  }
  return starts.map((start, i) => {
    const lineEnd = bytes.indexOf(10, start) + 1;
    const message = bytes.subarray(lineEnd, starts[i + 1] ?? bytes.length);
    return message.includes("\n>From ")
      ? Buffer.from(message.toString("latin1").replace(/\n>(>*From )/g, "\n$1"), "latin1")
      : message;
  });
}

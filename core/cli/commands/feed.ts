import { readFile } from "node:fs/promises";
import { asCredenceError, CredenceError } from "../../contract/index.ts";
import { createParser, type ParsedEntry, type ParsedFeed, type Parser } from "../../parsing/index.ts";
import { silentLog } from "../../platform/index.ts";
import { type Command, type CommandContext, EXIT } from "../command.ts";
import { inOrder } from "../in-order.ts";

const READERS = 2;
const AHEAD = 16;

export const feed: Command = {
  name: "feed",
  usage: "FILE... [--url URL]",
  summary: "Reads feed files and prints their entries. Nothing is stored and nothing is fetched.",
  options: { url: { type: "string" } },
  async run(context) {
    if (!context.lines && context.args.length === 0) {
      throw new CredenceError("general.invalid-request", {
        method: "feed",
        problem: "name one or more feed files after the command",
      });
    }
    const parser = createParser({ host: context.childHost, clock: context.clock, log: silentLog, size: READERS });
    try {
      return await readAll(parser, context);
    } finally {
      parser.close();
    }
  },
};

async function readAll(parser: Parser, context: CommandContext): Promise<number> {
  const documents: Record<string, unknown>[] = [];
  let failed = 0;
  let done = 0;
  for await (const document of inOrder(context.inputs(), (file) => readOne(parser, file, context), AHEAD)) {
    context.signal.throwIfAborted();
    done++;
    if (document["ok"] !== true) failed++;
    if (context.lines) await context.print(JSON.stringify(document));
    else if (context.json) documents.push(document);
    else await printPlain(document, context);
  }
  if (context.json && !context.lines)
    await context.print(JSON.stringify(documents.length === 1 ? documents[0] : documents));
  if (failed === 0) return EXIT.done;
  return failed === done && !context.lines ? EXIT.failed : EXIT.partly;
}

async function readOne(parser: Parser, file: string, context: CommandContext): Promise<Record<string, unknown>> {
  const url = context.options["url"];
  try {
    const bytes = await readFile(file).catch((cause: unknown) => {
      throw new CredenceError("feeds.file-unreadable", { path: file }, { cause });
    });
    const source = { bytes, url: typeof url === "string" ? url : null, contentType: null };
    return { file, ok: true, ...feedToJson(await parser.run("feed.parse", source, { signal: context.signal })) };
  } catch (thrown) {
    return { file, ok: false, error: asCredenceError(thrown).toData() };
  }
}

/** A parsed feed with dates as ISO 8601 beside the words they were written in. */
export function feedToJson(feed: ParsedFeed): Record<string, unknown> {
  return { ...feed, entries: feed.entries.map(entryToJson) };
}

function entryToJson({ published, updated, ...entry }: ParsedEntry): Record<string, unknown> {
  return {
    ...entry,
    published: iso(published?.at),
    publishedRaw: published?.raw ?? null,
    updated: iso(updated?.at),
    updatedRaw: updated?.raw ?? null,
  };
}

function iso(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : new Date(at).toISOString();
}

async function printPlain(document: Record<string, unknown>, context: CommandContext): Promise<void> {
  if (document["ok"] !== true) {
    context.remark(`${document["file"]}: ${(document["error"] as { message: string }).message}`);
    return;
  }
  const entries = document["entries"] as Record<string, unknown>[];
  await context.print(
    `${document["title"] || document["file"]}  (${document["format"]}, ${entries.length} ${entries.length === 1 ? "entry" : "entries"})`,
  );
  for (const entry of entries)
    await context.print(
      `  ${String(entry["published"] ?? entry["updated"] ?? "")
        .slice(0, 10)
        .padEnd(10)}  ${entry["title"]}  ${entry["link"] ?? ""}`,
    );
  for (const warning of document["warnings"] as string[]) context.remark(`  ${warning}`);
}

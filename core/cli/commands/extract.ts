import { availableParallelism } from "node:os";
import { asCredenceError, CredenceError } from "../../contract/index.ts";
import { createParser, type ExtractedFile, extractFile, type Parser, type Section } from "../../parsing/index.ts";
import { silentLog } from "../../platform/index.ts";
import { type Command, type CommandContext, EXIT } from "../command.ts";
import { inOrder } from "../in-order.ts";

export const extract: Command = {
  name: "extract",
  usage: "FILE... [--password WORD] [--time-limit SECONDS] [--memory-limit MB] [--ocr FOLDER] [--readers N]",
  summary:
    "Reads files in a process of their own and prints their text, pages or sections, and passages. Nothing is stored.",
  options: {
    password: { type: "string" },
    "time-limit": { type: "string" },
    "memory-limit": { type: "string" },
    readers: { type: "string" },
    ocr: { type: "string" },
  },
  async run(context) {
    const parser = createParser({
      host: context.childHost,
      clock: context.clock,
      log: silentLog,
      size: Math.floor(numberOption(context, "readers", Math.min(4, Math.max(2, availableParallelism())), 1, 16)),
      timeMs: numberOption(context, "time-limit", 60, 1, 3600) * 1000,
      ...(context.options["memory-limit"] === undefined
        ? {}
        : { memoryMb: numberOption(context, "memory-limit", 1800, 64, 65_536) }),
    });
    const stop = () => parser.close();
    context.signal.addEventListener("abort", stop, { once: true });
    try {
      return await extractAll(parser, context);
    } finally {
      context.signal.removeEventListener("abort", stop);
      parser.close();
    }
  },
};

function numberOption(context: CommandContext, name: string, usual: number, least: number, most: number): number {
  const given = context.options[name];
  if (given === undefined) return usual;
  const value = Number(given);
  if (Number.isFinite(value) && value >= least && value <= most) return value;
  throw new CredenceError("general.invalid-request", {
    method: "extract",
    problem: `--${name} takes a number from ${least} to ${most}`,
  });
}

/** Results that may be held back at once, in files, while an earlier one is still being read. */
const lookAhead = 24;

/** Reads several files at a time and prints their results in the order of the inputs. */
async function extractAll(parser: Parser, context: CommandContext): Promise<number> {
  if (!context.lines && context.args.length === 0) {
    throw new CredenceError("general.invalid-request", {
      method: "extract",
      problem: "there is no file; name one or more after the command",
    });
  }
  const documents: Record<string, unknown>[] = [];
  let done = 0;
  let failed = 0;
  for await (const result of inOrder(context.inputs(), (file) => extractOne(parser, file, context), lookAhead)) {
    context.signal.throwIfAborted();
    done++;
    if (!result.ok) failed++;
    if (context.lines) await context.print(JSON.stringify(result.document));
    else if (context.json) documents.push(result.document);
    else if (result.ok) await context.print(result.text);
    else context.remark(`${result.document["file"]}: ${(result.document["error"] as { message: string }).message}`);
  }
  if (context.json && !context.lines)
    await context.print(JSON.stringify(documents.length === 1 ? documents[0] : documents));
  return failed === 0 ? EXIT.done : failed === done && !context.lines ? EXIT.failed : EXIT.partly;
}

async function extractOne(
  parser: Parser,
  file: string,
  context: CommandContext,
): Promise<{ ok: boolean; document: Record<string, unknown>; text: string }> {
  const password = context.options["password"];
  const folder = context.options["ocr"];
  try {
    const result = await extractFile(
      parser,
      {
        path: file,
        ...(typeof password === "string" ? { password } : {}),
        ...(typeof folder === "string" ? { ocr: { folder } } : {}),
      },
      { signal: context.signal },
    );
    return { ok: true, document: toJson(file, result), text: result.text };
  } catch (thrown) {
    return { ok: false, document: { file, ok: false, error: asCredenceError(thrown).toData() }, text: "" };
  }
}

/** Paged formats have `pages`, all others `sections`. Ranges are UTF-16 offsets into `text`, ends exclusive. */
function toJson(file: string, result: ExtractedFile): Record<string, unknown> {
  const paged = result.sections.some((section) => section.kind === "page" || section.kind === "slide");
  const ranges = result.sections.map(({ rows: _, ...section }: Section) => section);
  return {
    file,
    ok: true,
    format: result.format,
    title: result.title,
    language: result.language,
    text: result.text,
    ...(paged
      ? { pages: ranges.filter((section) => section.kind === "page" || section.kind === "slide") }
      : { sections: ranges }),
    passages: result.passages,
    warnings: result.warnings,
    metadata: result.metadata,
    bytes: result.bytes,
    hash: result.hash,
  };
}

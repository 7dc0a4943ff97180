import type { Extracted } from "../types.ts";
import type { ExtractContext } from "./context.ts";
import { writeHtml } from "./html.ts";
import { TextBuilder } from "./text-builder.ts";

interface Output {
  readonly output_type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly traceback?: unknown;
}

/** Jupyter: cells in order, then what each printed; pictures and widgets are left out. */
export function extractNotebook(notebook: Readonly<Record<string, unknown>>, context: ExtractContext): Extracted {
  const builder = new TextBuilder(context.limits.maxTextChars);
  const kernel = record(record(notebook["metadata"])["kernelspec"]);
  const sheets = Array.isArray(notebook["worksheets"])
    ? notebook["worksheets"].flatMap((sheet) => list(record(sheet)["cells"]))
    : [];
  const cells = [...list(notebook["cells"]), ...sheets];
  let title: string | null = null;
  cells.forEach((cell, i) => {
    const { cell_type: kind, source, input, outputs } = record(cell);
    const text = joined(source ?? input);
    const heading = kind === "markdown" ? (/^#{1,6}\s+(.+)$/m.exec(text)?.[1]?.trim() ?? null) : null;
    title ??= heading;
    builder
      .newParagraph()
      .open("cell", heading, 1, i + 1)
      .add(text.trimEnd());
    for (const output of list(outputs)) writeOutput(record(output), builder);
  });
  const { text, sections } = builder.finish();
  const language = record(record(notebook["metadata"])["language_info"])["name"] ?? kernel["language"];
  return {
    format: "ipynb",
    text,
    sections,
    title,
    language: null,
    warnings: [],
    metadata: { cells: cells.length, ...(typeof language === "string" ? { codeLanguage: language } : {}) },
  };
}

function writeOutput(output: Output, builder: TextBuilder): void {
  const data = record(output.data);
  const plain = joined(output.text) || joined(data["text/plain"]) || joined(data["text/markdown"]);
  const trace = list(output.traceback).map(String).join("\n");
  if (joined(data["text/html"]) !== "" && (plain === "" || /^<.*>$/s.test(plain.trim()))) {
    builder.newLine();
    writeHtml(joined(data["text/html"]), builder, { headings: false });
    return;
  }
  const text = (plain || trace).replace(/\x1b\[[0-9;]*m/g, "").trimEnd();
  if (text !== "") builder.newLine().add(text);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function joined(value: unknown): string {
  if (Array.isArray(value)) return value.filter((part) => typeof part === "string").join("");
  return typeof value === "string" ? value : "";
}

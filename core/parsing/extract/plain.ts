import type { Extracted } from "../types.ts";
import type { ExtractContext } from "./context.ts";
import { TextBuilder } from "./text-builder.ts";
import { walkXml } from "./xml.ts";

/** Plain text and code: as written, line ends made one kind. */
export function extractPlain(source: string, format: string, metadata: Extracted["metadata"] = {}): Extracted {
  return { format, text: tidy(source), sections: [], title: null, language: null, warnings: [], metadata };
}

/** Line ends of one kind, no null characters, no blank end. */
export function tidy(source: string): string {
  return source.replace(/\r\n?/g, "\n").replace(/\0/g, "").replace(/\s+$/, "");
}

/** Markdown: as written; its headings, outside code fences, are the sections. */
export function extractMarkdown(source: string, context: ExtractContext): Extracted {
  const text = tidy(source);
  const builder = new TextBuilder(context.limits.maxTextChars);
  const metadata: Record<string, string> = {};
  const front = /^---\n([\s\S]*?)\n(?:---|\.\.\.)(?:\n|$)/.exec(text);
  if (front) {
    for (const line of front[1]!.split("\n")) {
      const pair = /^(title|author|date|description|tags|lang)\s*:\s*(.+)$/i.exec(line);
      if (pair) metadata[pair[1]!.toLowerCase()] = pair[2]!.replace(/^["']|["']$/g, "").trim();
    }
  }
  let fence: string | null = null;
  const lines = text.split("\n");
  let title = metadata["title"] ?? null;
  const frontLines = front ? front[0].split("\n").length - 1 : 0;
  lines.forEach((line, i) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark) fence = fence === null ? mark : mark[0] === fence[0] && mark.length >= fence.length ? null : fence;
    else if (fence === null && i >= frontLines) {
      const heading = headingAt(lines, i);
      if (heading) {
        builder.open("section", heading.title, heading.level);
        title ??= heading.title;
      }
    }
    builder.add(i === lines.length - 1 ? line : `${line}\n`);
  });
  const finished = builder.finish();
  return { format: "markdown", ...finished, title, language: null, warnings: [], metadata };
}

function headingAt(lines: readonly string[], i: number): { level: number; title: string } | null {
  const line = lines[i]!;
  const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(line);
  if (atx?.[2]) return { level: atx[1]!.length, title: atx[2].trim() };
  const under = /^ {0,3}(=+|-{2,})[ \t]*$/.exec(lines[i + 1] ?? "");
  const paragraph =
    line.trim() !== "" && !/^(?: {4}|\t|[>#|*+-]|\d+[.)])/.test(line) && (i === 0 || lines[i - 1]!.trim() === "");
  return under && paragraph ? { level: under[1]![0] === "=" ? 1 : 2, title: line.trim() } : null;
}

/** JSON: as written. A file on one line is laid out, so that it can be read and cut into passages. */
export function extractJson(source: string): Extracted {
  const text = tidy(source);
  const laidOut = text.length > 200 && !text.includes("\n") ? layOutJson(text) : text;
  return { format: "json", text: laidOut, sections: [], title: null, language: null, warnings: [], metadata: {} };
}

/** Adds line breaks and indents between tokens without reading the numbers, which JavaScript would round. */
function layOutJson(source: string): string {
  const parts: string[] = [];
  let depth = 0;
  for (const [token] of source.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === "{" || token === "[") {
      depth++;
      parts.push(`${token}\n${" ".repeat(Math.min(depth, 40))}`);
    } else if (token === "}" || token === "]") {
      depth--;
      parts.push(`\n${" ".repeat(Math.max(0, Math.min(depth, 40)))}${token}`);
    } else if (token === ",") parts.push(`,\n${" ".repeat(Math.min(Math.max(depth, 0), 40))}`);
    else if (token === ":") parts.push(": ");
    else parts.push(token);
  }
  return parts.join("");
}

const silentAttributes = /^(?:xmlns|xsi|xml:)|(?:^|:)(?:id|ref|class|style|href|src|schemaLocation|type)$/;

/** Any other XML: the text of its elements, an element a line, and attributes that hold words. */
export function extractXml(source: string, context: ExtractContext): Extracted {
  const builder = new TextBuilder(context.limits.maxTextChars);
  let root = "";
  let fresh = true;
  walkXml(source, {
    open(_local, attributes, name) {
      root ||= name;
      builder.newLine();
      fresh = true;
      for (const key in attributes) {
        const value = attributes[key]!.trim();
        if (!silentAttributes.test(key) && /\p{L}.*[\s\p{L}]|\p{N}/u.test(value))
          builder.add(`${key}: ${value}`).newLine();
      }
    },
    text(text) {
      const words = text.replace(/\s+/g, " ");
      if (words === " " || words === "") return;
      builder.add(fresh ? words.trimStart() : words);
      fresh = false;
    },
    close() {
      builder.newLine();
      fresh = true;
    },
  });
  const { text } = builder.finish();
  return {
    format: "xml",
    text: text.replace(/ +\n/g, "\n"),
    sections: [],
    title: null,
    language: null,
    warnings: [],
    metadata: root === "" ? {} : { root },
  };
}

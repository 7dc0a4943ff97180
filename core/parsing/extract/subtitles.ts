import type { Extracted } from "../types.ts";
import type { ExtractContext } from "./context.ts";
import { TextBuilder } from "./text-builder.ts";

const timing = /^\s*(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}/;

/** SubRip and WebVTT: what is said, a cue a line, with speakers where named; each cue is a section titled by its time. */
export function extractSubtitles(source: string, format: "srt" | "vtt", context: ExtractContext): Extracted {
  const builder = new TextBuilder(context.limits.maxTextChars);
  const blocks = source.replace(/\r\n?/g, "\n").split(/\n[ \t]*\n+/);
  let number = 0;
  let title: string | null = null;
  let before = "";
  for (const block of blocks) {
    const lines = block.split("\n");
    if (/^WEBVTT/.test(lines[0] ?? "")) {
      title =
        lines[0]!
          .slice(6)
          .replace(/^[\s-]+/, "")
          .trim() || null;
      if (!lines.some((line) => timing.test(line))) continue;
    }
    if (/^(?:NOTE|STYLE|REGION)\b/.test(lines[0] ?? "")) continue;
    const at = lines.findIndex((line) => timing.test(line));
    if (at < 0) continue;
    const [, hours, minutes, seconds] = timing.exec(lines[at]!)!;
    const said = lines
      .slice(at + 1)
      .map(plainCue)
      .filter((line) => line !== "")
      .join("\n");
    // Rolling captions repeat the last cue and add a line.
    if (said === "" || said === before) continue;
    before = said;
    number++;
    const time = `${String(Number(hours ?? 0)).padStart(2, "0")}:${minutes!.padStart(2, "0")}:${seconds}`;
    builder.newLine().open("cue", time, 1, number).add(said).newLine();
  }
  const { text, sections } = builder.finish();
  return { format, text, sections, title, language: null, warnings: [], metadata: { cues: number } };
}

function plainCue(line: string): string {
  return line
    .replace(/<v(?:\.[^\s>]*)?\s+([^>]+)>/g, (_, speaker: string) => `${speaker.trim()}: `)
    .replace(/<\/?[^>]*>/g, "")
    .replace(/\{\\[^}]*\}/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&nbsp;|&lrm;|&rlm;/g, " ")
    .replace(/&amp;/g, "&")
    .trim();
}

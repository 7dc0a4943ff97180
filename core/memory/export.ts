import type { MemoryEntry } from "../contract/index.ts";
import type { Memory } from "./service.ts";

/** Entries read at a time, so that a large memory is written without holding the process up. */
const page = 500;

/** All of what was said and learned, or the chosen entries, as one text. Documents and feeds have exports of their own. */
export async function exportMemory(
  memory: Pick<Memory, "list" | "detail">,
  format: "markdown" | "json",
  ids?: readonly string[],
): Promise<{ fileName: string; text: string; count: number }> {
  const entries: MemoryEntry[] = ids ? ids.map((id) => memory.detail(id).entry) : [];
  if (!ids) {
    for (const view of ["said", "archived"] as const) {
      for (let offset = 0; ; offset += page) {
        const { entries: some } = await memory.list({ view, order: "oldest", offset, limit: page });
        entries.push(...some.filter((entry) => entry.kind === "message" || entry.kind === "memory"));
        if (some.length < page) break;
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
    }
    entries.sort((a, b) => a.at - b.at);
  }
  const text =
    format === "json"
      ? `${JSON.stringify({ format: "credence-memory", version: 1, entries }, null, 2)}\n`
      : markdown(entries);
  return { fileName: `credence-memory.${format === "json" ? "json" : "md"}`, text, count: entries.length };
}

function markdown(entries: readonly MemoryEntry[]): string {
  const lines = ["# Memory", ""];
  let day = "";
  for (const entry of entries) {
    const date = new Date(entry.at).toISOString().slice(0, 10);
    if (date !== day) {
      day = date;
      lines.push(`## ${date}`, "");
    }
    const origin = [entry.speaker, entry.title].filter(Boolean).join(" · ");
    const remarks = [entry.pinned ? "pinned" : "", entry.claim ? "claim" : "", entry.archived ? "archived" : ""].filter(
      Boolean,
    );
    lines.push(
      `- ${entry.text.replace(/\s+/g, " ")}${origin ? ` (${origin})` : ""}${remarks.length > 0 ? ` [${remarks.join(", ")}]` : ""}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

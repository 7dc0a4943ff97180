import { contentId } from "../../platform/index.ts";
import type { ParsedEntry } from "./types.ts";

/** Identity of an entry within its feed: its guid, else its link, else what it says. */
export function entryIdentity(entry: {
  readonly guid: string | null;
  readonly link: string | null;
  readonly title: string;
  readonly content: string;
}): Pick<ParsedEntry, "id" | "idFrom"> {
  const guid = entry.guid?.trim() ?? "";
  // A guid that is only a fragment ("#", "#3") names a place in a page and repeats from page to page.
  if (guid && !guid.startsWith("#")) return { id: guid, idFrom: "guid" };
  if (entry.link) return { id: `${entry.link}${guid}`, idFrom: "link" };
  return { id: contentId("entry", guid, entry.title, entry.content), idFrom: "content" };
}

/**
 * Tells entries apart that share an id although they are not the same: the second and later ones get what they say
 * added to it. Entries that are the same to the letter keep one id: whoever stores them stores them once.
 */
export function separateRepeatedIds(entries: readonly ParsedEntry[]): { entries: ParsedEntry[]; repeated: number } {
  const seen = new Map<string, ParsedEntry>();
  let repeated = 0;
  const separated = entries.map((entry) => {
    const first = seen.get(entry.id);
    if (!first) seen.set(entry.id, entry);
    if (!first || saysTheSame(first, entry)) return entry;
    repeated++;
    const id =
      entry.link && entry.link !== first.link && entry.idFrom === "guid"
        ? `${entry.id} ${entry.link}`
        : contentId("entry", entry.id, entry.title, entry.content || entry.summary);
    const separate = { ...entry, id };
    if (!seen.has(id)) seen.set(id, separate);
    return separate;
  });
  return { entries: separated, repeated };
}

function saysTheSame(a: ParsedEntry, b: ParsedEntry): boolean {
  return a.title === b.title && a.link === b.link && a.content === b.content && a.summary === b.summary;
}

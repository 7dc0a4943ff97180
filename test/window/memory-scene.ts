/** Memory as in the mock-up: what was said, read and followed, over several days, with one of them opened. */
import type { MemoryCounts, MemoryDetail, MemoryEntry } from "../../core/contract/index.ts";
import type { Script } from "./scripted-core.ts";

const hour = 3_600_000;

export const memoryEntry = (change: Partial<MemoryEntry> & { id: string; text: string }): MemoryEntry => ({
  kind: "memory",
  title: "",
  place: "",
  speaker: "",
  at: 0,
  pinned: false,
  archived: false,
  claim: false,
  edited: false,
  strength: null,
  uses: 0,
  lastUsedAt: null,
  sourceId: "eels",
  messageId: null,
  ...change,
});

export function memoryEntries(now: number): MemoryEntry[] {
  const doc = { kind: "document" as const, sourceId: "eel" };
  return [
    memoryEntry({
      ...doc,
      id: "p1",
      text: "Of 118 tagged silver eels at the forebay, 97 crossed at night.",
      title: "Silver eel passage",
      place: "Report, p. 14",
      at: now - 0.2 * hour,
      pinned: true,
    }),
    memoryEntry({
      ...doc,
      id: "p2",
      text: "Stopping on 19 forecast nights cost 2.4 % of yearly output.",
      title: "Turbine log, station B",
      place: "Sheet Nights",
      at: now - 0.3 * hour,
    }),
    memoryEntry({
      id: "k1",
      text: "You write the summary for the river forum on Friday.",
      title: "Eels at Brackwell weir",
      at: now - 0.4 * hour,
      uses: 2,
      lastUsedAt: now - 0.2 * hour,
    }),
    memoryEntry({
      kind: "feed",
      id: "f1",
      sourceId: "entry-1",
      text: "312 silver eels in week 48, 241 of them on two nights.",
      title: "Lower ladder counts",
      place: "Feed entry",
      at: now - 4 * hour,
    }),
    memoryEntry({
      id: "k2",
      text: "You prefer tables of figures with the sample size beside them.",
      title: "Heat pumps in solid-wall houses",
      at: now - 21 * hour,
      pinned: true,
    }),
    memoryEntry({
      kind: "message",
      speaker: "You",
      id: "m1",
      messageId: "m9",
      text: "The petition says that eels have stopped coming.",
      title: "Eels at Brackwell weir",
      at: now - 22 * hour,
      claim: true,
    }),
    memoryEntry({
      kind: "feed",
      id: "f2",
      sourceId: "entry-2",
      text: "Hexley is the cheapest of the three sites for a second loop.",
      title: "Moor Line works",
      place: "Feed entry",
      at: now - 30 * hour,
    }),
    memoryEntry({
      ...doc,
      id: "p3",
      text: "The trial counts a house as solid-wall when over half its walls are.",
      title: "Field trial of 412 heat pumps",
      place: "Report, § 2.1",
      at: now - 94 * hour,
    }),
    memoryEntry({
      id: "k3",
      text: "Your deadline for the timetable comments is 12 December.",
      title: "Moor Line timetable consultation",
      at: now - 98 * hour,
    }),
    memoryEntry({
      ...doc,
      id: "p4",
      text: "Seasonal factor is measured at the meter, hot water included.",
      title: "Field trial of 412 heat pumps",
      place: "Report, § 2.3",
      at: now - 99 * hour,
    }),
  ];
}

export const memoryCounts = (now: number): MemoryCounts => ({
  everything: 6412,
  said: 388,
  documents: 4720,
  feeds: 1263,
  pinned: 21,
  archived: 940,
  thisWeek: 214,
  thisYear: 5120,
  topics: [
    { topic: "heat-pumps", count: 1490 },
    { topic: "fish-passage", count: 812 },
    { topic: "moor-line", count: 633 },
    { topic: "your-work", count: 204 },
  ],
  tidied: { at: now - 9 * hour, merged: 12, archived: 31, forgotten: 3 },
  waiting: 0,
  rebuilding: null,
  meaning: true,
});

export function memoryDetail(entry: MemoryEntry, now: number): MemoryDetail {
  const said = entry.kind === "memory";
  return {
    entry,
    sources: [
      {
        passageId: said ? "m7" : entry.id,
        quote: said ? "I write the summary for the river forum on Friday, so keep the figures short." : entry.text,
        title: entry.title,
        at: entry.at,
        kind: said ? "message" : entry.kind,
        sourceId: entry.sourceId,
        messageId: said ? "m7" : entry.messageId,
      },
    ],
    topics: said ? ["your-work", "fish-passage"] : [],
    keptUntil: said && !entry.pinned ? now + 110 * 24 * hour : null,
    why: "You said it yourself, and it was used in answers. Each use makes it last longer; a pin keeps it for good.",
    questions: said ? ["When is the river forum?", "Who writes the summary?"] : [],
    dismissedIn: [],
  };
}

/** A memory that answers from data: views by kind, search by words, the opened entry. */
export function memoryScript(base: Script, entries?: readonly MemoryEntry[], counts?: Partial<MemoryCounts>): Script {
  const now = Date.now();
  const all = entries ?? memoryEntries(now);
  return {
    ...base,
    answers: {
      ...base.answers,
      "memory.counts": () => ({ ...memoryCounts(now), ...counts }),
      "memory.list": ({ view = "everything", query, order }) => {
        const kinds = { said: ["memory", "message"], documents: ["document"], feeds: ["feed"] } as const;
        const found = all
          .filter((entry) => {
            if (view === "pinned") return entry.pinned;
            if (view === "archived") return entry.archived;
            return view === "everything" || (kinds[view] as readonly string[]).includes(entry.kind);
          })
          .filter((entry) => !query || entry.text.toLowerCase().includes(query.toLowerCase()));
        return {
          entries: order === "oldest" ? [...found].reverse() : found,
          total: entries || query || view !== "everything" ? found.length : 6412,
        };
      },
      "memory.get": ({ id }) => memoryDetail(all.find((entry) => entry.id === id)!, now),
      "memory.edit": ({ id, text }) => ({ ...all.find((entry) => entry.id === id)!, text, edited: true }),
      "memory.pin": ({ id, pinned }) => ({ ...all.find((entry) => entry.id === id)!, pinned }),
      "memory.delete": () => null,
      "memory.undelete": () => null,
      "memory.dismiss": () => null,
      "memory.pauseRebuild": () => null,
      "memory.export": ({ format }) => ({
        fileName: `credence-memory.${format === "json" ? "json" : "md"}`,
        text: "# Memory\n",
        count: all.length,
      }),
      "backups.create": () => ({ path: "/home/ada/.credence/backups/credence.db", createdAt: now, bytes: 48e6 }),
      "shell.saveText": () => ({ path: "/home/ada/credence-memory.md" }),
    },
  };
}

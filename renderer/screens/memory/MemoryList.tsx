import type { MemoryEntry } from "../../../core/contract/index.ts";
import { VirtualList } from "../../components/VirtualList.tsx";
import { dayHeading } from "../../format/times.ts";
import { memory as words } from "../../words/memory.ts";
import { MemoryRow } from "./MemoryRow.tsx";

export interface MemoryListProps {
  readonly entries: readonly MemoryEntry[];
  readonly current: string | null;
  readonly now: number;
  /** Days part the list when it is in the order of time. */
  readonly byDay: boolean;
  readonly place: readonly string[];
  readonly query: Record<string, string>;
  readonly onNearEnd: () => void;
}

/** Thousands of memories; a heading where a day begins. */
export function MemoryList({ entries, current, now, byDay, place, query, onNearEnd }: MemoryListProps) {
  const headings = entries.map((entry, i) => {
    if (!byDay) return null;
    const heading = dayHeading(entry.at, now);
    const before = entries[i - 1];
    return before && dayHeading(before.at, now) === heading ? null : heading;
  });
  return (
    <VirtualList
      items={entries}
      itemKey={(entry) => entry.id}
      label={words.title}
      onNearEnd={onNearEnd}
      render={(entry, i) => (
        <>
          {headings[i] && <h3 className="lab faint memory-day">{headings[i]}</h3>}
          <MemoryRow entry={entry} current={entry.id === current} place={place} query={query} />
        </>
      )}
    />
  );
}

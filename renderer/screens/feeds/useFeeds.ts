/** Feeds as this screen needs them. Only this file and its neighbours `use…` touch the bridge. */
import { useEffect, useState } from "react";
import type { EntryFilter, Feed, FeedEntryRow } from "../../../core/contract/index.ts";
import { call } from "../../hooks/bridge.ts";
import { useCall } from "../../hooks/useCall.ts";
import { useEvent } from "../../hooks/useEvent.ts";

export function useFeedList() {
  const list = useCall("feeds.list", {});
  useEvent("feeds.changed", list.reload);
  useEvent("privacy.changed", list.reload);
  return list;
}

const PAGE = 100;

export interface EntryPages {
  readonly entries: readonly FeedEntryRow[];
  readonly total: number;
  readonly loading: boolean;
  readonly problem: ReturnType<typeof useCall<"feeds.entries">>["problem"];
  more(): void;
  reload(): void;
  change(id: string, change: Partial<FeedEntryRow>): void;
}

/** Entries of a filter, page after page; what is shown stays while a reload runs. */
export function useEntries(filter: EntryFilter): EntryPages {
  const first = useCall("feeds.entries", { filter, limit: PAGE });
  const [older, setOlder] = useState<readonly FeedEntryRow[]>([]);
  const [changes, setChanges] = useState<ReadonlyMap<string, Partial<FeedEntryRow>>>(new Map());
  const key = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list
  useEffect(() => {
    setOlder([]);
    setChanges(new Map());
  }, [key]);
  useEvent("feeds.changed", first.reload);
  useEvent("jobs.changed", ({ job }) => {
    if (job && job.endedAt !== null) first.reload();
  });
  const newest = first.data?.entries ?? [];
  const known = new Set(newest.map((entry) => entry.id));
  const entries = [...newest, ...older.filter((entry) => !known.has(entry.id))].map((entry) => ({
    ...entry,
    ...changes.get(entry.id),
  }));
  return {
    entries,
    total: first.data?.total ?? 0,
    loading: first.loading,
    problem: first.problem,
    reload: first.reload,
    more() {
      const last = entries.at(-1);
      if (!last || entries.length >= (first.data?.total ?? 0)) return;
      void call("feeds.entries", { filter, before: { at: last.at, id: last.id }, limit: PAGE }).then(
        (page) =>
          setOlder((before) => [
            ...before,
            ...page.entries.filter((entry) => !before.some((other) => other.id === entry.id)),
          ]),
        () => {},
      );
    },
    change: (id, change) => setChanges((before) => new Map(before).set(id, { ...before.get(id), ...change })),
  };
}

export interface FolderGroup {
  readonly name: string;
  readonly feeds: readonly Feed[];
}

/** Feeds by folder, those without one first. */
export function byFolder(feeds: readonly Feed[]): FolderGroup[] {
  const groups = new Map<string, Feed[]>();
  for (const feed of feeds) groups.set(feed.folder, [...(groups.get(feed.folder) ?? []), feed]);
  return [...groups].map(([name, members]) => ({ name, feeds: members })).sort((a, b) => a.name.localeCompare(b.name));
}

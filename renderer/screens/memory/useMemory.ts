/** Memory as its screen needs it. Only this file touches the bridge, besides actions behind buttons. */
import { useEffect, useState } from "react";
import type { MemoryCounts, MemoryEntry, MemoryView, Result } from "../../../core/contract/index.ts";
import { call } from "../../hooks/bridge.ts";
import { type CallState, useCall } from "../../hooks/useCall.ts";
import { useEvent } from "../../hooks/useEvent.ts";

export interface MemoryFilter {
  readonly view: MemoryView;
  readonly topic?: string;
  readonly query?: string;
  readonly from?: number;
  readonly order: "newest" | "oldest";
}

const page = 200;

/** The filter of a place in the screen: a view, a topic, or a stretch of time. */
export function filterOf(place: string, name: string | null, now: number): MemoryFilter {
  if (place === "topic" && name !== null) return { view: "everything", topic: name, order: "newest" };
  if (place === "week") return { view: "everything", from: now - 7 * 86_400_000, order: "newest" };
  if (place === "year")
    return { view: "everything", from: Date.UTC(new Date(now).getUTCFullYear(), 0, 1), order: "newest" };
  const views: readonly MemoryView[] = ["said", "documents", "feeds", "pinned", "archived"];
  return { view: views.find((view) => view === place) ?? "everything", order: "newest" };
}

export function useMemoryCounts(): CallState<MemoryCounts> {
  const counts = useCall("memory.counts", {});
  useEvent("memory.changed", () => counts.reload());
  return counts;
}

export interface MemoryPages {
  readonly entries: readonly MemoryEntry[];
  readonly total: number;
  readonly loading: boolean;
  readonly problem: CallState<Result<"memory.list">>["problem"];
  more(): void;
  reload(): void;
  /** Takes an entry out of the list before the core says so. */
  drop(id: string): void;
}

/** Entries of a filter, page after page; read again when memory changes, so that nothing shown is stale. */
export function useMemoryEntries(filter: MemoryFilter): MemoryPages {
  const [query, setQuery] = useState(filter.query ?? "");
  useEffect(() => {
    const timer = setTimeout(() => setQuery(filter.query ?? ""), 200);
    return () => clearTimeout(timer);
  }, [filter.query]);
  const params = { ...filter, ...(query === "" ? {} : { query }) };
  if (query === "") delete params.query;
  const first = useCall("memory.list", { ...params, offset: 0, limit: page });
  const [later, setLater] = useState<readonly MemoryEntry[]>([]);
  const key = JSON.stringify(params);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list
  useEffect(() => setLater([]), [key]);
  useEvent("memory.changed", () => {
    first.reload();
    setLater([]);
  });
  const entries = [...(first.data?.entries ?? []), ...later];
  const total = first.data?.total ?? 0;
  return {
    entries,
    total,
    loading: first.loading && !first.data,
    problem: first.problem,
    reload: first.reload,
    more() {
      if (entries.length >= total) return;
      void call("memory.list", { ...params, offset: entries.length, limit: page }).then(
        (next) => setLater((before) => [...before, ...next.entries]),
        () => undefined,
      );
    },
    drop(id) {
      setLater((before) => before.filter((entry) => entry.id !== id));
      first.set((before) =>
        before
          ? { entries: before.entries.filter((entry) => entry.id !== id), total: Math.max(0, before.total - 1) }
          : before,
      );
    },
  };
}

export function useMemoryDetail(id: string | null): CallState<Result<"memory.get">> {
  const detail = useCall("memory.get", id === null ? null : { id });
  useEvent("memory.changed", () => {
    if (id !== null) detail.reload();
  });
  return detail;
}

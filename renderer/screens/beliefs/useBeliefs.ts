import type { BeliefView } from "../../../core/contract/index.ts";
import { useCall } from "../../hooks/useCall.ts";
import { useEvent } from "../../hooks/useEvent.ts";

export type Sort = "change" | "valence" | "confidence" | "evidence" | "statement";

export interface Filter {
  readonly view: BeliefView;
  readonly topic: string | null;
  readonly query: string;
  readonly sort: Sort;
}

/** All beliefs that fit, with the counts of the column; asked again whenever one changes. */
export function useBeliefList(filter: Filter) {
  const list = useCall("beliefs.list", {
    view: filter.view,
    sort: filter.sort,
    limit: 5000,
    ...(filter.topic ? { topic: filter.topic } : {}),
    ...(filter.query.trim() ? { query: filter.query.trim() } : {}),
  });
  useEvent("beliefs.changed", list.reload);
  return list;
}

export function useBelief(id: string | null) {
  const belief = useCall("beliefs.get", id === null ? null : { id });
  useEvent("beliefs.changed", (event) => {
    if (id !== null && (event.ids.length === 0 || event.ids.includes(id))) belief.reload();
  });
  return belief;
}

export function useDigest(since: number) {
  const digest = useCall("beliefs.digest", { since });
  useEvent("beliefs.changed", digest.reload);
  return digest;
}

export function useSnapshots() {
  const snapshots = useCall("beliefs.snapshots", {});
  useEvent("beliefs.changed", snapshots.reload);
  return snapshots;
}

export function useLog(limit: number) {
  const log = useCall("beliefs.log", { limit });
  useEvent("beliefs.changed", log.reload);
  return log;
}

/** What taking a step back would do; asked only while it is shown. */
export function useUndoPreview(revisionId: string | null) {
  return useCall("beliefs.previewUndo", revisionId === null ? null : { revisionId });
}

/** The library as its screen needs it. Only this file and its neighbours `use…` touch the bridge. */
import { useEffect, useRef, useState } from "react";
import type { LibraryDocument, Result } from "../../../core/contract/index.ts";
import { call } from "../../hooks/bridge.ts";
import { type CallState, useCall } from "../../hooks/useCall.ts";
import { useEvent } from "../../hooks/useEvent.ts";

export type LibraryFilter = Omit<Parameters<typeof listParams>[0], "offset" | "limit">;
const listParams = (params: {
  view?: "all" | "recent" | "need-you";
  collectionId?: string;
  watchedId?: string;
  name?: string;
  offset: number;
  limit: number;
}) => params;

export function useOverview(): CallState<Result<"library.overview">> {
  const overview = useCall("library.overview", {});
  const { set, reload } = overview;
  useEvent("library.changed", ({ ids, queue }) => {
    set((before) => (before ? { ...before, queue } : before));
    if (ids === null || queue.reading === 0) reload();
  });
  return overview;
}

const PAGE = 200;

export interface DocumentPages {
  readonly documents: readonly LibraryDocument[];
  readonly total: number;
  readonly loading: boolean;
  readonly problem: CallState<Result<"library.list">>["problem"];
  more(): void;
  reload(): void;
}

/** Documents of a filter, page after page. What changed is read again in place, so that the list does not jump. */
export function useDocuments(filter: LibraryFilter): DocumentPages {
  const first = useCall("library.list", listParams({ ...filter, offset: 0, limit: PAGE }));
  const [later, setLater] = useState<readonly LibraryDocument[]>([]);
  const [fresh, setFresh] = useState<ReadonlyMap<string, LibraryDocument>>(new Map());
  const key = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list
  useEffect(() => {
    setLater([]);
    setFresh(new Map());
  }, [key]);
  const documents = [...(first.data?.documents ?? []), ...later].map((document) => fresh.get(document.id) ?? document);
  const shown = useRef<ReadonlySet<string>>(new Set());
  shown.current = new Set(documents.map((document) => document.id));
  useEvent("library.changed", ({ ids }) => {
    if (ids === null || ids.some((id) => !shown.current.has(id))) {
      first.reload();
      setFresh(new Map());
      setLater([]);
      return;
    }
    void Promise.all(ids.slice(0, 60).map((id) => call("library.get", { id }).catch(() => null))).then((changed) =>
      setFresh(
        (before) => new Map([...before, ...changed.filter((one) => one !== null).map((one) => [one.id, one] as const)]),
      ),
    );
  });
  const total = first.data?.total ?? 0;
  return {
    documents,
    total,
    loading: first.loading && !first.data,
    problem: first.problem,
    reload: first.reload,
    more() {
      if (documents.length >= total) return;
      void call("library.list", listParams({ ...filter, offset: documents.length, limit: PAGE })).then(
        (page) => setLater((before) => [...before, ...page.documents]),
        () => undefined,
      );
    },
  };
}

/** Hits for a query that rested a moment; the last ones stay while new ones are found. */
export function useLibrarySearch(query: string, collectionId: string | null, format: string | null) {
  const [rested, setRested] = useState(query.trim());
  useEffect(() => {
    const timer = setTimeout(() => setRested(query.trim()), 200);
    return () => clearTimeout(timer);
  }, [query]);
  return useCall(
    "library.search",
    rested === ""
      ? null
      : {
          query: rested,
          limit: 60,
          ...(collectionId ? { collectionIds: [collectionId] } : {}),
          ...(format ? { formats: [format] } : {}),
        },
  );
}

export const usePassage = (id: string | null) => useCall("library.passage", id === null ? null : { id });
export const useDocument = (id: string | null) => {
  const document = useCall("library.get", id === null ? null : { id });
  useEvent("library.changed", ({ ids }) => {
    if (id !== null && (ids === null || ids.includes(id))) document.reload();
  });
  return document;
};
export const usePageImage = (id: string, page: number, width: number, highlight: string | null) =>
  useCall("library.page", { id, page, width, ...(highlight === null ? {} : { highlight }) });
export const useTextPart = (id: string, start: number, length: number) =>
  useCall("library.text", { id, start, length });
export const useRemovePreview = (ids: readonly string[] | null) =>
  useCall("library.removePreview", ids === null ? null : { ids: [...ids] });

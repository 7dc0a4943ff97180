import type { IndexItem, ItemKind, SearchFilter } from "../types.ts";

export interface PassageRow {
  readonly seq: number;
  readonly id: string;
  readonly kind: ItemKind;
  readonly source_id: string;
  readonly collection_id: string | null;
  readonly text: string;
  readonly title: string;
  readonly place: string;
  readonly speaker: string;
  readonly context: string;
  readonly at: number;
  readonly position: number | null;
  readonly strength: number | null;
}

export const passageColumns =
  "p.seq, p.id, p.kind, p.source_id, p.collection_id, p.text, p.title, p.place, p.speaker, p.context, p.at, p.position, p.strength";

export function toItem(row: PassageRow): IndexItem {
  return {
    id: row.id,
    kind: row.kind,
    sourceId: row.source_id,
    collectionId: row.collection_id,
    text: row.text,
    title: row.title,
    place: row.place,
    at: row.at,
    strength: row.strength,
    ...(row.speaker ? { speaker: row.speaker } : {}),
    ...(row.position === null ? {} : { position: row.position }),
    ...(row.context ? { context: row.context } : {}),
  };
}

/** The filter as a condition on `passages p`, with its parameters in order; an empty filter gives an empty string. */
export function filterSql(filter: SearchFilter): { sql: string; params: unknown[] } {
  const parts: string[] = [];
  const params: unknown[] = [];
  const list = (column: string, values: readonly string[] | undefined, not = false) => {
    if (!values || (not && values.length === 0)) return;
    parts.push(`AND p.${column} ${not ? "NOT IN" : "IN"} (SELECT value FROM json_each(?))`);
    params.push(JSON.stringify(values));
  };
  list("kind", filter.kinds);
  list("source_id", filter.sourceIds);
  list("collection_id", filter.collectionIds);
  list("id", filter.excludeIds, true);
  list("source_id", filter.excludeSourceIds, true);
  if (filter.from !== undefined) {
    parts.push("AND p.at >= ?");
    params.push(filter.from);
  }
  if (filter.to !== undefined) {
    parts.push("AND p.at < ?");
    params.push(filter.to);
  }
  return { sql: parts.join(" "), params };
}

/** Whether a row passes the filter; the same rules as `filterSql`, for rows found by vector. */
export function passes(row: PassageRow, filter: SearchFilter): boolean {
  return (
    (!filter.kinds || filter.kinds.includes(row.kind)) &&
    (!filter.sourceIds || filter.sourceIds.includes(row.source_id)) &&
    (!filter.collectionIds || (row.collection_id !== null && filter.collectionIds.includes(row.collection_id))) &&
    !filter.excludeIds?.includes(row.id) &&
    !filter.excludeSourceIds?.includes(row.source_id) &&
    (filter.from === undefined || row.at >= filter.from) &&
    (filter.to === undefined || row.at < filter.to)
  );
}

import type { LibraryHit } from "../contract/index.ts";
import type { PassageIndex } from "../memory/index.ts";
import type { Library } from "./library.ts";

export interface LibrarySearch {
  readonly query: string;
  readonly collectionIds?: readonly string[] | undefined;
  readonly documentIds?: readonly string[] | undefined;
  readonly formats?: readonly string[] | undefined;
  readonly limit: number;
}

/** Passages of documents by words and meaning, best first. */
export async function searchLibrary(
  library: Library,
  index: PassageIndex,
  search: LibrarySearch,
  signal?: AbortSignal,
): Promise<LibraryHit[]> {
  const hits = await index.search(search.query, {
    limit: search.formats?.length ? Math.min(200, search.limit * 4) : search.limit,
    filter: {
      kinds: ["document"],
      ...(search.collectionIds ? { collectionIds: search.collectionIds } : {}),
      ...(search.documentIds ? { sourceIds: search.documentIds } : {}),
    },
    ...(signal ? { signal } : {}),
  });
  const found: LibraryHit[] = [];
  for (const { item, score, mark, why } of hits) {
    const row = library.store.row(item.sourceId);
    // The index may be a moment behind a removal.
    if (!row || (search.formats?.length && !search.formats.includes(row.format ?? ""))) continue;
    const passage = library.texts.passage(item.id);
    found.push({
      passageId: item.id,
      documentId: item.sourceId,
      documentName: row.name,
      collectionId: row.collection_id,
      place: item.place,
      page: passage?.page ?? null,
      text: item.text,
      mark: mark === null ? null : [mark[0], mark[1]],
      score,
      why,
    });
    if (found.length >= search.limit) break;
  }
  return found;
}

/** For the tool that reads a document: found by id, exact name, or part of the name. */
export interface ReadDocumentRequest {
  readonly document: string;
  /** A page, slide or sheet number. */
  readonly page?: number;
  /** Where to begin, in characters. */
  readonly start?: number;
  readonly length: number;
  /** Collections that may be read from; null means all. */
  readonly scope: readonly string[] | null;
}

export interface ReadDocumentResult {
  readonly documentId: string;
  readonly name: string;
  readonly title: string | null;
  readonly text: string;
  readonly start: number;
  readonly total: number;
  readonly place: string | null;
}

/** A stretch of a document's text; null when no document of that name is in scope. */
export function readFromLibrary(library: Library, request: ReadDocumentRequest): ReadDocumentResult | null {
  const row = library.store.row(request.document) ?? byName(library, request);
  if (!row || (request.scope !== null && !request.scope.includes(row.collection_id ?? ""))) return null;
  const section =
    request.page === undefined
      ? undefined
      : (library.texts.section(row.id, "page", request.page) ??
        library.texts.section(row.id, "slide", request.page) ??
        library.texts.section(row.id, "sheet", request.page));
  const start = section?.start ?? request.start ?? 0;
  const end = Math.min(section?.end ?? row.characters, start + request.length);
  return {
    documentId: row.id,
    name: row.name,
    title: row.title,
    text: library.texts.slice(row.id, start, end),
    start,
    total: row.characters,
    place: section ? `${section.kind} ${section.number}` : null,
  };
}

function byName(library: Library, request: ReadDocumentRequest) {
  const { documents } = library.store.list({ name: request.document, states: ["ready"] }, 0, 20);
  const inScope = documents.filter(
    (document) => request.scope === null || request.scope.includes(document.collectionId ?? ""),
  );
  const wanted = request.document.toLowerCase();
  const best =
    inScope.find((document) => document.name.toLowerCase() === wanted || document.title?.toLowerCase() === wanted) ??
    inScope[0];
  return best ? library.store.row(best.id) : undefined;
}

import { asCredenceError, type CredenceError } from "../contract/index.ts";
import type { IndexItem, PassageIndex } from "../memory/index.ts";
import type { ExtractPiece, ExtractResult, Parser, Passage, Section } from "../parsing/index.ts";
import type { DocumentRow } from "./rows.ts";
import type { DocumentStore } from "./store.ts";
import { indexTitle } from "./texts.ts";
import { worthOffering } from "./worth.ts";

export interface ReaderDeps {
  readonly store: DocumentStore;
  readonly parser: Parser;
  readonly index: PassageIndex;
  /** Told whenever a document's row or progress changed. */
  readonly onChanged: (id: string) => void;
}

/** What reading one document needs besides its row. */
export interface ReadOptions {
  readonly signal: AbortSignal;
  readonly password?: string;
  /** Read pages that are pictures, with the language data of this folder. */
  readonly ocr?: { readonly folder: string };
}

/** Recognition takes seconds a page; at its end the pages read so far are kept. */
const recognitionMs = 45 * 60_000;
const textRow = 128 * 1024;
const indexBatch = 24;
const yieldNow = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Reads one document into the library: text, sections, passages, index. Nothing of the former reading is lost before
 * the new one has arrived whole. Throws the parser's errors; the row's state is then the caller's to set.
 */
export async function readDocument(deps: ReaderDeps, row: DocumentRow, options: ReadOptions): Promise<void> {
  const { store, parser } = deps;
  const pasted = row.path === null ? store.pasted(row.id) : undefined;
  if (row.path !== null && row.stored === 0 && store.hasTwinSize(row.bytes, row.id)) {
    const { hash } = await parser.run("file.hash", { path: row.path }, { signal: options.signal });
    const twin = store.original(hash, row.id);
    if (twin) {
      store.markDuplicate(row.id, twin.id, hash);
      return;
    }
  }
  let gathered = emptyParts();
  const result = await parser.run(
    "document.extract",
    {
      ...(row.path === null
        ? { bytes: Buffer.from(pasted ?? "", "utf8"), name: `${row.name}.txt` }
        : { path: row.path }),
      passageKey: row.id,
      ...(options.password === undefined ? {} : { password: options.password }),
      ...(options.ocr === undefined ? {} : { ocr: options.ocr }),
      // What is on disk as it was read before needs no second reading, unless that was cut off in the middle.
      ...(row.stored === 1 && row.storing === 0 && options.ocr === undefined && row.content_hash !== null
        ? { knownHash: row.content_hash }
        : {}),
    },
    {
      signal: options.signal,
      ...(options.ocr === undefined ? {} : { timeMs: recognitionMs }),
      onProgress: (done, total, unit) => {
        store.progress.set(row.id, { done, total, unit });
        deps.onChanged(row.id);
      },
      onPiece: (piece: ExtractPiece) => gather(gathered, piece),
      onRestart: () => {
        gathered = emptyParts();
      },
    },
  );
  options.signal.throwIfAborted();
  if (result.unchanged) {
    store.setState(row.id, "ready");
    return;
  }
  const twin = store.original(result.hash, row.id);
  if (twin) {
    deps.index.removeSource("document", row.id);
    store.writer.beginStoring(row.id);
    store.markDuplicate(row.id, twin.id, result.hash);
    return;
  }
  await storeDocument(deps, row, result, gathered);
}

interface Parts {
  text: string[];
  sections: Section[];
  passages: Passage[];
}

const emptyParts = (): Parts => ({ text: [], sections: [], passages: [] });

function gather(parts: Parts, piece: ExtractPiece): void {
  if (piece.type === "text") parts.text.push(piece.text);
  else if (piece.type === "sections") parts.sections.push(...piece.sections);
  else parts.passages.push(...piece.passages);
}

async function storeDocument(deps: ReaderDeps, row: DocumentRow, result: ExtractResult, parts: Parts): Promise<void> {
  const { store, index } = deps;
  const before = new Set(store.writer.passageIds(row.id));
  // Cut off in the middle once, the index may hold passages that no row names any more.
  if (row.storing === 1) index.removeSource("document", row.id);
  store.writer.beginStoring(row.id);
  const text = parts.text.join("");
  for (let start = 0; start < text.length; start += textRow) {
    store.writer.addText(row.id, start, text.slice(start, start + textRow));
    await yieldNow();
  }
  for (let from = 0; from < parts.sections.length; from += 200) {
    store.writer.addSections(row.id, from, parts.sections.slice(from, from + 200));
    await yieldNow();
  }
  const worthy = new Set(worthOffering(parts.passages));
  const named = { name: row.name, title: result.title };
  const at = row.modified_at ?? row.added_at;
  for (let from = 0; from < parts.passages.length; from += indexBatch) {
    const batch = parts.passages.slice(from, from + indexBatch);
    store.writer.addPassages(row.id, from, batch, worthy);
    index.put(
      batch.map((passage, i) =>
        indexItem(row.id, row.collection_id, named, passage, text.slice(passage.start, passage.end), at, from + i),
      ),
    );
    for (const passage of batch) before.delete(passage.id);
    await yieldNow();
  }
  const gone = [...before];
  for (let from = 0; from < gone.length; from += 500) {
    index.remove(gone.slice(from, from + 500));
    await yieldNow();
  }
  store.writer.finish(row.id, result, countedParts(parts.sections));
}

export function indexItem(
  documentId: string,
  collectionId: string | null,
  document: { readonly name: string; readonly title: string | null },
  passage: Pick<Passage, "id" | "place" | "path">,
  text: string,
  at: number,
  position: number,
): IndexItem {
  return {
    id: passage.id,
    kind: "document",
    sourceId: documentId,
    collectionId,
    text,
    title: indexTitle(document, passage.path),
    place: passage.place,
    at,
    strength: null,
    position,
  };
}

/** Pages, slides, sheets, messages or chapters, whichever the format counts. */
function countedParts(sections: readonly Section[]): number | null {
  for (const kind of ["page", "slide", "sheet", "message", "chapter", "file", "cell", "cue"] as const) {
    const count = sections.filter((section) => section.kind === kind).length;
    if (count > 0) return count;
  }
  return null;
}

/** How a failed reading is kept. Stopping is no failure. */
export function failureOf(thrown: unknown): CredenceError | null {
  const error = asCredenceError(thrown);
  return error.kind === "general.cancelled" ? null : error;
}

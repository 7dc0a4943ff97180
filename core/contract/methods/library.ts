import { z } from "zod";
import { defineMethods } from "./define.ts";

export const DocumentState = z.enum(["waiting", "reading", "ready", "failed", "paused", "cancelled", "duplicate"]);
export type DocumentState = z.infer<typeof DocumentState>;

/** A file of the library, or a text pasted into it. */
export const LibraryDocument = z.object({
  id: z.string(),
  name: z.string(),
  /** Null for pasted texts. */
  path: z.string().nullable(),
  collectionId: z.string().nullable(),
  watchedId: z.string().nullable(),
  state: DocumentState,
  /** Why it is in this state, or what to know about it, in words; null when all is well. */
  note: z.string().nullable(),
  /** What the user can do about the note. */
  action: z.enum(["unlock", "retry", "ocr"]).nullable(),
  /** While reading. */
  progress: z.object({ done: z.number(), total: z.number(), unit: z.string() }).nullable(),
  format: z.string().nullable(),
  /** ISO 639-1. */
  language: z.string().nullable(),
  title: z.string().nullable(),
  /** Pages, slides, sheets or messages, where the format has them. */
  pages: z.number().int().nullable(),
  passages: z.number().int(),
  characters: z.number().int(),
  bytes: z.number(),
  addedAt: z.number(),
  readAt: z.number().nullable(),
  mayMoveBeliefs: z.boolean(),
  duplicateOf: z.object({ id: z.string(), name: z.string() }).nullable(),
});
export type LibraryDocument = z.infer<typeof LibraryDocument>;

export const Collection = z.object({
  id: z.string(),
  name: z.string(),
  documents: z.number().int(),
  mayMoveBeliefs: z.boolean(),
});
export type Collection = z.infer<typeof Collection>;

export const WatchedFolder = z.object({
  id: z.string(),
  path: z.string(),
  name: z.string(),
  collectionId: z.string().nullable(),
  documents: z.number().int(),
  /** In words, when the folder cannot be watched now. */
  problem: z.string().nullable(),
});
export type WatchedFolder = z.infer<typeof WatchedFolder>;

/** The queue as one line: of this round's files, how many are done. */
export const LibraryQueue = z.object({
  waiting: z.number().int(),
  reading: z.number().int(),
  paused: z.number().int(),
  /** Since the queue was last empty. */
  done: z.number().int(),
  total: z.number().int(),
  failed: z.number().int(),
  /** Milliseconds, from the pace of this round; null before it is known. */
  remainingMs: z.number().nullable(),
  allPaused: z.boolean(),
  /** Files still being found in folders. */
  scanning: z.boolean(),
});
export type LibraryQueue = z.infer<typeof LibraryQueue>;

export const LibraryOverview = z.object({
  total: z.number().int(),
  recent: z.number().int(),
  needYou: z.number().int(),
  collections: z.array(Collection),
  watched: z.array(WatchedFolder),
  queue: LibraryQueue,
});
export type LibraryOverview = z.infer<typeof LibraryOverview>;

export const LibraryHit = z.object({
  passageId: z.string(),
  documentId: z.string(),
  documentName: z.string(),
  collectionId: z.string().nullable(),
  place: z.string(),
  page: z.number().int().nullable(),
  text: z.string(),
  /** Character range in `text` that matches best. */
  mark: z.tuple([z.number().int(), z.number().int()]).nullable(),
  score: z.number(),
  /** In words: "same words and meaning". */
  why: z.string(),
});
export type LibraryHit = z.infer<typeof LibraryHit>;

export const StandingBelief = z.object({
  beliefId: z.string(),
  statement: z.string(),
  valence: z.number(),
  confidence: z.number(),
});
export type StandingBelief = z.infer<typeof StandingBelief>;

const ids = z.array(z.string()).max(100_000);

export const DocumentSection = z.object({
  kind: z.string(),
  number: z.number().int().nullable(),
  title: z.string().nullable(),
  level: z.number().int(),
  start: z.number().int(),
  end: z.number().int(),
});

export const libraryMethods = defineMethods({
  "library.overview": { params: z.object({}), result: LibraryOverview },
  "library.list": {
    params: z.object({
      view: z.enum(["all", "recent", "need-you"]).optional(),
      collectionId: z.string().optional(),
      watchedId: z.string().optional(),
      /** Part of the name. */
      name: z.string().max(200).optional(),
      states: z.array(DocumentState).optional(),
      formats: z.array(z.string()).optional(),
      sort: z.enum(["added", "name", "size"]).optional(),
      offset: z.number().int().min(0).optional(),
      limit: z.number().int().min(1).max(1000).optional(),
    }),
    result: z.object({ documents: z.array(LibraryDocument), total: z.number().int() }),
  },
  "library.get": { params: z.object({ id: z.string() }), result: LibraryDocument },
  /** Puts files and folders (with all that is in them) into the queue and answers at once when files are known by name. */
  "library.add": {
    params: z.object({
      paths: z.array(z.string().min(1)).min(1).max(100_000),
      collectionId: z.string().nullable().optional(),
    }),
    result: z.object({
      added: z.number().int(),
      /** Already in the library and not changed since. */
      unchanged: z.number().int(),
      /** Files in folders that are no documents (pictures, programs), left out. */
      skipped: z.number().int(),
      ids: z.array(z.string()),
    }),
  },
  "library.addText": {
    params: z.object({
      title: z.string().min(1).max(200),
      text: z.string().min(1),
      collectionId: z.string().nullable().optional(),
    }),
    result: LibraryDocument,
  },
  /** Without ids: the whole queue. */
  "library.pause": { params: z.object({ ids: ids.optional() }), result: LibraryQueue },
  "library.resume": { params: z.object({ ids: ids.optional() }), result: LibraryQueue },
  "library.cancel": { params: z.object({ ids: ids.optional() }), result: LibraryQueue },
  /** Reads again what failed or was cancelled. The password is used for this reading and not kept. */
  "library.retry": { params: z.object({ ids, password: z.string().max(1000).optional() }), result: LibraryQueue },
  /** Reads pages that are pictures by text recognition, with the language data in the folder `ocr` of the profile. */
  "library.recognize": { params: z.object({ ids }), result: LibraryQueue },
  /** What removing would touch: the beliefs that stand on these documents' passages. */
  "library.removePreview": {
    params: z.object({ ids }),
    result: z.object({ documents: z.number().int(), passages: z.number().int(), beliefs: z.array(StandingBelief) }),
  },
  /** Takes documents out of the library and every index; the files themselves stay. Can be undone until the app quits. */
  "library.remove": { params: z.object({ ids }), result: z.object({ removed: z.number().int() }) },
  "library.restore": { params: z.object({ ids }), result: z.object({ restored: z.number().int() }) },
  "library.setMayMoveBeliefs": { params: z.object({ ids, value: z.boolean() }), result: z.null() },
  "library.move": { params: z.object({ ids, collectionId: z.string().nullable() }), result: z.null() },
  "library.createCollection": {
    params: z.object({ name: z.string().min(1).max(100), mayMoveBeliefs: z.boolean().optional() }),
    result: Collection,
  },
  "library.changeCollection": {
    params: z.object({
      id: z.string(),
      name: z.string().min(1).max(100).optional(),
      mayMoveBeliefs: z.boolean().optional(),
    }),
    result: Collection,
  },
  /** The documents stay, in no collection. */
  "library.deleteCollection": { params: z.object({ id: z.string() }), result: z.null() },
  "library.watch": {
    params: z.object({ path: z.string().min(1), collectionId: z.string().nullable().optional() }),
    result: WatchedFolder,
  },
  /** Stops watching; what was read stays. */
  "library.unwatch": { params: z.object({ id: z.string() }), result: z.null() },
  "library.search": {
    params: z.object({
      query: z.string().min(1).max(2000),
      collectionIds: z.array(z.string()).optional(),
      documentIds: z.array(z.string()).optional(),
      formats: z.array(z.string()).optional(),
      limit: z.number().int().min(1).max(200).optional(),
    }),
    result: z.object({ hits: z.array(LibraryHit) }),
  },
  "library.passage": {
    params: z.object({ id: z.string() }),
    result: z.object({
      document: LibraryDocument,
      passage: z.object({
        id: z.string(),
        start: z.number().int(),
        end: z.number().int(),
        place: z.string(),
        page: z.number().int().nullable(),
        path: z.array(z.string()),
        text: z.string(),
      }),
      beliefs: z.array(StandingBelief),
      /** Answers that cite this passage; null where nobody counts. */
      citations: z.number().int().nullable(),
    }),
  },
  /** A stretch of the extracted text, and the sections that begin in it. */
  "library.text": {
    params: z.object({ id: z.string(), start: z.number().int().min(0), length: z.number().int().min(1).max(400_000) }),
    result: z.object({
      text: z.string(),
      start: z.number().int(),
      total: z.number().int(),
      sections: z.array(DocumentSection),
    }),
  },
  /** One page of the original PDF as a picture, with the rectangles of a passage on it. Drawn in the parser process. */
  "library.page": {
    params: z.object({
      id: z.string(),
      page: z.number().int().min(1),
      /** Pixels. */
      width: z.number().int().min(50).max(4000),
      highlight: z.string().optional(),
      password: z.string().max(1000).optional(),
    }),
    result: z.object({
      width: z.number().int(),
      height: z.number().int(),
      /** A data URL. */
      image: z.string(),
      /** Left, top, width, height as shares of the page. */
      marks: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])),
    }),
  },
});

/** The library as in the mock-ups: every state a document can be in, a queue at work, a search, a page with its mark. */
import type { LibraryDocument, LibraryHit, LibraryOverview, LibraryQueue } from "../../core/contract/index.ts";
import type { Script } from "./scripted-core.ts";

export const libraryDocument = (change: Partial<LibraryDocument> & { id: string; name: string }): LibraryDocument => ({
  path: `/home/ada/${change.name}`,
  collectionId: null,
  watchedId: null,
  state: "ready",
  note: null,
  action: null,
  progress: null,
  format: "pdf",
  language: "en",
  title: null,
  pages: null,
  passages: 0,
  characters: 0,
  bytes: 0,
  addedAt: 1,
  readAt: 1,
  mayMoveBeliefs: false,
  duplicateOf: null,
  ...change,
});

export const libraryDocuments: readonly LibraryDocument[] = [
  libraryDocument({
    id: "eel",
    name: "Silver eel passage, report.pdf",
    pages: 62,
    passages: 418,
    bytes: 4.1e6,
    characters: 98_000,
    mayMoveBeliefs: true,
  }),
  libraryDocument({
    id: "log",
    name: "Turbine log, station B.xlsx",
    format: "xlsx",
    pages: 3,
    passages: 96,
    bytes: 820e3,
    mayMoveBeliefs: true,
  }),
  libraryDocument({
    id: "minutes",
    name: "Minutes of the river forum.docx",
    format: "docx",
    pages: 9,
    passages: 41,
    bytes: 64e3,
  }),
  libraryDocument({
    id: "weir",
    name: "Weir drawings, bundle.pdf",
    state: "reading",
    progress: { done: 96, total: 238, unit: "page" },
    bytes: 238e6,
    format: null,
  }),
  libraryDocument({
    id: "mail",
    name: "Correspondence 2023.mbox",
    state: "reading",
    progress: { done: 310, total: 604, unit: "message" },
    bytes: 38e6,
    format: null,
  }),
  libraryDocument({
    id: "letter",
    name: "Adviser’s letter.pdf",
    state: "failed",
    note: "This file is locked. Give its password to read it; the password is not kept.",
    action: "unlock",
    bytes: 212e3,
    format: null,
  }),
  libraryDocument({
    id: "ladder",
    name: "Ladder survey 1988.pdf",
    note: "No text layer: the pages are pictures, perhaps a scan.",
    action: "ocr",
    pages: 31,
    bytes: 19e6,
  }),
  libraryDocument({
    id: "moor",
    name: "Moor Line, working timetable.pdf",
    state: "waiting",
    bytes: 2.2e6,
    format: null,
  }),
  libraryDocument({ id: "trial", name: "Heat-pump trial, annex C.odt", state: "paused", bytes: 1.4e6, format: null }),
  libraryDocument({
    id: "export",
    name: "export_final(2).pdf",
    state: "failed",
    note: "This file stopped the reader three times and was set aside. Retry it if you trust it.",
    action: "retry",
    bytes: 9e3,
    format: null,
  }),
  libraryDocument({
    id: "copy",
    name: "Silver eel passage (copy).pdf",
    state: "duplicate",
    note: "Same as Silver eel passage, report.pdf",
    duplicateOf: { id: "eel", name: "Silver eel passage, report.pdf" },
    bytes: 4.1e6,
    format: null,
  }),
  libraryDocument({
    id: "field",
    name: "Field trial of 412 heat pumps, report.pdf",
    pages: 188,
    passages: 1240,
    bytes: 7.7e6,
    mayMoveBeliefs: true,
  }),
  libraryDocument({
    id: "factors",
    name: "Seasonal factors by house.csv",
    format: "csv",
    pages: 1,
    passages: 412,
    bytes: 96e3,
    mayMoveBeliefs: true,
  }),
  libraryDocument({
    id: "talk",
    name: "Interview 07, transcript.vtt",
    format: "vtt",
    pages: 14,
    passages: 122,
    bytes: 71e3,
  }),
];

export const libraryQueue: LibraryQueue = {
  waiting: 1784,
  reading: 2,
  paused: 1,
  done: 214,
  total: 2000,
  failed: 3,
  remainingMs: 660_000,
  allPaused: false,
  scanning: false,
};

export const libraryOverview: LibraryOverview = {
  total: 1284,
  recent: 38,
  needYou: 3,
  collections: [
    { id: "weir", name: "Weir study", documents: 4, mayMoveBeliefs: true },
    { id: "heat", name: "Heat pumps", documents: 212, mayMoveBeliefs: false },
    { id: "moor", name: "Moor Line", documents: 96, mayMoveBeliefs: false },
  ],
  watched: [
    { id: "notes", path: "/home/ada/notes", name: "Field notes", collectionId: null, documents: 117, problem: null },
    {
      id: "cases",
      path: "/home/ada/cases",
      name: "Case files",
      collectionId: null,
      documents: 814,
      problem: "This folder cannot be watched now. Check that it exists and that you may read it.",
    },
  ],
  queue: libraryQueue,
};

const hit = (
  passageId: string,
  documentId: string,
  documentName: string,
  place: string,
  text: string,
  words: string,
): LibraryHit => {
  const at = text.indexOf(words);
  return {
    passageId,
    documentId,
    documentName,
    collectionId: null,
    place,
    page: null,
    text,
    mark: [at, at + words.length],
    score: 1,
    why: "same words and meaning",
  };
};

export const libraryHits: readonly LibraryHit[] = [
  hit(
    "p14",
    "eel",
    "Silver eel passage, report.pdf",
    "p. 14",
    "71 did so within twelve hours of a rise above 14 m³/s.",
    "rise above",
  ),
  hit(
    "p22",
    "eel",
    "Silver eel passage, report.pdf",
    "p. 22",
    "In the dry autumns passage was spread over weeks, without a marked rise in flow.",
    "rise in flow",
  ),
  hit(
    "n40",
    "log",
    "Turbine log, station B.xlsx",
    "Nights, row 40",
    "19 nights with a forecast rise; lost output 212 MWh.",
    "rise",
  ),
  hit(
    "f2",
    "note",
    "Flow forecast note.html",
    "§ Forecasts",
    "A rise is called when the two-day forecast exceeds 14 m³/s.",
    "rise",
  ),
];

const lines = [
  "3.2 Timing of passage at the weir",
  "Receivers at the forebay, the rack and the spillway recorded first and last detection of each fish.",
  "Of 118 tagged silver eels that reached the forebay, 97 crossed between sunset and sunrise;",
  "71 did so within twelve hours of a rise above 14 m³/s. Median time from the first detection",
  "at the rack to the crossing was 38 minutes on those nights and 9.4 hours on all others.",
];
const page = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="1810"><rect width="1280" height="1810" fill="#fff"/>${lines.map((line, i) => `<text x="130" y="${160 + i * 46}" font-family="serif" font-size="${i ? 25 : 32}">${line}</text>`).join("")}</svg>`,
)}`;

/** The script of the library; `size` repeats the documents for the picture with thousands. */
export function libraryScript(
  base: Script,
  change: Partial<LibraryOverview> = {},
  documents: readonly LibraryDocument[] = libraryDocuments,
): Script {
  return {
    ...base,
    answers: {
      ...base.answers,
      "library.overview": () => ({ ...libraryOverview, ...change }),
      "library.list": ({ view, offset, limit }) => {
        const shown = view === "need-you" ? documents.filter((document) => document.state === "failed") : documents;
        return { documents: shown.slice(offset ?? 0, (offset ?? 0) + (limit ?? 100)), total: shown.length };
      },
      "library.get": ({ id }) => documents.find((document) => document.id === id) ?? documents[0]!,
      "library.search": ({ query }) => ({ hits: query.includes("nothing") ? [] : [...libraryHits] }),
      "library.passage": ({ id }) => ({
        document: libraryDocuments[0]!,
        passage: {
          id,
          start: 18_402,
          end: 18_691,
          place: "p. 14",
          page: 14,
          path: ["Timing of passage at the weir"],
          text: lines.slice(2, 4).join("\n"),
        },
        beliefs: [
          {
            beliefId: "night",
            statement: "Silver eels at Brackwell pass mostly at night, on rising flow",
            valence: 0.43,
            confidence: 0.6,
          },
          {
            beliefId: "cost",
            statement: "Night stops cost under 3 % of yearly output",
            valence: 0.22,
            confidence: 0.4,
          },
        ],
        citations: 2,
      }),
      "library.page": () => ({ width: 1280, height: 1810, image: page, marks: [[0.1, 0.157, 0.48, 0.017]] }),
      "library.text": () => ({ text: lines.join("\n"), start: 18_300, total: 98_000, sections: [] }),
      "library.removePreview": ({ ids }) => ({
        documents: ids.length,
        passages: 418,
        beliefs: [
          {
            beliefId: "night",
            statement: "Silver eels at Brackwell pass mostly at night, on rising flow",
            valence: 0.43,
            confidence: 0.6,
          },
        ],
      }),
      "library.remove": ({ ids }) => ({ removed: ids.length }),
      "library.restore": ({ ids }) => ({ restored: ids.length }),
      "library.retry": () => libraryQueue,
      "library.recognize": () => libraryQueue,
      "library.pause": () => libraryQueue,
      "library.setMayMoveBeliefs": () => null,
      "library.addText": ({ title }) => libraryDocument({ id: "pasted", name: title, state: "waiting", path: null }),
      "library.add": ({ paths }) => ({ added: paths.length, unchanged: 0, skipped: 0, ids: [] }),
    },
  };
}

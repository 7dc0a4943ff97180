/** The library: files of the user's choice are read, kept as text with their places, found again, and removed without a trace. */
export { attachPort } from "./attach.ts";
export { libraryHandlers } from "./handlers.ts";
export { Library, type LibraryDeps } from "./library.ts";
export type { BeliefPort, CitationCount, EvidenceOffer, EvidencePort } from "./ports.ts";
export {
  type LibrarySearch,
  type ReadDocumentRequest,
  type ReadDocumentResult,
  readFromLibrary,
  searchLibrary,
} from "./search.ts";

/** What was said and read comes back when it matters. One hybrid index of words and vectors answers every search, and keeps answering by words alone when there is no embedder. */
export { EmbeddingBreaker } from "./breaker.ts";
export type { Utterance } from "./episodes.ts";
export { memoryHandlers } from "./handlers.ts";
export { createPassageIndex, type OwnedPassageIndex, type PassageIndexDeps } from "./index/passage-index.ts";
export { inlineReader, type SearchReader, threadReader } from "./index/reader.ts";
export { episodesPort, recallPort } from "./ports.ts";
export { createMemory, type Memory, type MemoryDeps } from "./service.ts";
export * from "./types.ts";

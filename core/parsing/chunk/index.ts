/** Cuts extracted text into passages with stable ids and places that a reader understands. */
export { type ChunkOptions, chunk } from "./chunk.ts";
export { type TokenEstimate, tokenEstimateFor } from "./tokens.ts";

/**
 * Prompts that fit: composed from stable to volatile within the budget, counted exactly, with a record of all that was
 * left out. Long conversations are carried on as an anchored summary that grows and is never written anew.
 */
export * from "./budget.ts";
export * from "./compose.ts";
export * from "./compressor.ts";
export * from "./counter.ts";
export { layOut, systemText } from "./layout.ts";
export * from "./summary.ts";
export * from "./summary-store.ts";
export * from "./types.ts";

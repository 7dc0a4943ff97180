/**
 * The contract: zod schemas of everything that crosses a process boundary. One table of methods, one union of events,
 * one table of errors. Nothing here does anything; everything may import it, and it imports nothing of ours.
 */
export * from "./bridge.ts";
export * from "./errors/index.ts";
export * from "./events/index.ts";
export * from "./events/shell.ts";
export * from "./events/turn.ts";
export * from "./ids.ts";
export * from "./methods/app.ts";
export * from "./methods/backups.ts";
export * from "./methods/beliefs.ts";
export * from "./methods/conversations.ts";
export * from "./methods/feeds.ts";
export * from "./methods/index.ts";
export * from "./methods/jobs.ts";
export * from "./methods/library.ts";
export * from "./methods/memory.ts";
export * from "./methods/models.ts";
export * from "./methods/privacy.ts";
export * from "./methods/shell.ts";
export * from "./methods/tools.ts";

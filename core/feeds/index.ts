/**
 * Feeds that are read on this machine and asked for only with consent. Entries are kept once, dated honestly, searchable
 * at once, and offered as evidence where the user lets a feed move beliefs.
 */

export { feedFetcher, pictureFetcher } from "./fetch.ts";
export * from "./handlers.ts";
export { feedParser } from "./parser.ts";
export type * from "./ports.ts";
export * from "./service.ts";

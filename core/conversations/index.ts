/**
 * Conversations and their messages, versions of answers included. What is deleted can be restored until the app quits,
 * and a damaged row never hides the rest.
 */
export * from "./handlers.ts";
export * from "./store.ts";
export * from "./types.ts";

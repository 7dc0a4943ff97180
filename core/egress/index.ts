/**
 * The one module that may open a socket. Every request serves a purpose that the user agreed to, goes to a public host
 * unless the user typed the address, and is written into the ledger before it is sent.
 */
export { createEgress, type EgressDeps } from "./egress.ts";
export { privacyHandlers } from "./handlers.ts";
export type { Egress, EgressRequest, EgressResponse, EgressStream } from "./types.ts";

import { z } from "zod";
import { defineMethods } from "./define.ts";

/** What a request may serve. Each is off until the user agrees to it. */
export const EgressPurpose = z.enum(["feeds", "web-research", "feed-images", "models", "mcp"]);
export type EgressPurpose = z.infer<typeof EgressPurpose>;

export const PurposeState = z.object({
  purpose: EgressPurpose,
  title: z.string(),
  /** What would leave the machine, in words. */
  leaves: z.string(),
  allowed: z.boolean(),
  decidedAt: z.number().nullable(),
  requests: z.number().int(),
  bytesUp: z.number(),
  bytesDown: z.number(),
  lastAt: z.number().nullable(),
});
export type PurposeState = z.infer<typeof PurposeState>;

/** One request, written down before it is sent. */
export const LedgerEntry = z.object({
  id: z.number().int(),
  at: z.number(),
  purpose: EgressPurpose,
  title: z.string(),
  /** Host, with the port when it is not the usual one. */
  host: z.string(),
  method: z.string(),
  /** What it was for, in words: "River gauge bulletin, 3 new". */
  what: z.string(),
  /** Who agreed, in words: "Standing", "You, once". */
  agreedBy: z.string(),
  outcome: z.enum(["sending", "ok", "failed", "refused"]),
  status: z.number().int().nullable(),
  bytesUp: z.number(),
  bytesDown: z.number(),
  durationMs: z.number().nullable(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

export const LedgerTotal = z.object({
  /** A host, or a day as "2026-11-27" in local time. */
  key: z.string(),
  requests: z.number().int(),
  refused: z.number().int(),
  bytesUp: z.number(),
  bytesDown: z.number(),
  lastAt: z.number(),
  purposes: z.array(EgressPurpose),
});
export type LedgerTotal = z.infer<typeof LedgerTotal>;

export const privacyMethods = defineMethods({
  "privacy.overview": {
    params: z.object({}),
    result: z.object({
      /** Computed from the ledger: "Nothing has left this machine", "4 requests today, all for your feeds". */
      headline: z.string(),
      detail: z.string(),
      requestsEver: z.number().int(),
      requestsToday: z.number().int(),
      bytesUp: z.number(),
      bytesDown: z.number(),
      /** True while the user keeps Credence off the network altogether. */
      cut: z.boolean(),
      purposes: z.array(PurposeState),
    }),
  },
  "privacy.setPurpose": { params: z.object({ purpose: EgressPurpose, allowed: z.boolean() }), result: PurposeState },
  "privacy.cut": { params: z.object({ cut: z.boolean() }), result: z.object({ cut: z.boolean() }) },
  /** A page of the ledger, newest first, of entries with ids below `before`. */
  "privacy.ledger": {
    params: z.object({
      before: z.number().int().nullable().optional(),
      limit: z.number().int().min(1).max(500).optional(),
      purpose: EgressPurpose.optional(),
      host: z.string().optional(),
    }),
    result: z.object({ entries: z.array(LedgerEntry), total: z.number().int(), hasOlder: z.boolean() }),
  },
  "privacy.totals": {
    params: z.object({ by: z.enum(["host", "day"]), limit: z.number().int().min(1).max(1000).optional() }),
    result: z.array(LedgerTotal),
  },
});

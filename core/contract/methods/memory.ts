import { z } from "zod";
import { FoundPassage } from "../events/turn.ts";
import { ConversationId } from "../ids.ts";
import { defineMethods } from "./define.ts";

export const MemoryKind = z.enum(["message", "document", "feed", "memory"]);

/** One remembered thing: a piece of what was said, a fact, a document passage or a feed entry. */
export const MemoryEntry = z.object({
  id: z.string(),
  kind: MemoryKind,
  text: z.string(),
  /** Conversation, document or feed it comes from. */
  title: z.string(),
  place: z.string(),
  /** "You", "Credence", a name; empty for what nobody said. */
  speaker: z.string(),
  at: z.number(),
  pinned: z.boolean(),
  archived: z.boolean(),
  /** Said without evidence; shown as a claim. */
  claim: z.boolean(),
  edited: z.boolean(),
  strength: z.number().nullable(),
  uses: z.number().int(),
  lastUsedAt: z.number().nullable(),
  /** Conversation, document or feed entry id. */
  sourceId: z.string(),
  messageId: z.string().nullable(),
});
export type MemoryEntry = z.infer<typeof MemoryEntry>;

export const MemoryView = z.enum(["everything", "said", "documents", "feeds", "pinned", "archived"]);
export type MemoryView = z.infer<typeof MemoryView>;

export const MemoryDetail = z.object({
  entry: MemoryEntry,
  /** The words it rests on, with where they were said. */
  sources: z.array(
    z.object({
      passageId: z.string(),
      quote: z.string(),
      title: z.string(),
      at: z.number(),
      kind: MemoryKind,
      sourceId: z.string(),
      messageId: z.string().nullable(),
    }),
  ),
  topics: z.array(z.string()),
  /** When it is archived unless it is used again; null while it is pinned or kept by its owner. */
  keptUntil: z.number().nullable(),
  /** In words why it is kept that long. */
  why: z.string(),
  /** Questions that also lead to it. */
  questions: z.array(z.string()),
  /** Conversations in which the user said not to use it. */
  dismissedIn: z.array(z.string()),
});
export type MemoryDetail = z.infer<typeof MemoryDetail>;

export const MemoryCounts = z.object({
  everything: z.number().int(),
  said: z.number().int(),
  documents: z.number().int(),
  feeds: z.number().int(),
  pinned: z.number().int(),
  archived: z.number().int(),
  thisWeek: z.number().int(),
  thisYear: z.number().int(),
  topics: z.array(z.object({ topic: z.string(), count: z.number().int() })),
  /** The last time memory was tidied, and what came of it. */
  tidied: z
    .object({ at: z.number(), merged: z.number().int(), archived: z.number().int(), forgotten: z.number().int() })
    .nullable(),
  /** Parts that wait to be embedded; search finds them by words meanwhile. */
  waiting: z.number().int(),
  /** Set while everything is embedded anew for another embedding model. */
  rebuilding: z.object({ done: z.number().int(), total: z.number().int(), paused: z.boolean() }).nullable(),
  /** False while search works by words alone. */
  meaning: z.boolean(),
});
export type MemoryCounts = z.infer<typeof MemoryCounts>;

export const RecalledPassage = FoundPassage.omit({ number: true, cited: true }).extend({
  id: z.string(),
  similarity: z.number().nullable(),
  speaker: z.string(),
  at: z.number(),
  conversationId: z.string().nullable(),
});
export type RecalledPassage = z.infer<typeof RecalledPassage>;

export const memoryMethods = defineMethods({
  "memory.counts": { params: z.object({}), result: MemoryCounts },
  /** A page of entries, newest first; with a query, best first. */
  "memory.list": {
    params: z.object({
      view: MemoryView.optional(),
      topic: z.string().optional(),
      query: z.string().max(2000).optional(),
      from: z.number().optional(),
      to: z.number().optional(),
      order: z.enum(["newest", "oldest"]).optional(),
      offset: z.number().int().min(0).optional(),
      limit: z.number().int().min(1).max(500).optional(),
    }),
    result: z.object({ entries: z.array(MemoryEntry), total: z.number().int() }),
  },
  "memory.get": { params: z.object({ id: z.string() }), result: MemoryDetail },
  "memory.edit": { params: z.object({ id: z.string(), text: z.string().min(1).max(20_000) }), result: MemoryEntry },
  /** Deleting can be undone with `memory.undelete` until the app quits. */
  "memory.delete": { params: z.object({ ids: z.array(z.string()).min(1).max(500) }), result: z.null() },
  "memory.undelete": { params: z.object({ ids: z.array(z.string()).min(1).max(500) }), result: z.null() },
  "memory.pin": { params: z.object({ id: z.string(), pinned: z.boolean() }), result: MemoryEntry },
  /** Not to be used in this conversation again; `sourceId` and `kind` as in a found passage, or a passage id. */
  "memory.dismiss": {
    params: z.object({
      conversationId: ConversationId,
      kind: z.enum(["document", "feed", "message", "memory", "web"]),
      sourceId: z.string(),
      dismissed: z.boolean().optional(),
    }),
    result: z.null(),
  },
  "memory.remember": {
    params: z.object({ text: z.string().min(1).max(1_000_000), at: z.number().optional() }),
    result: z.object({ ids: z.array(z.string()) }),
  },
  "memory.recall": {
    params: z.object({
      query: z.string().min(1).max(20_000),
      limit: z.number().int().min(1).max(200).optional(),
      kinds: z.array(MemoryKind).optional(),
      conversationId: ConversationId.optional(),
      from: z.number().optional(),
      to: z.number().optional(),
    }),
    result: z.object({
      route: z.enum(["simple", "temporal", "aggregation", "belief", "none"]),
      passages: z.array(RecalledPassage),
      meaning: z.boolean(),
    }),
  },
  "memory.export": {
    params: z.object({ format: z.enum(["markdown", "json"]), ids: z.array(z.string()).optional() }),
    result: z.object({ fileName: z.string(), text: z.string(), count: z.number().int() }),
  },
  "memory.pauseRebuild": { params: z.object({ paused: z.boolean() }), result: z.null() },
});

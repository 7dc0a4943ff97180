import { z } from "zod";
import { defineMethods } from "./define.ts";

export const Feed = z.object({
  id: z.string(),
  /** Null for a feed read from a file: it is never asked again. */
  url: z.string().nullable(),
  title: z.string(),
  homePage: z.string().nullable(),
  folder: z.string(),
  intervalMinutes: z.number().int(),
  paused: z.boolean(),
  mayMoveBeliefs: z.boolean(),
  fullText: z.boolean(),
  unread: z.number().int(),
  entries: z.number().int(),
  state: z.enum(["new", "ok", "failing", "gone"]),
  /** In words, when not ok. */
  problem: z.string().nullable(),
  checkedAt: z.number().nullable(),
  nextAt: z.number().nullable(),
  refreshing: z.boolean(),
});
export type Feed = z.infer<typeof Feed>;

export const FeedEnclosure = z.object({
  url: z.string(),
  type: z.string().nullable(),
  bytes: z.number().nullable(),
  durationSeconds: z.number().nullable(),
});

export const FeedEntryRow = z.object({
  id: z.string(),
  feedId: z.string(),
  feedTitle: z.string(),
  title: z.string(),
  link: z.string().nullable(),
  author: z.string().nullable(),
  /** When it was published, or first seen when the feed does not say or says something impossible. */
  at: z.number(),
  /** First words, plain. */
  opening: z.string(),
  read: z.boolean(),
  starred: z.boolean(),
  /** What weighing it came to, when it was weighed. */
  evidence: z.object({ state: z.string(), note: z.string() }).nullable(),
});
export type FeedEntryRow = z.infer<typeof FeedEntryRow>;

export const FeedEntry = FeedEntryRow.extend({
  publishedRaw: z.string().nullable(),
  updatedAt: z.number().nullable(),
  firstSeenAt: z.number(),
  /** Sanitised HTML; images carry their address in `data-src` only. */
  html: z.string(),
  fullText: z.boolean(),
  categories: z.array(z.string()),
  enclosures: z.array(FeedEnclosure),
});
export type FeedEntry = z.infer<typeof FeedEntry>;

export const EntryFilter = z.object({
  feedId: z.string().optional(),
  folder: z.string().optional(),
  unread: z.boolean().optional(),
  starred: z.boolean().optional(),
  /** Only entries that moved a belief. */
  moved: z.boolean().optional(),
  query: z.string().max(500).optional(),
});
export type EntryFilter = z.infer<typeof EntryFilter>;

const ids = z.array(z.string()).max(10_000);

export const feedMethods = defineMethods({
  "feeds.list": {
    params: z.object({}),
    result: z.object({
      feeds: z.array(Feed),
      unread: z.number().int(),
      starred: z.number().int(),
      moved: z.number().int(),
      allowed: z.boolean(),
      online: z.boolean(),
    }),
  },
  /** Follows a feed, or the feed that the page at the address links to; several are offered back instead. */
  "feeds.add": {
    params: z.object({ address: z.string().min(1).max(4096), folder: z.string().max(200).optional() }),
    result: z.discriminatedUnion("outcome", [
      z.object({ outcome: z.literal("added"), feed: Feed }),
      z.object({ outcome: z.literal("choose"), found: z.array(z.object({ url: z.string(), title: z.string() })) }),
    ]),
  },
  "feeds.addFile": { params: z.object({ path: z.string().min(1) }), result: Feed },
  "feeds.update": {
    params: z.object({
      id: z.string(),
      title: z.string().max(300).optional(),
      folder: z.string().max(200).optional(),
      intervalMinutes: z.number().int().min(5).max(43200).optional(),
      paused: z.boolean().optional(),
      mayMoveBeliefs: z.boolean().optional(),
      fullText: z.boolean().optional(),
    }),
    result: Feed,
  },
  /** Can be undone with `feeds.restore` until the app quits. */
  "feeds.remove": { params: z.object({ id: z.string() }), result: z.null() },
  "feeds.restore": { params: z.object({ id: z.string() }), result: Feed },
  "feeds.refresh": { params: z.object({ id: z.string().optional() }), result: z.object({ asked: z.number().int() }) },
  "feeds.entries": {
    params: z.object({
      filter: EntryFilter,
      before: z.object({ at: z.number(), id: z.string() }).nullable().optional(),
      limit: z.number().int().min(1).max(500).optional(),
    }),
    result: z.object({ entries: z.array(FeedEntryRow), total: z.number().int() }),
  },
  "feeds.entry": { params: z.object({ id: z.string() }), result: FeedEntry },
  "feeds.markRead": { params: z.object({ ids, read: z.boolean() }), result: z.null() },
  /** Marks everything in the filter that is not newer than `before` as read; returns the ids, for undo. */
  "feeds.markOlderRead": {
    params: z.object({ filter: EntryFilter, before: z.number() }),
    result: z.object({ ids: z.array(z.string()) }),
  },
  "feeds.star": { params: z.object({ id: z.string(), starred: z.boolean() }), result: z.null() },
  /** Fetches the entry's page and keeps its readable part; needs the consent for feeds. */
  "feeds.fetchFullText": { params: z.object({ id: z.string() }), result: FeedEntry },
  /** Fetches one picture of an entry, which the user asked for; needs the consent for images in feeds. */
  "feeds.image": {
    params: z.object({ entryId: z.string(), url: z.string().max(4096) }),
    result: z.object({ dataUrl: z.string() }),
  },
  "feeds.importOpml": {
    params: z.object({ path: z.string().min(1) }),
    result: z.object({ added: z.number().int(), known: z.number().int(), refused: z.array(z.string()) }),
  },
  "feeds.exportOpml": { params: z.object({}), result: z.object({ fileName: z.string(), text: z.string() }) },
});

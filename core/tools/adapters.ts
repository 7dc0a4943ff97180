/** The built-in tools' ports over the modules that own what they look up. */
import { type Library, readFromLibrary, searchLibrary } from "../documents/index.ts";
import type { Feeds } from "../feeds/index.ts";
import type { Memory, PassageIndex, SearchHit } from "../memory/index.ts";
import type { FeedLookupPort, LibraryPort, MemorySearchPort } from "./ports.ts";
import type { Passage } from "./types.ts";

/** What was said and kept; documents and feeds have tools of their own. */
export function memorySearchPort(memory: Memory): MemorySearchPort {
  return {
    async search({ query, conversationId, limit, signal }) {
      const answer = await memory.recall(query, {
        limit,
        conversationId,
        filter: { kinds: ["message", "memory"] },
        signal,
      });
      return answer.hits.map((hit) => ({
        ...passageOf(hit, hit.item.kind === "memory" ? "memory" : "message"),
        sourceId: hit.item.kind === "message" ? (memory.messageOf(hit.item.id) ?? hit.item.id) : hit.item.id,
        title: hit.item.title || (hit.item.speaker ?? ""),
        place: hit.item.place || new Date(hit.item.at).toISOString().slice(0, 10),
      }));
    },
  };
}

export function libraryPort(library: Library, index: PassageIndex): LibraryPort {
  return {
    async search({ query, scope, limit, signal }) {
      const hits = await searchLibrary(library, index, { query, limit, collectionIds: scope ?? undefined }, signal);
      return hits.map((hit) => ({
        kind: "document",
        sourceId: hit.passageId,
        title: hit.documentName,
        place: hit.place,
        text: hit.text,
        mark: hit.mark,
        score: hit.score,
        why: hit.why,
      }));
    },
    async read({ document, offset, maxChars, scope }) {
      const page = readFromLibrary(library, { document, start: offset, length: maxChars, scope });
      if (!page) return null;
      const end = page.start + page.text.length;
      return {
        documentId: page.documentId,
        title: page.title ?? page.name,
        text: page.text,
        totalChars: page.total,
        nextOffset: end < page.total ? end : null,
      };
    },
  };
}

/** Entries that have arrived, found by words and meaning; the newest ones when nothing is asked for. */
export function feedLookupPort(feeds: Feeds, index: PassageIndex): FeedLookupPort {
  return {
    async find({ query, from, unreadOnly, limit, signal }) {
      if (query.trim() === "") return newest(feeds, from, unreadOnly, limit);
      const hits = await index.search(query, {
        limit: unreadOnly ? limit * 3 : limit,
        filter: { kinds: ["feed"], ...(from === null ? {} : { from }) },
        signal,
      });
      const unread = unreadOnly
        ? new Set(feeds.store.entries({ unread: true }, null, 500).entries.map(({ id }) => id))
        : null;
      return hits
        .filter((hit) => unread === null || unread.has(hit.item.sourceId))
        .slice(0, limit)
        .map((hit) => ({ ...passageOf(hit, "feed"), place: hit.item.place || dayOf(hit.item.at) }));
    },
  };
}

function newest(feeds: Feeds, from: number | null, unreadOnly: boolean, limit: number): Passage[] {
  const { entries } = feeds.store.entries(unreadOnly ? { unread: true } : {}, null, limit);
  return entries
    .filter((entry) => from === null || entry.at >= from)
    .map((entry, i) => ({
      kind: "feed",
      sourceId: entry.id,
      title: entry.title,
      place: `${entry.feedTitle}, ${dayOf(entry.at)}`,
      text: entry.title === "" ? entry.opening : `${entry.title}. ${entry.opening}`,
      mark: null,
      score: 1 / (i + 1),
      why: "newest",
    }));
}

function passageOf(hit: SearchHit, kind: Passage["kind"]): Passage {
  return {
    kind,
    sourceId: hit.item.kind === "feed" ? hit.item.sourceId : hit.item.id,
    title: hit.item.title,
    place: hit.item.place,
    text: hit.item.text,
    mark: hit.mark ? [hit.mark[0], hit.mark[1]] : null,
    score: hit.score,
    why: hit.why,
  };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

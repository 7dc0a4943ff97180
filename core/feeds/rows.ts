import { z } from "zod";
import { type Feed, FeedEnclosure, type FeedEntry, type FeedEntryRow } from "../contract/index.ts";

export interface FeedRow {
  readonly id: string;
  readonly url: string | null;
  readonly title: string;
  readonly custom_title: string | null;
  readonly home_page: string | null;
  readonly folder: string;
  readonly interval_minutes: number;
  readonly paused: number;
  readonly may_move_beliefs: number;
  readonly full_text: number;
  readonly by_hand: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly next_at: number | null;
  readonly checked_at: number | null;
  readonly failures: number;
  readonly state: Feed["state"];
  readonly problem: string | null;
}

export interface CountedFeedRow extends FeedRow {
  readonly unread: number;
  readonly entries: number;
}

export interface EntryRow {
  readonly seq: number;
  readonly id: string;
  readonly feed_id: string;
  readonly feed_title: string;
  readonly key: string;
  readonly title: string;
  readonly link: string | null;
  readonly author: string | null;
  readonly at: number;
  readonly published_raw: string | null;
  readonly updated_at: number | null;
  readonly first_seen_at: number;
  readonly summary: string;
  readonly content: string;
  readonly text: string;
  readonly full_text: string | null;
  readonly categories: string;
  readonly enclosures: string;
  readonly read: number;
  readonly starred: number;
}

export function toFeed(row: CountedFeedRow, refreshing: boolean): Feed {
  return {
    id: row.id,
    url: row.url,
    title: row.custom_title ?? (row.title || row.url || "Untitled feed"),
    homePage: row.home_page,
    folder: row.folder,
    intervalMinutes: row.interval_minutes,
    paused: row.paused === 1,
    mayMoveBeliefs: row.may_move_beliefs === 1,
    fullText: row.full_text === 1,
    unread: row.unread,
    entries: row.entries,
    state: row.state,
    problem: row.problem,
    checkedAt: row.checked_at,
    nextAt: row.next_at,
    refreshing,
  };
}

const OPENING = 240;

export function toEntryRow(row: EntryRow, evidence: FeedEntryRow["evidence"]): FeedEntryRow {
  return {
    id: row.id,
    feedId: row.feed_id,
    feedTitle: row.feed_title,
    title: row.title || openingOf(row, 80) || "Untitled entry",
    link: row.link,
    author: row.author,
    at: row.at,
    opening: openingOf(row, OPENING),
    read: row.read === 1,
    starred: row.starred === 1,
    evidence,
  };
}

export function toEntry(row: EntryRow, evidence: FeedEntryRow["evidence"]): FeedEntry {
  return {
    ...toEntryRow(row, evidence),
    publishedRaw: row.published_raw,
    updatedAt: row.updated_at,
    firstSeenAt: row.first_seen_at,
    html: row.full_text ?? (row.content || row.summary),
    fullText: row.full_text !== null,
    categories: list(row.categories, z.string()),
    enclosures: list(row.enclosures, FeedEnclosure),
  };
}

function openingOf(row: EntryRow, length: number): string {
  const { text } = row;
  return text.length <= length ? text : `${text.slice(0, length).replace(/\s+\S*$/, "")}…`;
}

/** Reads a stored list, leaving out what is damaged. */
function list<Schema extends z.ZodType>(text: string, item: Schema): z.output<Schema>[] {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values.flatMap((value) => item.safeParse(value).data ?? []) : [];
  } catch {
    return [];
  }
}

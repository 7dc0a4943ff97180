import { z } from "zod";
import type { Clock } from "../../platform/index.ts";
import { parametersOf } from "../parameters.ts";
import type { FeedLookupPort } from "../ports.ts";
import type { Tool } from "../types.ts";
import { passageOutput, quoted } from "./passages.ts";

const Args = z.object({
  query: z.string().max(2000).default("").describe("The topic; empty for the newest entries"),
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .catch(null)
    .default(null)
    .describe("Only entries of the last days"),
  unread: z.boolean().catch(false).default(false).describe("Only unread entries"),
  limit: z.coerce.number().int().min(1).max(20).catch(8).default(8).describe("How many entries at most"),
});

const DAY = 24 * 3_600_000;

/** Looks up news in the user's feeds. Reads what has already arrived; asks no server. */
export function lookUpFeeds(feeds: FeedLookupPort, clock: Clock): Tool<z.output<typeof Args>> {
  return {
    name: "look_up_feeds",
    description: "Look up entries of the feeds that the user follows: news, articles, blog posts, and what is new.",
    schema: Args,
    parameters: parametersOf(Args),
    safety: "safe",
    timeoutMs: 20_000,
    label: ({ query }) =>
      asksForNew(query)
        ? "Looking at what is new in your feeds"
        : `Looking in your feeds for ${quoted(topicOf(query))}`,
    async execute({ query, days, unread, limit }, context) {
      const asked = query.trim() || context.userText;
      const span = days ?? daysIn(context.userText);
      const passages = await feeds.find({
        query: asksForNew(asked) ? "" : topicOf(asked),
        from: span === null ? null : clock.now() - span * DAY,
        unreadOnly: unread || /\bunread\b|\bhaven['’]?t read\b/i.test(context.userText),
        limit,
        signal: context.signal,
      });
      return passageOutput(passages, { none: "No feed has anything about this.", noun: "item" });
    },
  };
}

const FRAME =
  /\b(?:anything|something|what(?:['’]?s| is| are| has| have| did| do| does)?|whats|is there|are there|any|the|my|in|on|from|about|of|for|me|show|give|list|tell|find|new|newest|latest|recent|recently|lately|news|headlines?|articles?|posts?|stories|entries|items?|feeds?|subscriptions?|rss|sources?|blogs?|today|yesterday|this (?:week|morning|month)|last (?:week|month)|unread|summari[sz]e|summary|digest|updates?|catch|bring|up to date|up|say|said|says|write|wrote|written|published|been|i|follow|please|come|came|with|regarding)\b/gi;

/** The topic without the words that only say "news". */
function topicOf(query: string): string {
  const rest = query
    .replace(FRAME, " ")
    .replace(/[^\p{L}\p{N}\s.-]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return rest.length >= 2 ? rest : query;
}

function asksForNew(query: string): boolean {
  return query.replace(FRAME, " ").replace(/[^\p{L}\p{N}]/gu, "").length < 2;
}

function daysIn(text: string): number | null {
  if (/\b(?:today|this morning|overnight)\b/i.test(text)) return 1;
  if (/\byesterday\b/i.test(text)) return 2;
  if (/\b(?:this|last) week\b|\bseven days\b/i.test(text)) return 8;
  if (/\b(?:this|last) month\b/i.test(text)) return 32;
  return null;
}

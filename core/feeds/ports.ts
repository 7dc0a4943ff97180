import type { ErrorData } from "../contract/index.ts";
import type { DiscoveredFeed, FeedArticle, FeedSource, OpmlFeed, ParsedFeed } from "../parsing/index.ts";

/** What one request came to. Offline and "not allowed" are states, not errors. */
export type FetchOutcome =
  | {
      readonly kind: "ok";
      readonly bytes: Uint8Array;
      readonly contentType: string | null;
      /** Where the answer came from, after all redirects. */
      readonly url: string;
      /** The new address, when every redirect on the way was permanent (301, 308); null when it stays. */
      readonly movedTo: string | null;
      readonly etag: string | null;
      readonly lastModified: string | null;
    }
  | { readonly kind: "not-modified"; readonly movedTo: string | null }
  | { readonly kind: "gone" }
  /** 429 or 503: come back later; null when the server does not say when. */
  | { readonly kind: "busy"; readonly retryAfterMs: number | null }
  | { readonly kind: "failed"; readonly error: ErrorData }
  | { readonly kind: "offline" }
  | { readonly kind: "not-allowed"; readonly error: ErrorData };

export interface FetchRequest {
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The user typed this address: it may be on the user's own network. */
  readonly byHand: boolean;
  readonly signal: AbortSignal;
}

/** The only way out: the egress module, for the purpose "feeds". */
export type FetchFeed = (request: FetchRequest) => Promise<FetchOutcome>;

/** What the parser process does for feeds. Each throws its own errors (`feeds.not-a-feed`, `feeds.not-opml`, …) or the process's caps. */
export interface FeedParser {
  feed(source: FeedSource, signal: AbortSignal): Promise<ParsedFeed>;
  /** Feeds that a web page links to. */
  discover(page: FeedSource, signal: AbortSignal): Promise<readonly DiscoveredFeed[]>;
  /** The readable article of a page; null when none stands out. */
  article(page: FeedSource, signal: AbortSignal): Promise<FeedArticle | null>;
  opml(bytes: Uint8Array, signal: AbortSignal): Promise<readonly OpmlFeed[]>;
}

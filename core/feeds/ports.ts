import type { ErrorData } from "../contract/index.ts";
import type { FeedSource, ParsedFeed } from "./parse/index.ts";

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

/** Parsing happens in the parser process. Throws `feeds.not-a-feed`, `feeds.empty` or the parser's own errors. */
export type ParseFeed = (source: FeedSource, signal: AbortSignal) => Promise<ParsedFeed>;

/** Feeds that a web page links to, and the readable article of a page. Both in the parser process. */
export interface PageReader {
  discover(
    page: { readonly bytes: Uint8Array; readonly contentType: string | null; readonly url: string },
    signal: AbortSignal,
  ): Promise<DiscoveredFeed[]>;
  readable(
    page: { readonly bytes: Uint8Array; readonly contentType: string | null; readonly url: string },
    signal: AbortSignal,
  ): Promise<{ html: string; text: string } | null>;
}

export interface DiscoveredFeed {
  readonly url: string;
  readonly title: string;
}

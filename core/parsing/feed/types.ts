/** What the parser makes of a feed. Texts are plain unless they say HTML; HTML is sanitised. */
export interface ParsedFeed {
  readonly format: "rss" | "rdf" | "atom" | "json" | "cdf";
  readonly title: string;
  /** The site's page, absolute where it can be. */
  readonly homePage: string | null;
  readonly description: string;
  readonly language: string | null;
  readonly image: string | null;
  /** The feed's own address as it says itself. */
  readonly self: string | null;
  readonly entries: readonly ParsedEntry[];
  readonly encoding: string;
  readonly warnings: readonly string[];
}

export interface ParsedEntry {
  /** Identity within its feed: guid or id, else link, else a hash of title and content. The same entry keeps it. */
  readonly id: string;
  readonly idFrom: "guid" | "link" | "content";
  readonly title: string;
  readonly link: string | null;
  readonly published: FeedDate | null;
  readonly updated: FeedDate | null;
  readonly author: string | null;
  /** Sanitised HTML; "" when there is none. */
  readonly summary: string;
  readonly content: string;
  /** The words of the fuller of the two, without markup, on one line. */
  readonly text: string;
  readonly categories: readonly string[];
  readonly enclosures: readonly Enclosure[];
}

export interface FeedDate {
  /** Milliseconds since the epoch; null when it could not be read. */
  readonly at: number | null;
  readonly raw: string;
}

export interface Enclosure {
  readonly url: string;
  readonly type: string | null;
  readonly bytes: number | null;
  readonly durationSeconds: number | null;
}

/** A feed that a web page links to. */
export interface DiscoveredFeed {
  readonly url: string;
  readonly title: string;
}

/** One subscription as OPML carries it. Nested folders are joined with " / ". */
export interface OpmlFeed {
  readonly url: string;
  readonly title: string;
  readonly homePage: string | null;
  readonly folder: string;
}

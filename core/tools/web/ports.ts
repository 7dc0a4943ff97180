/** What web research takes from the rest of the core. */
import type { Depth } from "./depth.ts";

/** Reads a page's article. Runs in the parser process; throws for a page that cannot be read. */
export interface PageReaderPort {
  read(
    page: { readonly bytes: Uint8Array; readonly url: string; readonly contentType: string | null },
    signal: AbortSignal,
  ): Promise<{ readonly title: string | null; readonly text: string; readonly publishedAt: string | null }>;
}

/** Breaks a question into a checklist. Absent or failing: rules make one. */
export interface PlannerPort {
  checklist(request: {
    readonly question: string;
    readonly known: string;
    readonly size: number;
    readonly signal: AbortSignal;
  }): Promise<readonly string[]>;
}

/** Unit vectors for texts; null when nothing can be embedded. */
export type EmbedPort = (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[] | null>;

export interface SearchResult {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
}

export interface WebFact {
  readonly text: string;
  /** The checklist's question that it answers best. */
  readonly question: number;
  readonly url: string;
  readonly title: string;
  readonly publishedAt: string | null;
  /** 0..1 */
  readonly fit: number;
}

export interface ResearchReport {
  readonly question: string;
  readonly depth: Depth;
  readonly checklist: readonly string[];
  readonly facts: readonly WebFact[];
  readonly pagesRead: number;
  /** What could not be read, in words. */
  readonly problems: readonly string[];
}

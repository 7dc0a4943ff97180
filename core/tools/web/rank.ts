/** Which result to read next: reciprocal rank fusion (Cormack et al. 2009, k = 60) of likeness and domain productivity. */
import type { Clock } from "../../platform/index.ts";
import type { WritableDatabase } from "../../storage/index.ts";
import type { SearchResult } from "./ports.ts";

const K = 60;

/** Facts that pages of a domain gave so far, kept across research. */
export interface Productivity {
  /** Facts per page, smoothed: an unknown domain counts as an ordinary one. */
  of(domain: string): number;
  record(domain: string, facts: number): void;
}

/** An unknown domain counts as if it had given so many facts on so many pages. */
const PRIOR = { pages: 2, facts: 4 };

export function createProductivity(db: WritableDatabase, clock: Clock): Productivity {
  return {
    of(domain) {
      const row = db
        .read<{ pages: number; facts: number }>("SELECT pages, facts FROM web_productivity WHERE domain = ?")
        .get(domain);
      return ((row?.facts ?? 0) + PRIOR.facts) / ((row?.pages ?? 0) + PRIOR.pages);
    },
    record(domain, facts) {
      db.write(
        "INSERT INTO web_productivity (domain, pages, facts, updated_at) VALUES (?, 1, ?, ?) ON CONFLICT (domain) DO UPDATE SET pages = pages + 1, facts = facts + excluded.facts, updated_at = excluded.updated_at",
      ).run(domain, facts, clock.now());
    },
  };
}

/** Results in the order in which to read them: fused ranks, and no domain twice in a row while others wait. */
export function rankResults(
  results: readonly SearchResult[],
  likeness: readonly number[],
  productivity: (domain: string) => number,
): SearchResult[] {
  const byLikeness = ranks(likeness);
  const byDomain = ranks(results.map((result) => productivity(domainOf(result.url))));
  const fused = results
    .map((result, i) => ({ result, score: 1 / (K + byLikeness[i]!) + 1 / (K + byDomain[i]!), i }))
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .map(({ result }) => result);
  const ordered: SearchResult[] = [];
  const waiting = [...fused];
  while (waiting.length > 0) {
    const last = ordered.at(-1);
    const other = last ? waiting.findIndex((result) => domainOf(result.url) !== domainOf(last.url)) : 0;
    ordered.push(...waiting.splice(Math.max(0, other), 1));
  }
  return ordered;
}

/** 1 for the highest value; equal values share their rank. */
function ranks(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => b - a);
  return values.map((value) => sorted.indexOf(value) + 1);
}

export function domainOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : "";
}

import type { ReadableDatabase } from "../../storage/index.ts";
import type { ParsedQuery } from "../text/query.ts";
import { stem } from "../text/stem.ts";
import type { SearchFilter } from "../types.ts";
import { filterSql } from "./rows.ts";

export interface LexicalHit {
  readonly seq: number;
  /** FTS5's BM25 over the columns, higher is better. */
  readonly score: number;
}

/** Documents that a query may have to rank by BM25: its commonest words are left out beyond this, rarest words first. */
const rankingBudget = 12_000;

export interface TermStatistics {
  /** Passages in the index. */
  readonly passages: number;
  /** How many passages hold a stem in their own text. */
  frequency(stem: string): number;
}

const counted = new WeakMap<ReadableDatabase, { passages: number; frequencies: Map<string, number> }>();
/** Counts are read anew once the store has grown or shrunk by this share: they weigh words, and need not be exact. */
const staleAfter = 0.01;

/** Term counts from the word index itself, kept between searches. */
export function termStatistics(db: ReadableDatabase): TermStatistics {
  // Counting all rows would read the whole table; numbers are given in order, so their span is near enough.
  const passages =
    db
      .read<{ n: number | null }>("SELECT (SELECT max(seq) FROM passages) - (SELECT min(seq) FROM passages) + 1 AS n")
      .get()?.n ?? 0;
  let known = counted.get(db);
  if (!known || Math.abs(passages - known.passages) > known.passages * staleAfter || known.frequencies.size > 50_000) {
    known = { passages, frequencies: new Map() };
    counted.set(db, known);
  }
  const { frequencies } = known;
  const read = db.read<{ doc: number }>("SELECT doc FROM passage_terms WHERE term = ? AND col = 'text'");
  return {
    passages,
    frequency(stem) {
      let count = frequencies.get(stem);
      if (count === undefined) {
        count = read.get(stem)?.doc ?? 0;
        frequencies.set(stem, count);
      }
      return count;
    },
  };
}

/** Forms that count at least this much are the word itself; the rest only widen the search. */
const ownForm = 0.9;

/**
 * The FTS5 expressions of a query: its own words in all their forms and the grams of unspaced scripts, and apart from
 * these the words that are merely related, so that they never crowd out what was asked for. Null where there is none.
 */
export function matchExpressions(
  query: ParsedQuery,
  statistics: TermStatistics,
): { readonly own: string | null; readonly related: string | null } {
  const own = affordable(query, statistics, (weight) => weight >= ownForm, rankingBudget);
  const related = affordable(query, statistics, (weight) => weight < ownForm, rankingBudget / 4);
  const parts: string[] = [];
  if (own.length > 0) parts.push(inWords(own));
  if (query.grams.length > 0) parts.push(`grams : (${query.grams.map(quote).join(" OR ")})`);
  return {
    own: parts.length > 0 ? parts.join(" OR ") : null,
    related: related.length > 0 ? inWords(related) : null,
  };
}

/** Words of each group within a budget of passages to rank, groups with the rarest words first. */
function affordable(
  query: ParsedQuery,
  statistics: TermStatistics,
  fits: (weight: number) => boolean,
  budget: number,
): string[] {
  const groups = query.groups
    .map((group) => {
      const words = [...group.forms].filter(([, weight]) => fits(weight)).map(([form]) => form);
      const count = [...new Set(words.map(stem))].reduce((sum, term) => sum + statistics.frequency(term), 0);
      return { words, count };
    })
    .filter(({ count }) => count > 0)
    .sort((x, y) => x.count - y.count);
  const kept: string[] = [];
  let left = budget;
  for (const { words, count } of groups) {
    if (kept.length > 0 && count > left) continue;
    left -= count;
    kept.push(...words);
  }
  return kept;
}

function inWords(words: readonly string[]): string {
  return `{text title context} : (${words.map(quote).join(" OR ")})`;
}

function quote(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

export const lexicalSql = (filter: string): string =>
  `SELECT w.rowid AS seq, -bm25(passage_words, 1.0, 0.5, 0.4, 0.0, 1.0) AS score
   FROM passage_words w ${filter ? `CROSS JOIN passages p ON p.seq = w.rowid` : ""}
   WHERE w.passage_words MATCH ? ${filter}
   ORDER BY score DESC LIMIT ?`;

/** Passages by words, best first, within the filter. */
export function lexicalSearch(
  db: ReadableDatabase,
  expression: string,
  filter: SearchFilter,
  limit: number,
): LexicalHit[] {
  const { sql, params } = filterSql(filter);
  return db.read<LexicalHit>(lexicalSql(sql)).all(expression, ...params, limit);
}

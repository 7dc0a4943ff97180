import type { ReadableDatabase } from "../../storage/index.ts";
import type { ParsedQuery } from "../text/query.ts";
import type { SearchFilter } from "../types.ts";
import { filterSql } from "./rows.ts";

export interface LexicalHit {
  readonly seq: number;
  /** FTS5's BM25 over the columns, higher is better. */
  readonly score: number;
}

/** Documents that a query may have to rank by BM25: its commonest words are left out beyond this, rarest words first. */
const rankingBudget = 20_000;

export interface TermStatistics {
  /** Passages in the index. */
  readonly passages: number;
  /** How many passages hold a stem in their own text. */
  frequency(stem: string): number;
}

/** Term counts from the word index itself. */
export function termStatistics(db: ReadableDatabase): TermStatistics {
  const known = new Map<string, number>();
  const passages = db.read<{ n: number }>("SELECT count(*) AS n FROM passages").get()?.n ?? 0;
  const read = db.read<{ doc: number }>("SELECT doc FROM passage_terms WHERE term = ? AND col = 'text'");
  return {
    passages,
    frequency(stem) {
      let count = known.get(stem);
      if (count === undefined) {
        count = read.get(stem)?.doc ?? 0;
        known.set(stem, count);
      }
      return count;
    },
  };
}

/** The FTS5 expression of a query: any of its words or their other forms. Null when it has none. */
export function matchExpression(query: ParsedQuery, statistics: TermStatistics): string | null {
  const counted = query.groups
    .map((group) => ({
      group,
      count: [...group.stems.keys()].reduce((sum, stem) => sum + statistics.frequency(stem), 0),
    }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  const words: string[] = [];
  let budget = rankingBudget;
  for (const { group, count } of counted) {
    if (words.length > 0 && count > budget) continue;
    budget -= count;
    words.push(...group.forms.keys());
  }
  const parts: string[] = [];
  if (words.length > 0) parts.push(`{text title context speaker} : (${words.map(quote).join(" OR ")})`);
  if (query.grams.length > 0) parts.push(`grams : (${query.grams.map(quote).join(" OR ")})`);
  return parts.length > 0 ? parts.join(" OR ") : null;
}

function quote(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

export const lexicalSql = (filter: string): string =>
  `SELECT w.rowid AS seq, -bm25(passage_words, 1.0, 0.5, 0.35, 0.2, 1.0) AS score
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

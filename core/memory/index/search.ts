import type { ReadableDatabase } from "../../storage/index.ts";
import { parseQuery } from "../text/query.ts";
import { words } from "../text/words.ts";
import type { SearchFilter, SearchHit } from "../types.ts";
import { lexicalSearch, matchExpression, type TermStatistics, termStatistics } from "./lexical.ts";
import { markSentence } from "./mark.ts";
import { bm25, type Candidate, defaultWeights, inverseFrequency, type Weights, weigh } from "./rank.ts";
import { type PassageRow, passageColumns, passes, toItem } from "./rows.ts";
import { type VectorSpace, vectorSpaces } from "./spaces.ts";
import { exact, maximumK, type VectorSearch } from "./vectors.ts";

export interface SearchRequest {
  readonly query: string;
  /** The query's vector and the space it belongs to; null searches by words alone. */
  readonly vector: { readonly embedderId: string; readonly data: Float32Array } | null;
  readonly filter: SearchFilter;
  readonly limit: number;
  readonly weights?: Weights;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Whether vectors took part. */
  readonly dense: boolean;
}

interface PartRow {
  readonly seq: number;
  readonly passage: number;
  readonly role: "whole" | "window" | "sentence" | "question";
}

/** One hybrid search, all of it synchronous: runs on a reading thread, or inline where there is none. */
export function runSearch(db: ReadableDatabase, vectors: VectorSearch, request: SearchRequest): SearchAnswer {
  const limit = Math.min(Math.max(0, Math.floor(request.limit)), maximumK);
  if (limit === 0 || request.query.trim() === "") return { hits: [], dense: false };
  const query = parseQuery(request.query);
  const statistics = termStatistics(db);
  const pool = Math.min(Math.max(limit * 3, 150), maximumK);

  const expression = matchExpression(query, statistics);
  const lexical = expression ? lexicalSearch(db, expression, request.filter, pool) : [];
  // While another embedder's vectors are built, the space of whoever embedded the query answers, as far as it is.
  const usable = vectorSpaces(db).find((space) => space.embedderId === request.vector?.embedderId) ?? null;
  const meaning = usable ? byMeaning(db, vectors, usable, request, pool, lexical) : null;
  const similarity = meaning ?? new Map<number, Map<PartRow["role"], number>>();

  const seqs = new Set([...lexical.map((hit) => hit.seq), ...similarity.keys()]);
  const gramScores = new Map(query.grams.length > 0 ? lexical.map((hit) => [hit.seq, hit.score] as const) : []);
  const groupWeights = query.groups.map((group) => inverseFrequency(group, statistics));
  const read = db.read<PassageRow>(`SELECT ${passageColumns} FROM passages p WHERE p.seq = ?`);
  const rows: PassageRow[] = [];
  for (const seq of seqs) {
    const row = read.get(seq);
    if (row && passes(row, request.filter)) rows.push(row);
  }
  const lengths = averageLengths(rows);
  const capitals = new Set(query.capitals);
  const candidates = rows.map((row): Candidate => {
    const roles = similarity.get(row.seq);
    return {
      row,
      own: bm25(row.text, query.groups, groupWeights, lengths.own),
      title: bm25(row.title, query.groups, groupWeights, lengths.title),
      around: bm25(row.context, query.groups, groupWeights, lengths.around),
      whole: roles?.get("whole") ?? null,
      window: roles?.get("window") ?? null,
      sentence: roles?.get("sentence") ?? null,
      question: roles?.get("question") ?? null,
      grams: gramScores.get(row.seq) ?? 0,
      speaks: row.speaker !== "" && words(row.speaker).some((word) => capitals.has(word.form)) ? 1 : 0,
      score: 0,
    };
  });
  weigh(candidates, query, request.weights ?? defaultWeights);
  candidates.sort((a, b) => b.score - a.score || b.row.at - a.row.at || a.row.seq - b.row.seq);
  const hits = candidates.slice(0, limit).map(
    (c): SearchHit => ({
      item: toItem(c.row),
      score: c.score,
      similarity: largest(c.whole, c.sentence, c.question, c.window),
      mark: markSentence(c.row.text, query.groups, groupWeights, query.grams),
      why: explain(c, statistics),
    }),
  );
  return { hits, dense: meaning !== null };
}

type Similarities = Map<number, Map<PartRow["role"], number>>;

/**
 * Cosines by passage and role: of the parts nearest to the query, and of the best lexical candidates that these left out.
 * Null when the vectors cannot be read (a damaged table): the search goes on by words.
 */
function byMeaning(
  db: ReadableDatabase,
  vectors: VectorSearch,
  space: VectorSpace,
  request: SearchRequest,
  pool: number,
  lexical: readonly { seq: number }[],
): Similarities | null {
  const query = request.vector!.data;
  const similarity: Similarities = new Map();
  const note = (part: PartRow, value: number) => {
    let roles = similarity.get(part.passage);
    if (!roles) {
      roles = new Map();
      similarity.set(part.passage, roles);
    }
    if ((roles.get(part.role) ?? -1) < value) roles.set(part.role, value);
  };
  try {
    const partRow = db.read<PartRow>("SELECT seq, passage, role FROM passage_parts WHERE seq = ?");
    for (const { part, similarity: value } of vectors.nearest(db, space, query, pool, request.filter)) {
      const row = partRow.get(part);
      if (row) note(row, value);
    }
    const parts = db.read<PartRow>("SELECT seq, passage, role FROM passage_parts WHERE passage = ?");
    const missing = lexical.slice(0, 150).filter(({ seq }) => !similarity.has(seq));
    for (const { seq } of missing) {
      const bySeq = new Map(parts.all(seq).map((row) => [row.seq, row]));
      for (const found of exact(db, space, query, [...bySeq.keys()])) note(bySeq.get(found.part)!, found.similarity);
    }
    return similarity;
  } catch {
    return null;
  }
}

function averageLengths(rows: readonly PassageRow[]): { own: number; title: number; around: number } {
  const n = Math.max(rows.length, 1);
  // About two content words in fourteen characters of running text.
  const sum = (field: (row: PassageRow) => string) =>
    Math.max(1, rows.reduce((total, row) => total + Math.min(field(row).length, 20_000), 0) / n / 11);
  return { own: sum((row) => row.text), title: sum((row) => row.title), around: sum((row) => row.context) };
}

function largest(...values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? Math.max(...known) : null;
}

/** In words why a candidate is here. */
function explain(c: Candidate, _statistics: TermStatistics): string {
  const similar = largest(c.whole, c.sentence, c.question, c.window);
  const words = c.own > 0 || c.grams > 0;
  const meaning = similar !== null && similar >= 0.35;
  if (words && meaning) return "same words and meaning";
  if (words) return "same words";
  if (c.title > 0 && meaning) return "title and meaning";
  if (c.title > 0) return "title";
  if (c.around > 0 && meaning) return "meaning, and words close by";
  if (meaning) return "same meaning";
  return c.around > 0 ? "words close by" : "close in meaning";
}

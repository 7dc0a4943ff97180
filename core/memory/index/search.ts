import type { ReadableDatabase } from "../../storage/index.ts";
import { momentFit, moments } from "../text/dates.ts";
import { parseQuery } from "../text/query.ts";
import type { SearchFilter, SearchHit } from "../types.ts";
import { lexicalSearch, matchExpressions, termStatistics } from "./lexical.ts";
import { markSentence } from "./mark.ts";
import { type Background, type Candidate, inverseFrequency, TermCounter, weigh } from "./rank.ts";
import { type PassageRow, passageColumns, passes, toItem } from "./rows.ts";
import { type VectorSpace, vectorSpaces } from "./spaces.ts";
import { maximumK, similarityOf, type VectorSearch } from "./vectors.ts";

/** A query's vectors and the embedder they come from. */
export interface QueryVectors {
  readonly embedderId: string;
  /** Of the query as it stands: for documents, feeds and facts. */
  readonly asked: Float32Array;
  /** Of the query as the person named would tell it, for what people said; null when nobody is named. */
  readonly told: Float32Array | null;
}

export interface SearchRequest {
  readonly query: string;
  /** Null searches by words alone. */
  readonly vectors: QueryVectors | null;
  readonly filter: SearchFilter;
  readonly limit: number;
  /** When the query was asked: "last year" is read from here. */
  readonly now: number;
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
  readonly speaker: string;
}

/** Everyone who ever said something that is indexed, the user aside. */
export function knownSpeakers(db: ReadableDatabase): string[] {
  return db
    .read<{ name: string }>("SELECT name FROM passage_speakers")
    .all()
    .map((row) => row.name);
}

/** One hybrid search, all of it synchronous: runs on a reading thread, or inline where there is none. */
export function runSearch(db: ReadableDatabase, vectors: VectorSearch, request: SearchRequest): SearchAnswer {
  const limit = Math.min(Math.max(0, Math.floor(request.limit)), maximumK);
  if (limit === 0 || request.query.trim() === "") return { hits: [], dense: false };
  const query = parseQuery(request.query, knownSpeakers(db));
  const statistics = termStatistics(db);
  const pool = Math.min(Math.max(limit * 3, 40), maximumK);

  const expressions = matchExpressions(query, statistics);
  const lexical = expressions.own ? lexicalSearch(db, expressions.own, request.filter, pool) : [];
  const related = expressions.related ? lexicalSearch(db, expressions.related, request.filter, pool / 2) : [];
  // While another embedder's vectors are built, the space of whoever embedded the query answers, as far as it is.
  const space = vectorSpaces(db).find((candidate) => candidate.embedderId === request.vectors?.embedderId) ?? null;
  const meaning =
    space && request.vectors ? byMeaning(db, vectors, space, request, pool, [...lexical, ...related]) : null;

  const seqs = new Set([...lexical, ...related].map((hit) => hit.seq));
  for (const seq of meaning?.similarities.keys() ?? []) seqs.add(seq);
  const gramScores = new Map(query.grams.length > 0 ? lexical.map((hit) => [hit.seq, hit.score] as const) : []);
  const rows = db
    .read<PassageRow>(`SELECT ${passageColumns} FROM passages p WHERE p.seq IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify([...seqs]))
    .filter((row) => passes(row, request.filter));
  const groupWeights = query.groups.map((group) => inverseFrequency(group, statistics));
  const terms = new TermCounter(query.groups, groupWeights);
  const lengths = averageLengths(rows);
  const asked = moments(request.query, request.now);
  const candidates = rows.map((row): Candidate => {
    const roles = meaning?.similarities.get(row.seq);
    const talk = row.kind === "message";
    const spoken = talk && (asked.length > 0 || query.want === "time") ? moments(row.text, row.at) : [];
    return {
      row,
      own: terms.score(row.text, lengths.own),
      title: terms.score(row.title, lengths.title),
      around: terms.score(row.context, lengths.around),
      whole: roles?.get("whole") ?? null,
      window: roles?.get("window") ?? null,
      sentence: roles?.get("sentence") ?? null,
      question: roles?.get("question") ?? null,
      grams: gramScores.get(row.seq) ?? 0,
      speaks: query.people.length === 1 && row.speaker === query.people[0] ? 1 : 0,
      date: asked.length > 0 ? momentFit(asked, row.at, spoken) : 0,
      timed: spoken.length > 0,
      score: 0,
    };
  });
  weigh(candidates, query, meaning?.background ?? null);
  candidates.sort((a, b) => b.score - a.score || b.row.at - a.row.at || a.row.seq - b.row.seq);
  const hits = candidates.slice(0, limit).map(
    (c): SearchHit => ({
      item: toItem(c.row),
      score: c.score,
      similarity: largest(c.whole, c.sentence, c.question, c.window),
      mark: markSentence(c.row.text, query.groups, groupWeights, query.grams),
      why: explain(c),
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
  search: VectorSearch,
  space: VectorSpace,
  request: SearchRequest,
  pool: number,
  lexical: readonly { seq: number }[],
): { similarities: Similarities; background: Background | null } | null {
  const { asked, told } = request.vectors!;
  const similarities: Similarities = new Map();
  const add = (part: PartRow, value: number) => {
    let roles = similarities.get(part.passage);
    if (!roles) {
      roles = new Map();
      similarities.set(part.passage, roles);
    }
    if ((roles.get(part.role) ?? -1) < value) roles.set(part.role, value);
  };
  try {
    const columns = "SELECT parts.seq, parts.passage, parts.role, p.speaker FROM passage_parts parts";
    // What somebody said answers to the told form, everything else to the asked one.
    const both = told ? [asked, told] : [asked];
    for (const vector of both) {
      const near = search.nearest(db, space, vector, pool, request.filter);
      const found = db
        .read<PartRow>(
          `${columns} CROSS JOIN passages p ON p.seq = parts.passage WHERE parts.seq IN (SELECT value FROM json_each(?))`,
        )
        .all(JSON.stringify(near.map(({ part }) => part)));
      const rows = new Map(found.map((row) => [row.seq, row]));
      for (const { part, similarity } of near) {
        const row = rows.get(part);
        if (row && (vector === told) === (told !== null && row.speaker !== "")) add(row, similarity);
      }
    }
    const wanted = [...new Set([...lexical.map(({ seq }) => seq), ...similarities.keys()])];
    const parts = db
      .read<PartRow>(
        `${columns} CROSS JOIN passages p ON p.seq = parts.passage
         WHERE parts.passage IN (SELECT value FROM json_each(?)) AND parts.role <> 'sentence'`,
      )
      .all(JSON.stringify(wanted.slice(0, Math.max(pool, 100) * 2)));
    for (const part of parts) {
      if (similarities.get(part.passage)?.has(part.role)) continue;
      const vector = told && part.speaker !== "" ? told : asked;
      const similarity = similarityOf(db, space, vector, part.seq);
      if (similarity !== null) add(part, similarity);
    }
    return { similarities, background: search.background(db, space, told ?? asked) };
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
function explain(c: Candidate): string {
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

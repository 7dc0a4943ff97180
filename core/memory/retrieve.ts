import type { Clock } from "../platform/index.ts";
import type { ReadableDatabase } from "../storage/index.ts";
import { knownSpeakers } from "./index/search.ts";
import { type Route, type RoutedQuery, routeByRules } from "./router.ts";
import { fold, words } from "./text/words.ts";
import type { IndexItem, PassageIndex, SearchFilter, SearchHit } from "./types.ts";

/** How much each credibility signal lifts a passage; every weight is held to 0..0.3. */
export interface CredibilityWeights {
  readonly specificity?: number;
  readonly grounding?: number;
  readonly rigor?: number;
  readonly sourceQuality?: number;
  readonly objectivity?: number;
}

export interface RetrieveOptions {
  readonly limit: number;
  readonly filter?: SearchFilter;
  /** Leaves out what was dismissed in this conversation. */
  readonly conversationId?: string;
  readonly credibility?: CredibilityWeights;
  readonly now?: number;
  readonly signal?: AbortSignal;
}

export interface Retrieved extends SearchHit {
  /** The turns before and after, for what somebody said: context, not results of their own. */
  readonly neighbours: readonly IndexItem[];
}

export interface RetrieveAnswer {
  readonly route: Route;
  readonly hits: readonly Retrieved[];
}

/** Orders passages for a question with a model: the indexes of `texts`, best first. */
export type Rerank = (
  question: string,
  texts: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly number[] | null>;

export interface RetrieverDeps {
  readonly db: ReadableDatabase;
  readonly index: PassageIndex;
  readonly clock: Clock;
  /** A model that routes; null or a failure leaves it to the rules. */
  readonly route?: (text: string, signal?: AbortSignal) => Promise<RoutedQuery | null>;
  readonly rerank?: Rerank;
}

const rrfConstant = 60;
const maximumCredibility = 0.3;
/** The order is clear when the first result leads the last of the page by this much. */
const clearLead = 0.6;
/** Passages a listwise rerank looks at. */
const reranked = 10;
/** Neighbours on each side. */
const reach = 2;

/** Finds what belongs to a question: routes it, searches, fuses, retires what is superseded, and says why. */
export class Retriever {
  readonly #deps: RetrieverDeps;

  constructor(deps: RetrieverDeps) {
    this.#deps = deps;
  }

  async retrieve(text: string, options: RetrieveOptions): Promise<RetrieveAnswer> {
    const now = options.now ?? this.#deps.clock.now();
    const routed = await this.#route(text, now, options.signal);
    if (routed.route === "none" || options.limit <= 0) return { route: routed.route, hits: [] };
    const filter = this.#withoutRetired(options);
    const wide = {
      filter,
      limit: Math.max(options.limit, reranked),
      now,
      ...(options.signal ? { signal: options.signal } : {}),
    };
    const lists: SearchHit[][] = [];
    for (const query of routed.queries) lists.push(await this.#deps.index.search(query, wide));
    const fused = lists.length > 1 ? fuse(lists) : lists[0]!;
    const credible = this.#credible(fused, options.credibility);
    const ordered = await this.#rerank(text, credible, options.signal);
    const hits = ordered.slice(0, options.limit);
    return {
      route: routed.route,
      hits: hits.map((hit) => ({ ...hit, neighbours: this.#neighbours(hit.item) })),
    };
  }

  async #route(text: string, now: number, signal: AbortSignal | undefined): Promise<RoutedQuery> {
    const speakers = new Set(knownSpeakers(this.#deps.db).flatMap((name) => words(name).map((word) => word.form)));
    const rules = routeByRules(text, now, (name) => speakers.has(fold(name)));
    if (!this.#deps.route || rules.route === "none") return rules;
    const proposed = await this.#deps.route(text, signal).catch(() => null);
    return proposed && proposed.queries.length > 0 ? proposed : rules;
  }

  /** Superseded and dismissed passages go before ranking, so that they take nobody's place. */
  #withoutRetired(options: RetrieveOptions): SearchFilter {
    const retired = this.#deps.db
      .read<{ passage_id: string }>(
        `SELECT passage_id FROM memory_state WHERE superseded_by IS NOT NULL
         UNION SELECT passage_id FROM memory_dismissed WHERE conversation_id = ?`,
      )
      .all(options.conversationId ?? "")
      .map((row) => row.passage_id);
    const excludeIds = [...(options.filter?.excludeIds ?? []), ...retired];
    return excludeIds.length > 0 ? { ...options.filter, excludeIds } : (options.filter ?? {});
  }

  #credible(hits: readonly SearchHit[], weights: CredibilityWeights | undefined): SearchHit[] {
    const entries = Object.entries(weights ?? {}).filter(([, weight]) => weight > 0);
    if (entries.length === 0) return [...hits];
    const read = this.#deps.db.read<{ signals: string | null }>(
      "SELECT signals FROM memory_state WHERE passage_id = ?",
    );
    return hits
      .map((hit) => {
        const signals = JSON.parse(read.get(hit.item.id)?.signals ?? "{}") as Record<string, number>;
        const lift = entries.reduce(
          (sum, [name, weight]) => sum + Math.min(weight, maximumCredibility) * (signals[name] ?? 0),
          0,
        );
        return { ...hit, score: hit.score + lift };
      })
      .sort((a, b) => b.score - a.score);
  }

  async #rerank(text: string, hits: readonly SearchHit[], signal: AbortSignal | undefined): Promise<SearchHit[]> {
    const head = hits.slice(0, reranked);
    const clear = head.length < 3 || head[0]!.score - head.at(-1)!.score >= clearLead;
    if (!this.#deps.rerank || clear) return [...hits];
    const order = await this.#deps
      .rerank(
        text,
        head.map((hit) => hit.item.text),
        signal,
      )
      .catch(() => null);
    if (!order) return [...hits];
    const chosen = [...new Set(order)].filter((i) => Number.isInteger(i) && i >= 0 && i < head.length);
    const rest = head.map((_, i) => i).filter((i) => !chosen.includes(i));
    return [...[...chosen, ...rest].map((i) => head[i]!), ...hits.slice(reranked)];
  }

  #neighbours(item: IndexItem): IndexItem[] {
    if (item.kind !== "message" || item.position === undefined) return [];
    return this.#deps.db
      .read<{ id: string; text: string; speaker: string; at: number; position: number; title: string }>(
        `SELECT id, text, speaker, at, position, title FROM passages
         WHERE source_id = ? AND kind = 'message' AND position BETWEEN ? AND ? AND position <> ? ORDER BY position`,
      )
      .all(item.sourceId, item.position - reach, item.position + reach, item.position)
      .map((row) => ({ ...item, ...row, parts: [], context: "" }));
  }
}

/** Reciprocal rank fusion (Cormack et al. 2009), k = 60: for lists of different questions, whose scores do not compare. */
export function fuse(lists: readonly (readonly SearchHit[])[]): SearchHit[] {
  const scores = new Map<string, { hit: SearchHit; score: number }>();
  for (const list of lists) {
    list.forEach((hit, rank) => {
      const known = scores.get(hit.item.id);
      const gain = 1 / (rrfConstant + rank + 1);
      if (known) known.score += gain;
      else scores.set(hit.item.id, { hit, score: gain });
    });
  }
  return [...scores.values()].sort((a, b) => b.score - a.score).map(({ hit, score }) => ({ ...hit, score }));
}

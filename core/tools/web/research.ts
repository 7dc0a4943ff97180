/** Web research: plan questions, search, rank, read, keep facts with their sources. Stops as soon as the checklist is answered. */
import { asCredenceError, CredenceError, isCredenceError } from "../../contract/index.ts";
import type { Egress } from "../../egress/index.ts";
import type { Log } from "../../platform/index.ts";
import { checklistByRules, tidy } from "./checklist.ts";
import { type Depth, type DepthPreset, PRESETS } from "./depth.ts";
import { factsOf, mergeFacts } from "./facts.ts";
import type { EmbedPort, PageReaderPort, PlannerPort, ResearchReport, SearchResult, WebFact } from "./ports.ts";
import { domainOf, type Productivity, rankResults } from "./rank.ts";
import { searchWeb } from "./search.ts";
import { contentWords, cosine, wordLikeness } from "./words.ts";

export interface ResearchDeps {
  readonly egress: Egress;
  readonly reader: PageReaderPort;
  readonly embed: EmbedPort;
  readonly planner?: PlannerPort | undefined;
  readonly productivity: Productivity;
  /** The search service that the user set up; null when there is none. */
  readonly engine: () => string | null;
  readonly log: Log;
}

export interface ResearchRequest {
  readonly question: string;
  readonly depth: Depth;
  readonly known: string;
  readonly addresses: readonly string[];
  /** Addresses that the user wrote in their message: these may lie on their own network. */
  readonly ownAddresses: ReadonlySet<string>;
  readonly signal: AbortSignal;
  progress(label: string, fraction: number | null): void;
}

/** A question counts as answered with this many facts from this many pages. */
const ENOUGH = { facts: 2, pages: 2 } as const;
/** Pages asked for at the same time. */
const SIDE_BY_SIDE = 3;
const PAGE_BYTES = 4_000_000;
const PAGE_MS = 20_000;

export async function research(deps: ResearchDeps, request: ResearchRequest): Promise<ResearchReport> {
  const preset = PRESETS[request.depth];
  const problems: string[] = [];
  request.progress("Planning questions", 0);
  const checklist = await plan(deps, request, preset);
  const found = await gather(deps, request, checklist, preset, problems);
  const facts: WebFact[] = [];
  let pagesRead = 0;
  const queue = found.slice(0, preset.pages * 2);
  while (queue.length > 0 && pagesRead < preset.pages && !answered(facts, checklist)) {
    request.signal.throwIfAborted();
    const batch = queue.splice(0, Math.min(SIDE_BY_SIDE, preset.pages - pagesRead));
    request.progress(`Reading ${batch.map((result) => domainOf(result.url)).join(", ")}`, pagesRead / preset.pages);
    const pages = await Promise.all(batch.map((result) => readPage(deps, request, result, problems)));
    for (const page of pages) {
      if (!page) continue;
      pagesRead++;
      const own = await factsOf(page, checklist, Math.max(3, Math.ceil(preset.facts / 3)), deps.embed, request.signal);
      deps.productivity.record(domainOf(page.url), own.length);
      facts.push(...own);
    }
  }
  return {
    question: request.question,
    depth: request.depth,
    checklist,
    facts: mergeFacts(facts, preset.facts),
    pagesRead,
    problems,
  };
}

async function plan(deps: ResearchDeps, request: ResearchRequest, preset: DepthPreset): Promise<string[]> {
  const { question, known, signal } = request;
  if (preset.checklist > 2 && deps.planner) {
    try {
      const planned = await deps.planner.checklist({ question, known, size: preset.checklist, signal });
      const kept = tidy([question, ...planned], preset.checklist);
      if (kept.length > 1) return kept;
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      deps.log.warn("web.plan-failed", { detail: asCredenceError(thrown).kind });
    }
  }
  return checklistByRules(question, preset.checklist);
}

/** Given addresses first, then what the search service finds, ranked. */
async function gather(
  deps: ResearchDeps,
  request: ResearchRequest,
  checklist: readonly string[],
  preset: DepthPreset,
  problems: string[],
): Promise<SearchResult[]> {
  const given = request.addresses.map((url) => ({ url, title: "", snippet: "" }));
  const engine = deps.engine();
  if (engine === null) {
    if (given.length === 0) throw new CredenceError("tools.no-search-engine", {});
    return given;
  }
  if (given.length >= preset.pages) return given;
  const results = new Map<string, SearchResult>();
  for (const [i, query] of checklist.slice(0, preset.searches).entries()) {
    request.signal.throwIfAborted();
    request.progress(`Searching for “${query.slice(0, 80)}”`, 0.05 * i);
    try {
      for (const result of await searchWeb(deps.egress, engine, query, "You, for this answer", request.signal)) {
        if (!results.has(result.url)) results.set(result.url, result);
      }
    } catch (thrown) {
      request.signal.throwIfAborted();
      const error = asCredenceError(thrown);
      // Without any page to read the failure is the result.
      if (given.length === 0 && results.size === 0 && i === Math.min(checklist.length, preset.searches) - 1)
        throw error;
      problems.push(error.message);
    }
  }
  const list = [...results.values()].filter((result) => !request.addresses.includes(result.url));
  return [
    ...given,
    ...rankResults(list, await likenesses(deps, checklist, list, request.signal), (domain) =>
      deps.productivity.of(domain),
    ),
  ];
}

async function likenesses(
  deps: ResearchDeps,
  checklist: readonly string[],
  results: readonly SearchResult[],
  signal: AbortSignal,
): Promise<number[]> {
  const texts = results.map((result) => `${result.title}. ${result.snippet}`);
  const vectors = texts.length > 0 ? await deps.embed([...checklist, ...texts], signal) : null;
  const questions = checklist.map(contentWords);
  return texts.map((text, i) => {
    const words = contentWords(text);
    return Math.max(
      ...checklist.map((_, q) =>
        vectors ? cosine(vectors[q]!, vectors[checklist.length + i]!) : wordLikeness(questions[q]!, words),
      ),
    );
  });
}

async function readPage(deps: ResearchDeps, request: ResearchRequest, result: SearchResult, problems: string[]) {
  try {
    const answer = await deps.egress.request({
      purpose: "web-research",
      url: result.url,
      headers: {
        accept: "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5",
        "accept-language": "en;q=0.8,*;q=0.5",
      },
      what: "1 page",
      agreedBy: "You, for this answer",
      addedByHand: request.ownAddresses.has(result.url),
      maxBytes: PAGE_BYTES,
      timeoutMs: PAGE_MS,
      signal: request.signal,
    });
    if (answer.status !== 200)
      throw new CredenceError("egress.status", { host: domainOf(answer.url), status: answer.status });
    const type = answer.contentType?.toLowerCase() ?? "";
    if (type !== "" && !/^(?:text\/|application\/(?:xhtml|xml|json))/.test(type)) {
      problems.push(`${domainOf(answer.url)}: not a page (${type.split(";")[0]}).`);
      return null;
    }
    const page = await deps.reader.read(
      { bytes: answer.bytes, url: answer.url, contentType: answer.contentType },
      request.signal,
    );
    return {
      url: answer.url,
      title: page.title || result.title || domainOf(answer.url),
      text: page.text,
      publishedAt: page.publishedAt,
    };
  } catch (thrown) {
    request.signal.throwIfAborted();
    const error = asCredenceError(thrown);
    // Off in the middle (the user cut the network): nothing else will come through either.
    if (
      isCredenceError(error, "egress.cut") ||
      isCredenceError(error, "egress.not-allowed") ||
      isCredenceError(error, "egress.offline")
    )
      throw error;
    problems.push(`${domainOf(result.url)}: ${error.message}`);
    return null;
  }
}

/** Every question of the checklist has facts from more than one page. */
function answered(facts: readonly WebFact[], checklist: readonly string[]): boolean {
  return checklist.every((_, q) => {
    const own = facts.filter((fact) => fact.question === q);
    return own.length >= ENOUGH.facts && new Set(own.map((fact) => domainOf(fact.url))).size >= ENOUGH.pages;
  });
}

import type { IngestReport, IngestRequest } from "../agent/index.ts";
import type { Beliefs, SourceRef } from "../beliefs/index.ts";
import type { BeliefNote } from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";
import type { KnowledgePort } from "../tools/index.ts";
import type { IngestDeps } from "./queue.ts";
import type { Submission } from "./store.ts";

/** What of a long item is read: evidence stands near the top or is offered passage by passage. */
const MAX_READ_CHARS = 12_000;
const MAX_STATEMENTS = 12;
const MIN_STATEMENT_CHARS = 25;

export interface ReadingDeps {
  readonly beliefs: Pick<Beliefs, "score" | "integrate">;
  readonly read: (request: IngestRequest) => Promise<IngestReport>;
  readonly refusal: (reasoningType: string) => string;
  readonly clock: Clock;
}

/**
 * How the queue weighs and reads an item. While an item is read, the knowledge that the loop stores has the item as its
 * source: whatever the model says it learned, the evidence is the item's own words.
 */
export class Reading {
  readonly #deps: ReadingDeps;
  #item: Submission | null = null;

  constructor(deps: ReadingDeps) {
    this.#deps = deps;
  }

  readonly weigh: IngestDeps["weigh"] = async (item, signal) => {
    const score = await this.#deps.beliefs.score(textOf(item), signal);
    return {
      strength: score.strength,
      reasoningType: score.reasoningType,
      allowed: score.allowed,
      why: score.allowed ? "" : this.#deps.refusal(score.reasoningType),
      tokens: 0,
    };
  };

  readonly work: IngestDeps["work"] = async (item, _, signal) => {
    this.#item = item;
    try {
      const report = await this.#deps.read({ text: framed(item), plan: planFor(item), signal });
      signal.throwIfAborted();
      const notes = [...report.beliefs];
      // A model that read the item and kept nothing does not decide that it counts for nothing: the rules do.
      if (!report.tools.includes("integrate_knowledge")) notes.push(...(await this.#integrate(item, [], signal)).notes);
      return { beliefs: notes, summary: summaryOf(notes), tokens: report.tokens };
    } finally {
      this.#item = null;
    }
  };

  /** The knowledge port that the tools get: the item's while one is read, the conversation's own otherwise. */
  knowledge(conversations: KnowledgePort): KnowledgePort {
    return {
      integrate: (request) => {
        const item = this.#item;
        if (!item || request.conversationId !== "ingest") return conversations.integrate(request);
        return this.#integrate(item, request.statements, request.signal);
      },
    };
  }

  #integrate(item: Submission, statements: readonly string[], signal: AbortSignal) {
    return this.#deps.beliefs.integrate(
      { text: textOf(item), statements, source: sourceOf(item), at: this.#deps.clock.now(), useModel: true },
      signal,
    );
  }
}

function textOf(item: Submission): string {
  return item.text.slice(0, MAX_READ_CHARS);
}

/** The item as the loop reads it: marked as material, with where it came from. */
function framed(item: Submission): string {
  const day = new Date(item.publishedAt).toISOString().slice(0, 10);
  return `From ${item.from}, ${day}: ${item.title}\n\n${textOf(item)}`;
}

/** Steps for a model that cannot plan its own: look back, then keep what the item says. */
function planFor(item: Submission): IngestRequest["plan"] {
  const statements = sentencesOf(textOf(item));
  return [
    { name: "recall_memory", args: { query: item.title || item.text.slice(0, 200) } },
    ...(statements.length > 0 ? [{ name: "integrate_knowledge", args: { statements } }] : []),
  ];
}

function sentencesOf(text: string): string[] {
  const segments = [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)];
  return segments
    .map(({ segment }) => segment.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence.length >= MIN_STATEMENT_CHARS && sentence.length <= 2000)
    .slice(0, MAX_STATEMENTS);
}

function sourceOf(item: Submission): SourceRef {
  return {
    kind: item.kind,
    id: item.sourceId,
    sourceId: item.containerId,
    title: item.title || item.from,
    place: item.from,
  };
}

function summaryOf(notes: readonly BeliefNote[]): string {
  const moved = notes.filter((note) => note.outcome === "moved").length;
  const formed = notes.filter((note) => note.outcome === "created").length;
  const parts = [
    ...(moved > 0 ? [`${moved} ${moved === 1 ? "belief" : "beliefs"} moved`] : []),
    ...(formed > 0 ? [`${formed} ${formed === 1 ? "belief" : "beliefs"} formed`] : []),
  ];
  return parts.length > 0 ? `${parts.join(", ")}.` : (notes[0]?.why ?? "No belief bears on it.");
}

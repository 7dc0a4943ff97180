import { z } from "zod";
import { type Budget, cutAtBoundaries, type TokenCounter } from "../context/index.ts";
import type { ChatModel } from "../models/types.ts";
import { consolidationPrompt } from "./prompts.ts";
import { contentWords, splitSentences } from "./text.ts";

/** What an action becomes. No decision field: the plan's words make the next THINKING step answer. */
export const MemoryUpdate = z.object({
  long_term_memory: z.string(),
  short_term_memory: z.string(),
});
export type MemoryUpdate = z.infer<typeof MemoryUpdate>;

export interface ConsolidationRequest {
  readonly question: string;
  readonly plan: string;
  readonly findings: readonly string[];
  /** The action in one line, for the consolidator. */
  readonly action: string;
  /** Everything that the action brought, of any size. */
  readonly output: string;
  readonly model: Pick<ChatModel, "structured">;
  /** False for models that do not copy facts faithfully (their aptitude profile): an extract is taken instead. */
  readonly canCopyFacts: boolean;
  readonly budget: Budget;
  readonly counter: TokenCounter;
  readonly signal: AbortSignal;
}

export interface Consolidation {
  readonly longTerm: string;
  readonly shortTerm: string;
  readonly method: "model" | "extract";
  /** For the inspector: what was not done as usual, and why. */
  readonly note: string | null;
  readonly promptTokens: number;
  readonly generatedTokens: number;
  readonly calls: number;
}

/** Pieces of one oversize output that are read; beyond it, those closest to the question are chosen. */
const MOST_PIECES = 6;
/** A piece is kept this small even where the window is large: consolidation must stay quick. */
const PIECE_TOKENS = 3_000;
const REPLY_TOKENS = 400;
const FINDING_CHARS = 1_200;

/**
 * Distils the result of one action into long-term and short-term memory by a structured side call. What is too large is
 * cut at natural boundaries and folded in piece by piece. Never fails: without a usable reply, the sentences closest to
 * the question are taken. Only an abort throws.
 */
export async function consolidate(request: ConsolidationRequest): Promise<Consolidation> {
  const notes: string[] = [];
  if (!request.canCopyFacts) {
    return extracted(
      request,
      request.output,
      "The model cannot be relied on to take notes, so key sentences were taken.",
    );
  }
  const { pieces, skipped } = await piecesOf(request);
  if (skipped > 0) {
    notes.push(
      `${pieces.length} of ${pieces.length + skipped} parts were read, those closest to the question. The whole output is kept.`,
    );
  }

  const total = { promptTokens: 0, generatedTokens: 0, calls: 0 };
  let plan = request.plan;
  const gathered: string[] = [];
  for (const [i, piece] of pieces.entries()) {
    const prompt = consolidationPrompt({
      question: request.question,
      plan,
      findings: [...request.findings, ...gathered].join("\n"),
      action: request.action,
      output: piece,
      piece: pieces.length > 1 ? { number: i + 1, of: pieces.length } : null,
    });
    try {
      const reply = await request.model.structured(
        {
          messages: [
            { role: "system", content: prompt.system },
            { role: "user", content: prompt.user },
          ],
          schema: MemoryUpdate,
          maxTokens: Math.min(REPLY_TOKENS, request.budget.reserved),
          maxPromptTokens: request.budget.prompt,
        },
        { signal: request.signal },
      );
      total.promptTokens += reply.promptTokens;
      total.generatedTokens += reply.generatedTokens;
      total.calls += 1;
      const finding = reply.value.long_term_memory.trim();
      if (!saysSomething(finding, request.question)) throw new Error("The reply says nothing of the result.");
      plan = reply.value.short_term_memory.trim();
      if (finding !== "") gathered.push(finding.slice(0, FINDING_CHARS));
    } catch (thrown) {
      if (request.signal.aborted) throw thrown;
      const rest = pieces.slice(i).join("\n");
      const fallback = extracted(
        request,
        rest,
        "The model could not consolidate the result, so key sentences were taken.",
      );
      const longTerm = [...gathered, fallback.longTerm].filter((text) => text !== "").join("\n");
      return { ...fallback, longTerm, note: [...notes, fallback.note].join(" "), ...total };
    }
  }
  return {
    longTerm: gathered.join("\n"),
    shortTerm: plan,
    method: "model",
    note: notes.length > 0 ? notes.join(" ") : null,
    ...total,
  };
}

/** A finding whose words are fewer different ones than this share goes round in circles. */
const LEAST_VARIETY = 0.35;

/**
 * Whether a finding says anything: very small models hand the question back or go round in circles. An empty finding is
 * an honest one. Whether a model makes things up is for its aptitude check to say.
 */
export function saysSomething(finding: string, question: string): boolean {
  const said = contentWords(finding);
  if (said.length === 0) return finding === "";
  if (said.length >= 12 && new Set(said).size / said.length < LEAST_VARIETY) return false;
  const asked = new Set(contentWords(question));
  return said.some((word) => !asked.has(word));
}

/** Cuts the output to pieces that fit beside the rest of the prompt, and picks those to read when there are too many. */
async function piecesOf(request: ConsolidationRequest): Promise<{ pieces: string[]; skipped: number }> {
  const { budget, counter, output } = request;
  const fixed = consolidationPrompt({
    ...request,
    findings: request.findings.join("\n"),
    output: "",
    piece: { number: 1, of: 1 },
  });
  const [system = 0, user = 0] = await counter.texts([fixed.system, fixed.user]);
  // Findings gathered from earlier pieces ride along with later ones: leave a third for them.
  const room = Math.max(64, Math.min(PIECE_TOKENS, Math.floor((budget.prompt - system - user - 64) * 0.66)));
  if (!(await counter.exceeds(output, room))) return { pieces: [output], skipped: 0 };

  const cut = cutAtBoundaries(output, room * 3);
  const chosen = await closest(cut, request.question, MOST_PIECES);
  const fitting: string[] = [];
  for (const piece of chosen) fitting.push(...(await fitPiece(piece, room, counter)));
  return { pieces: fitting, skipped: cut.length - chosen.length };
}

async function fitPiece(piece: string, room: number, counter: TokenCounter): Promise<string[]> {
  const [tokens = 0] = await counter.texts([piece]);
  if (tokens <= room || piece.length < 2) return [piece];
  const halves = cutAtBoundaries(piece, Math.ceil(piece.length / 2));
  const parts: string[] = [];
  for (const half of halves) parts.push(...(await fitPiece(half, room, counter)));
  return parts;
}

/** The `most` pieces that share most words with the question, in their own order; ties go to the earlier piece. */
async function closest(pieces: readonly string[], question: string, most: number): Promise<string[]> {
  if (pieces.length <= most) return [...pieces];
  const wanted = new Set(contentWords(question));
  const scored: { i: number; score: number }[] = [];
  for (const [i, piece] of pieces.entries()) {
    const words = new Set(contentWords(piece));
    let score = 0;
    for (const word of wanted) if (words.has(word)) score += 1;
    scored.push({ i, score });
    // Outputs may be tens of megabytes: let the main process breathe between pieces.
    if (i % 4 === 3) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return scored
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .slice(0, most)
    .sort((a, b) => a.i - b.i)
    .map(({ i }) => pieces[i] ?? "");
}

function extracted(request: ConsolidationRequest, text: string, note: string): Consolidation {
  const longTerm = extractFindings(text, request.question, FINDING_CHARS / 2);
  return {
    longTerm,
    shortTerm:
      longTerm === ""
        ? "Nothing was found by this step."
        : "Something was found; answer from the findings if they suffice.",
    method: "extract",
    note,
    promptTokens: 0,
    generatedTokens: 0,
    calls: 0,
  };
}

/** Sentences closest to the question, in their own order, within `maxChars`. Reads at most the first 400,000 characters. */
export function extractFindings(text: string, question: string, maxChars: number): string {
  const wanted = new Set(contentWords(question));
  const sentences = splitSentences(text.slice(0, 400_000)).slice(0, 4_000);
  const scored = sentences.map((sentence, i) => {
    const words = contentWords(sentence);
    const hits = words.filter((word) => wanted.has(word)).length;
    return { i, sentence, hits, score: hits + (/\d/.test(sentence) ? 0.4 : 0) + 1 / (i + 4) };
  });
  const related = scored.some((candidate) => candidate.hits > 0);
  const taken: typeof scored = [];
  let size = 0;
  for (const candidate of scored.sort((a, b) => b.score - a.score)) {
    if (related && candidate.hits === 0) continue;
    const piece = candidate.sentence.slice(0, 400);
    if (size + piece.length > maxChars) continue;
    size += piece.length + 1;
    taken.push({ ...candidate, sentence: piece });
    if (taken.length >= 6) break;
  }
  return taken
    .sort((a, b) => a.i - b.i)
    .map(({ sentence }) => sentence)
    .join(" ");
}

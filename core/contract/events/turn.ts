import { z } from "zod";
import { ConversationId, MessageId, TurnId } from "../ids.ts";

export const Phase = z.enum([
  "CONTEXT",
  "THINKING",
  "ACTING",
  "WAITING_APPROVAL",
  "CLARIFYING",
  "COMPLETED",
  "FAILED",
  "INTERRUPTED",
]);
export type Phase = z.infer<typeof Phase>;

/** A source that was found for this turn and may be cited: `[1]` in the answer means the passage with `number` 1. */
export const FoundPassage = z.object({
  number: z.number().int().positive(),
  kind: z.enum(["document", "feed", "message", "memory", "web"]),
  /** Opens the source: a passage, entry, message or memory id, by kind. */
  sourceId: z.string(),
  title: z.string(),
  /** Where in the source: "p. 14", "Nights, rows 40–61", "§ 2". */
  place: z.string(),
  text: z.string(),
  /** Character range in `text` of the words that match best. */
  mark: z.tuple([z.number().int(), z.number().int()]).nullable(),
  score: z.number(),
  /** Why it was found, in words: "same words and meaning". */
  why: z.string(),
  cited: z.boolean(),
});
export type FoundPassage = z.infer<typeof FoundPassage>;

export const BeliefNote = z.object({
  beliefId: z.string().nullable(),
  revisionId: z.string().nullable(),
  outcome: z.enum(["moved", "created", "did-not-move"]),
  statement: z.string(),
  before: z.number().nullable(),
  after: z.number().nullable(),
  uncertainty: z.number().nullable(),
  /** In words for the user: "measured data, strength 0.62"; "Many people saying so is social pressure, not evidence." */
  why: z.string(),
});
export type BeliefNote = z.infer<typeof BeliefNote>;

/** How the prompt's tokens were spent. */
export const BudgetSplit = z.object({
  window: z.number().int(),
  effective: z.number().int(),
  reserved: z.number().int(),
  system: z.number().int(),
  snapshot: z.number().int(),
  beliefs: z.number().int(),
  tools: z.number().int(),
  history: z.number().int(),
  memories: z.number().int(),
  workingMemory: z.number().int(),
  total: z.number().int(),
  /** What had to go to stay within the budget, in words; never empty when something was left out. */
  dropped: z.array(z.object({ what: z.string(), tokens: z.number().int(), reason: z.string() })),
});
export type BudgetSplit = z.infer<typeof BudgetSplit>;

const base = { turnId: TurnId, conversationId: ConversationId, seq: z.number().int().positive(), at: z.number() };

/** Everything that happens in a turn, numbered from 1 without gaps, so that a reloaded window resumes where it was. */
export const TurnEvent = z.discriminatedUnion("type", [
  z.object({
    ...base,
    type: z.literal("turn.started"),
    userMessageId: MessageId,
    assistantMessageId: MessageId,
    modelName: z.string(),
  }),
  z.object({
    ...base,
    type: z.literal("turn.phase"),
    phase: Phase,
    iteration: z.number().int(),
    limit: z.number().int(),
    label: z.string(),
  }),
  z.object({ ...base, type: z.literal("turn.token"), channel: z.enum(["answer", "reasoning"]), text: z.string() }),
  /** What was streamed as answer so far turned out not to be one (a tool call in plain text): clear it. */
  z.object({ ...base, type: z.literal("turn.retract"), reason: z.string() }),
  z.object({
    ...base,
    type: z.literal("turn.prompt"),
    step: z.string(),
    budget: BudgetSplit,
    artifactId: z.string().nullable(),
  }),
  z.object({
    ...base,
    type: z.literal("turn.tool.started"),
    callId: z.string(),
    tool: z.string(),
    label: z.string(),
    args: z.record(z.string(), z.unknown()),
    proposer: z.enum(["native", "grammar", "harness"]),
  }),
  z.object({
    ...base,
    type: z.literal("turn.tool.progress"),
    callId: z.string(),
    label: z.string(),
    fraction: z.number().nullable(),
  }),
  z.object({
    ...base,
    type: z.literal("turn.tool.ended"),
    callId: z.string(),
    tool: z.string(),
    outcome: z.enum(["ok", "error", "denied", "repeated", "interrupted", "circuit-open", "invalid"]),
    summary: z.string(),
    durationMs: z.number(),
    outputChars: z.number().int(),
    artifactId: z.string().nullable(),
  }),
  z.object({
    ...base,
    type: z.literal("turn.consolidated"),
    longTerm: z.string(),
    shortTerm: z.string(),
    method: z.enum(["model", "extract"]),
    note: z.string().nullable(),
    durationMs: z.number(),
    tokens: z.number().int(),
  }),
  /** The newest message was larger than the whole budget and became a document of the library. */
  z.object({
    ...base,
    type: z.literal("turn.attached"),
    documentId: z.string(),
    title: z.string(),
    characters: z.number().int(),
  }),
  z.object({ ...base, type: z.literal("turn.found"), passages: z.array(FoundPassage) }),
  z.object({ ...base, type: z.literal("turn.belief"), note: BeliefNote }),
  z.object({
    ...base,
    type: z.literal("turn.approval"),
    callId: z.string(),
    tool: z.string(),
    label: z.string(),
    safety: z.enum(["sensitive", "destructive"]),
    /** What would leave the machine, in words, first of all. */
    leaves: z.string().nullable(),
    args: z.record(z.string(), z.unknown()),
  }),
  z.object({
    ...base,
    type: z.literal("turn.approval.decided"),
    callId: z.string(),
    decision: z.enum(["allow", "deny"]),
    remembered: z.string(),
  }),
  z.object({ ...base, type: z.literal("turn.question"), question: z.string(), options: z.array(z.string()) }),
  z.object({ ...base, type: z.literal("turn.question.answered"), text: z.string() }),
  z.object({ ...base, type: z.literal("turn.nudge"), reason: z.string() }),
  z.object({
    ...base,
    type: z.literal("turn.usage"),
    promptTokens: z.number().int(),
    cachedTokens: z.number().int(),
    generatedTokens: z.number().int(),
    budget: z.number().int(),
    tokensPerSecond: z.number().nullable(),
  }),
  z.object({ ...base, type: z.literal("turn.heartbeat"), label: z.string() }),
  z.object({ ...base, type: z.literal("turn.degraded"), reason: z.string(), action: z.string() }),
  z.object({
    ...base,
    type: z.literal("turn.ended"),
    outcome: z.enum(["completed", "interrupted", "failed", "degraded"]),
    messageId: MessageId,
    note: z.string().nullable(),
    durationMs: z.number(),
  }),
]);
export type TurnEvent = z.infer<typeof TurnEvent>;

/** A turn as the window shows it, made from its events alone: live, replayed after a reload, or read from the trail. */
import type { BeliefNote, BudgetSplit, FoundPassage, Phase, TurnEvent } from "../../core/contract/index.ts";

export type StepKind =
  | "context"
  | "thinking"
  | "tool"
  | "notes"
  | "belief"
  | "approval"
  | "question"
  | "nudge"
  | "attached"
  | "answer";

/** One line of the timeline and one entry of the inspector. */
export interface Step {
  readonly id: string;
  readonly kind: StepKind;
  /** 0 before the first iteration. */
  readonly iteration: number;
  readonly title: string;
  readonly detail: string;
  /** At the right end: "6 passages", "164 tokens". */
  readonly figure: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** As the core measured it, where it did. */
  readonly durationMs: number | null;
  readonly outcome: "running" | "ok" | "problem";
  readonly callId: string | null;
  readonly tool: string | null;
  readonly args: Readonly<Record<string, unknown>> | null;
  readonly proposer: "native" | "grammar" | "harness" | null;
  readonly artifactId: string | null;
  readonly outputChars: number | null;
  readonly longTerm: string | null;
  readonly shortTerm: string | null;
  readonly note: string | null;
  /** The prompt that this step was given. */
  readonly budget: BudgetSplit | null;
  readonly promptArtifactId: string | null;
  readonly safety: "asked" | "safe" | null;
}

export type ApprovalRequest = Extract<TurnEvent, { type: "turn.approval" }>;
export type Question = Pick<Extract<TurnEvent, { type: "turn.question" }>, "question" | "options">;
export type Usage = Omit<
  Extract<TurnEvent, { type: "turn.usage" }>,
  "type" | "turnId" | "conversationId" | "seq" | "at"
>;
export type Ended = Omit<Extract<TurnEvent, { type: "turn.ended" }>, "type" | "turnId" | "conversationId" | "seq">;

export interface TurnView {
  readonly turnId: string;
  readonly conversationId: string;
  readonly userMessageId: string | null;
  readonly assistantMessageId: string | null;
  readonly modelName: string | null;
  /** The last event that was applied; the next one is `seq + 1`. */
  readonly seq: number;
  /** Events that came too early, by number. Applied as soon as the gap closes. */
  readonly early: ReadonlyMap<number, TurnEvent>;
  readonly phase: Phase | null;
  readonly iteration: number;
  readonly limit: number;
  readonly label: string;
  readonly answer: string;
  readonly reasoning: string;
  readonly steps: readonly Step[];
  readonly found: readonly FoundPassage[];
  readonly beliefs: readonly BeliefNote[];
  readonly approvals: readonly ApprovalRequest[];
  readonly question: Question | null;
  readonly usage: Usage | null;
  /** The split of the newest prompt, and where its exact text is kept. */
  readonly budget: BudgetSplit | null;
  readonly promptArtifactId: string | null;
  readonly degraded: { readonly reason: string; readonly action: string } | null;
  readonly ended: Ended | null;
  readonly startedAt: number | null;
  readonly lastAt: number;
  /** Tokens of the answer so far, counted by their events until the core says. */
  readonly streamed: number;
}

export function emptyTurn(turnId: string, conversationId: string): TurnView {
  return {
    turnId,
    conversationId,
    userMessageId: null,
    assistantMessageId: null,
    modelName: null,
    seq: 0,
    early: new Map(),
    phase: null,
    iteration: 0,
    limit: 0,
    label: "",
    answer: "",
    reasoning: "",
    steps: [],
    found: [],
    beliefs: [],
    approvals: [],
    question: null,
    usage: null,
    budget: null,
    promptArtifactId: null,
    degraded: null,
    ended: null,
    startedAt: null,
    lastAt: 0,
    streamed: 0,
  };
}

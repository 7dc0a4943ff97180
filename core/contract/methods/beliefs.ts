import { z } from "zod";
import { BeliefNote } from "../events/turn.ts";
import { defineMethods } from "./define.ts";

export const ReasoningTypeName = z.enum([
  "empirical_data",
  "logical_argument",
  "expert_opinion",
  "anecdotal",
  "social_pressure",
  "emotional_appeal",
  "debunked_claim",
  "no_argument",
]);

const share = z.number().min(0).max(1);

export const EvidenceVerdict = z.object({
  reasoningType: ReasoningTypeName,
  strength: share,
  signals: z.object({
    specificity: share,
    grounding: share,
    rigor: share,
    sourceQuality: share,
    objectivity: share,
  }),
  urgency: share,
  recommendUpdate: z.boolean(),
  /** All three parts of the gate. */
  allowed: z.boolean(),
  /** "rules", "rules+embedder", or "model: NAME, with rules+embedder". */
  scorer: z.string(),
  topics: z.array(z.string()),
  freezeProbability: share,
  /** What the verdict rests on, in words. */
  reasons: z.array(z.string()),
});
export type EvidenceVerdict = z.infer<typeof EvidenceVerdict>;

export const BeliefSummary = z.object({
  id: z.string(),
  topic: z.string(),
  statement: z.string(),
  /** -1 held false .. 1 held true. */
  valence: z.number(),
  /** As it stands now, fading included. */
  confidence: z.number(),
  /** Before fading: new evidence brings it back. */
  fullConfidence: z.number(),
  uncertainty: z.number(),
  supports: z.number().int(),
  contradicts: z.number().int(),
  createdAt: z.number(),
  changedAt: z.number(),
  /** When an item last failed to move it. */
  refusedAt: z.number().nullable(),
  pinned: z.boolean(),
  disputed: z.boolean(),
  fading: z.boolean(),
  retired: z.boolean(),
  /** Where it stood before its last change, when that was within a week. */
  before: z.number().nullable(),
});
export type BeliefSummary = z.infer<typeof BeliefSummary>;

export const BeliefEvidence = z.object({
  id: z.string(),
  kind: z.enum(["message", "document", "feed", "memory", "user"]),
  refId: z.string(),
  sourceId: z.string(),
  title: z.string(),
  place: z.string(),
  quote: z.string(),
  direction: z.union([z.literal(1), z.literal(-1)]),
  strength: z.number(),
  type: ReasoningTypeName,
  scorer: z.string(),
  at: z.number(),
  revisionId: z.string(),
});
export type BeliefEvidence = z.infer<typeof BeliefEvidence>;

export const RevisionArithmetic = z.object({
  direction: z.union([z.literal(1), z.literal(-1)]),
  base: z.number(),
  strength: z.number(),
  confidence: z.number(),
  raw: z.number(),
  cap: z.number(),
  capped: z.boolean(),
  damped: z.boolean(),
  cooling: z.boolean(),
  saturated: z.boolean(),
  delta: z.number(),
  contracted: z.boolean(),
});

export const BeliefRevision = z.object({
  id: z.string(),
  seq: z.number().int(),
  beliefId: z.string(),
  statement: z.string(),
  kind: z.enum(["evidence", "refused", "renewed", "edited", "disputed", "settled", "pinned", "unpinned"]),
  at: z.number(),
  before: z.number().nullable(),
  after: z.number().nullable(),
  confidenceBefore: z.number().nullable(),
  confidenceAfter: z.number().nullable(),
  /** Title and place of the source; empty for what the user did. */
  title: z.string(),
  type: ReasoningTypeName.nullable(),
  strength: z.number().nullable(),
  why: z.string(),
  detail: z.string(),
  arithmetic: RevisionArithmetic.nullable(),
  undone: z.object({ at: z.number(), why: z.string() }).nullable(),
});
export type BeliefRevision = z.infer<typeof BeliefRevision>;

const Standing = z.object({ valence: z.number(), confidence: z.number() });

/** What a step back, or the loss of a source, would do to one belief. `after` is null when the belief would go. */
export const BeliefEffect = z.object({
  beliefId: z.string(),
  statement: z.string(),
  before: Standing,
  after: Standing.nullable(),
  /** Later steps that would come out at another size. */
  later: z.array(
    z.object({ revisionId: z.string(), at: z.number(), title: z.string(), before: z.number(), after: z.number() }),
  ),
});
export type BeliefEffect = z.infer<typeof BeliefEffect>;

export const Snapshot = z.object({
  /** Null for a rewrite that was refused. */
  version: z.number().int().nullable(),
  at: z.number(),
  text: z.string(),
  /** About how many tokens it takes in a prompt. */
  tokens: z.number().int(),
  refused: z.string().nullable(),
  author: z.enum(["rules", "model", "user"]),
  /** Against the version before, in words: "2 sentences changed". */
  change: z.string(),
});
export type Snapshot = z.infer<typeof Snapshot>;

export const BeliefView = z.enum(["all", "moved", "disputed", "pinned", "fading", "retired"]);
export type BeliefView = z.infer<typeof BeliefView>;

const filter = {
  view: BeliefView.optional(),
  topic: z.string().optional(),
  query: z.string().max(500).optional(),
};

export const beliefMethods = defineMethods({
  "beliefs.list": {
    params: z.object({
      ...filter,
      sort: z.enum(["change", "valence", "confidence", "evidence", "statement"]).optional(),
      offset: z.number().int().min(0).optional(),
      limit: z.number().int().min(1).max(5000).optional(),
    }),
    result: z.object({
      beliefs: z.array(BeliefSummary),
      total: z.number().int(),
      counts: z.record(BeliefView, z.number().int()),
      topics: z.array(z.object({ topic: z.string(), title: z.string(), count: z.number().int() })),
      revisions: z.number().int(),
      snapshotVersion: z.number().int().nullable(),
    }),
  },
  "beliefs.get": {
    params: z.object({ id: z.string() }),
    result: z.object({
      belief: BeliefSummary,
      evidence: z.array(BeliefEvidence),
      /** Newest first. */
      revisions: z.array(BeliefRevision),
      dispute: z.object({ reason: z.string(), at: z.number() }).nullable(),
      /** What would settle it, in words; always worked out, shown while it is disputed. */
      settledBy: z.array(z.string()),
    }),
  },
  /** Scores a text alone as evidence; changes nothing. */
  "beliefs.weigh": { params: z.object({ text: z.string().min(1).max(200_000) }), result: EvidenceVerdict },
  /** Evidence that the user adds by hand: weighed like any other. */
  "beliefs.add": {
    params: z.object({
      text: z.string().min(1).max(20_000),
      title: z.string().max(200).optional(),
      beliefId: z.string().optional(),
    }),
    result: z.object({ verdict: EvidenceVerdict, notes: z.array(BeliefNote) }),
  },
  /** Freezes a belief: nothing moves it until the dispute is settled. */
  "beliefs.dispute": { params: z.object({ id: z.string(), reason: z.string().max(1000) }), result: BeliefSummary },
  "beliefs.settle": { params: z.object({ id: z.string() }), result: BeliefSummary },
  "beliefs.pin": { params: z.object({ id: z.string(), pinned: z.boolean() }), result: BeliefSummary },
  /** Changes the statement, never a number. */
  "beliefs.edit": { params: z.object({ id: z.string(), statement: z.string().max(400) }), result: BeliefSummary },
  /** Fading starts over. */
  "beliefs.renew": { params: z.object({ id: z.string() }), result: BeliefSummary },
  "beliefs.remove": { params: z.object({ id: z.string() }), result: z.null() },
  "beliefs.restore": { params: z.object({ id: z.string() }), result: BeliefSummary },
  "beliefs.previewUndo": { params: z.object({ revisionId: z.string() }), result: BeliefEffect },
  "beliefs.undo": { params: z.object({ revisionId: z.string() }), result: BeliefEffect },
  "beliefs.redo": { params: z.object({ revisionId: z.string() }), result: BeliefSummary },
  /** Which beliefs stand on a document, conversation or feed entry, and what would be left of them without it. */
  "beliefs.previewSource": {
    params: z.object({ kind: z.enum(["message", "document", "feed", "memory", "user"]), sourceId: z.string() }),
    result: z.object({ effects: z.array(BeliefEffect) }),
  },
  "beliefs.log": {
    params: z.object({
      before: z.number().int().nullable().optional(),
      limit: z.number().int().min(1).max(500).optional(),
    }),
    result: z.object({ revisions: z.array(BeliefRevision), total: z.number().int() }),
  },
  "beliefs.digest": {
    params: z.object({ since: z.number() }),
    result: z.object({
      moved: z.array(z.object({ belief: BeliefSummary, from: z.number().nullable() })),
      refused: z.number().int(),
      fading: z.number().int(),
      /** One or two sentences: "3 beliefs moved, 1 refused to move. Two feed entries and one document did it." */
      words: z.string(),
    }),
  },
  "beliefs.snapshots": { params: z.object({}), result: z.object({ versions: z.array(Snapshot) }) },
  "beliefs.useSnapshot": {
    params: z.object({ version: z.number().int() }),
    result: z.object({ versions: z.array(Snapshot) }),
  },
  /** Writes the snapshot anew from what is believed now. */
  "beliefs.rewriteSnapshot": { params: z.object({}), result: z.object({ versions: z.array(Snapshot) }) },
});

import { expect, test } from "vitest";
import type { IngestReport, IngestRequest } from "../../../core/agent/index.ts";
import type { BeliefNote, ConversationId, TurnId } from "../../../core/contract/index.ts";
import { Reading, type Submission, type Weighed } from "../../../core/ingest/index.ts";
import { ManualClock } from "../../../core/platform/index.ts";

const item: Submission = {
  kind: "feed",
  sourceId: "entry_1",
  containerId: "feed_1",
  from: "Weir notes",
  title: "Eel count",
  text: "Of 118 tagged eels, 97 crossed at night. The rack was clear on both nights of the count.",
  publishedAt: Date.UTC(2023, 9, 3),
};
const weighed: Weighed = { strength: 0.6, reasoningType: "empirical_data", allowed: true, why: "", tokens: 0 };
const note = (outcome: BeliefNote["outcome"]): BeliefNote => ({
  beliefId: "b",
  revisionId: "r",
  outcome,
  statement: "Eels pass at night",
  before: 0.1,
  after: 0.2,
  uncertainty: null,
  why: "It speaks of this, but which side it takes cannot be told.",
});
const signal = new AbortController().signal;

interface Integrated {
  text: string;
  source: { id: string; sourceId: string; kind: string };
  statements?: readonly string[];
}

function reading(
  read: (request: IngestRequest, reading: Reading) => Promise<Partial<IngestReport>>,
  notes: BeliefNote[] = [note("moved")],
) {
  const integrated: Integrated[] = [];
  const made: Reading = new Reading({
    beliefs: {
      score: async () => ({ strength: 0.1, reasoningType: "social_pressure", allowed: false }) as never,
      integrate: async (given: Integrated) => {
        integrated.push(given);
        return { notes, stored: 1, known: 0 } as never;
      },
    },
    read: async (request) => ({
      outcome: "completed",
      summary: "",
      beliefs: [],
      tools: [],
      tokens: 40,
      ...(await read(request, made)),
    }),
    refusal: (type) => `refused: ${type}`,
    clock: new ManualClock(),
  });
  return { made, integrated };
}

const conversations = {
  integrate: async () => ({ stored: 0, known: 0, notes: [note("did-not-move")] }),
};
const call = (conversationId: string) => ({
  statements: ["Whatever the model says it learned."],
  userText: "framed",
  conversationId: conversationId as ConversationId,
  turnId: "t" as TurnId,
  signal,
});

test("a refused item says why in the words of its type", async () => {
  const { made } = reading(async () => ({}));
  expect(await made.weigh(item, signal)).toMatchObject({ allowed: false, why: "refused: social_pressure" });
});

test("what is learned while an item is read has the item as its source and the item's own words as evidence", async () => {
  const { made, integrated } = reading(async (_, self) => {
    const { notes } = await self.knowledge(conversations).integrate(call("ingest"));
    return { beliefs: [...notes], tools: ["integrate_knowledge"] };
  });
  const worked = await made.work(item, weighed, signal);
  expect(worked).toEqual({ beliefs: [note("moved")], summary: "1 belief moved.", tokens: 40 });
  expect(integrated).toHaveLength(1);
  expect(integrated[0]).toMatchObject({ text: item.text, source: { kind: "feed", id: "entry_1", sourceId: "feed_1" } });
});

test("a model that read and kept nothing does not decide that the item counts for nothing", async () => {
  const { made, integrated } = reading(async () => ({ tools: ["recall_memory"] }), [note("created")]);
  expect(await made.work(item, weighed, signal)).toMatchObject({ summary: "1 belief formed." });
  expect(integrated).toHaveLength(1);
});

test("a model that cannot plan is given the steps: look back, then keep what the item says", async () => {
  let plan: IngestRequest["plan"] = [];
  const { made } = reading(async (request) => {
    plan = request.plan;
    expect(request.text).toMatch(/^From Weir notes, 2023-10-03: Eel count\n/);
    return { tools: ["integrate_knowledge"] };
  });
  await made.work(item, weighed, signal);
  expect(plan).toEqual([
    { name: "recall_memory", args: { query: "Eel count" } },
    {
      name: "integrate_knowledge",
      args: {
        statements: ["Of 118 tagged eels, 97 crossed at night.", "The rack was clear on both nights of the count."],
      },
    },
  ]);
});

test("a chat that calls the same tool keeps its own source, also while an item is read", async () => {
  const { made, integrated } = reading(async (_, self) => {
    expect((await self.knowledge(conversations).integrate(call("con_1"))).notes).toEqual([note("did-not-move")]);
    return { tools: ["integrate_knowledge"] };
  });
  await made.work(item, weighed, signal);
  expect((await made.knowledge(conversations).integrate(call("ingest"))).notes).toEqual([note("did-not-move")]);
  expect(integrated).toEqual([]);
});

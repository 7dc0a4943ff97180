import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TurnEvent } from "../../../core/contract/index.ts";
import { applyEvent, hasGap, viewOf } from "../../../renderer/turns/reduce.ts";
import { argsInWords } from "../../../renderer/turns/steps.ts";
import { activityItems, activitySummary, isPlainAnswer } from "../../../renderer/turns/timeline.ts";
import { emptyTurn, type TurnView } from "../../../renderer/turns/view.ts";
import { turnEvents } from "../../window/scripted-core.ts";

const budget = {
  window: 8192,
  effective: 5324,
  reserved: 512,
  system: 100,
  snapshot: 0,
  beliefs: 0,
  tools: 50,
  history: 20,
  memories: 0,
  workingMemory: 0,
  total: 170,
  dropped: [],
};
const ids = { userMessageId: "u" as never, assistantMessageId: "a" as never };

const trail = turnEvents("t", "c", [
  { type: "turn.started", ...ids, modelName: "SmolLM2" },
  { type: "turn.phase", phase: "CONTEXT", iteration: 0, limit: 12, label: "Getting ready" },
  { type: "turn.phase", phase: "THINKING", iteration: 1, limit: 12, label: "Thinking" },
  { type: "turn.prompt", step: "Step 1", budget, artifactId: "p1" },
  { type: "turn.token", channel: "reasoning", text: "Hm. " },
  { type: "turn.token", channel: "answer", text: '{"call"' },
  { type: "turn.retract", reason: "a call in text" },
  {
    type: "turn.tool.started",
    callId: "k",
    tool: "search_library",
    label: "Searching your library for “eels”",
    args: { query: "eels", limit: 6 },
    proposer: "harness",
  },
  { type: "turn.tool.progress", callId: "k", label: "3 of 6", fraction: 0.5 },
  {
    type: "turn.tool.ended",
    callId: "k",
    tool: "search_library",
    outcome: "ok",
    summary: "6 passages",
    durationMs: 310,
    outputChars: 99,
    artifactId: "o1",
  },
  {
    type: "turn.consolidated",
    longTerm: "L",
    shortTerm: "S",
    method: "extract",
    note: "The model gave no notes.",
    durationMs: 500,
    tokens: 20,
  },
  { type: "turn.phase", phase: "THINKING", iteration: 2, limit: 12, label: "Thinking" },
  { type: "turn.prompt", step: "Step 2", budget: { ...budget, total: 200 }, artifactId: "p2" },
  {
    type: "turn.approval",
    callId: "w",
    tool: "web_research",
    label: "Searching the web",
    safety: "sensitive",
    leaves: "words",
    args: {},
  },
  { type: "turn.approval.decided", callId: "w", decision: "deny", remembered: "Only this time" },
  { type: "turn.question", question: "Which?", options: ["a", "b"] },
  { type: "turn.question.answered", text: "a" },
  { type: "turn.token", channel: "answer", text: "At night" },
  { type: "turn.token", channel: "answer", text: ".[1]" },
  { type: "turn.usage", promptTokens: 200, cachedTokens: 100, generatedTokens: 7, budget: 5324, tokensPerSecond: 90 },
  {
    type: "turn.belief",
    note: {
      beliefId: "b",
      revisionId: "r",
      outcome: "moved",
      statement: "s",
      before: 0.1,
      after: 0.2,
      uncertainty: 0.1,
      why: "w",
    },
  },
  { type: "turn.ended", outcome: "completed", messageId: "a" as never, note: null, durationMs: 22_000 },
]);

const settle = (view: TurnView) => ({ ...view, early: [...view.early] });
const play = (events: readonly TurnEvent[]) => settle(events.reduce(applyEvent, emptyTurn("t", "c")));
const whole = play(trail);

describe("a turn's view from its events", () => {
  it("holds the answer without what was retracted, and the reasoning apart", () => {
    expect(whole.answer).toBe("At night.[1]");
    expect(whole.reasoning).toBe("Hm. ");
  });

  it("says in the past what a known tool did once it is done", () => {
    const tool = whole.steps.find((step) => step.kind === "tool")!;
    expect([tool.title, tool.detail, tool.figure, tool.outcome, tool.artifactId]).toEqual([
      "Searched the library",
      "“eels”",
      "6 passages",
      "ok",
      "o1",
    ]);
  });

  it("keeps the prompt of each step with its thinking", () => {
    const thinking = whole.steps.filter((step) => step.kind === "thinking");
    expect(thinking.map((step) => [step.iteration, step.promptArtifactId, step.budget?.total])).toEqual([
      [1, "p1", 170],
      [2, "p2", 200],
    ]);
  });

  it("leaves nothing running and nothing asked once it has ended", () => {
    expect(whole.steps.filter((step) => step.outcome === "running")).toEqual([]);
    expect([whole.approvals, whole.question]).toEqual([[], null]);
  });

  it("is the same whatever the order and however often events come", () => {
    const shuffled = fc
      .array(fc.nat(trail.length - 1), { maxLength: 60 })
      .chain((extra) =>
        fc.shuffledSubarray([...trail, ...extra.map((i) => trail[i]!)], { minLength: trail.length + extra.length }),
      );
    fc.assert(
      fc.property(shuffled, (events) => {
        expect(play(events)).toEqual(whole);
      }),
    );
  });

  it("knows that events are missing, and is whole once they are replayed", () => {
    fc.assert(
      fc.property(fc.nat(trail.length - 2), fc.nat(), (from, width) => {
        const to = Math.min(trail.length - 1, from + 1 + (width % 5));
        const gappy = [...trail.slice(0, from), ...trail.slice(to)].reduce(applyEvent, emptyTurn("t", "c"));
        expect(hasGap(gappy)).toBe(true);
        expect(gappy.seq).toBe(from);
        const replayed = trail.filter((event) => event.seq > gappy.seq).reduce(applyEvent, gappy);
        expect(settle(replayed)).toEqual(whole);
      }),
    );
  });

  it("of a reload in the middle is that of one who watched from the start", () => {
    fc.assert(
      fc.property(fc.nat(trail.length), fc.nat(4), (at, overlap) => {
        const liveAfterReload = trail.slice(Math.max(0, at - overlap));
        const view = viewOf([...trail.slice(0, at), ...liveAfterReload]);
        expect(view && settle(view)).toEqual(whole);
      }),
    );
  });

  it("passes over events of a newer core without losing its place", () => {
    const newer = { ...trail[1]!, seq: 2, type: "turn.something-new" } as unknown as TurnEvent;
    const view = [trail[0]!, newer, { ...trail[2]!, seq: 3 }].reduce(applyEvent, emptyTurn("t", "c"));
    expect([view.seq, view.iteration]).toEqual([3, 1]);
  });
});

describe("the timeline", () => {
  const at = (count: number) => viewOf(trail.slice(0, count))!;

  it("of a direct answer shows nothing that was done", () => {
    expect(isPlainAnswer(at(5))).toBe(true);
    expect(isPlainAnswer(at(8))).toBe(false);
  });

  it("shows progress while a tool runs and its outcome afterwards", () => {
    expect(activityItems(at(9), true)[0]).toMatchObject({
      what: "Searching your library for “eels”",
      detail: "3 of 6",
      now: true,
    });
    expect(activityItems(at(10), true)[0]).toMatchObject({
      what: "Searched the library",
      detail: "“eels”",
      figure: "6 passages · 0.3 s",
      now: false,
    });
  });

  it("says where it stands while it runs and what was done afterwards", () => {
    expect(activitySummary(at(12), true, "4.0 s")).toEqual({ title: "Step 2 of at most 12", detail: "4.0 s" });
    expect(activitySummary(viewOf(trail)!, false, "22 s")).toEqual({
      title: "4 steps",
      detail: "searched the library, asked you, weighed the evidence · 22 s",
    });
  });

  it("says a call's arguments in one line", () => {
    expect(argsInWords({ query: "eels", limit: 6 })).toBe("“eels”");
    expect(argsInWords({ limit: 6, deep: true })).toBe("limit 6, deep true");
    expect(argsInWords({})).toBe("");
  });
});

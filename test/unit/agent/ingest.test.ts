import { afterEach, describe, expect, it } from "vitest";
import type { Proposer } from "../../../core/agent/proposers/types.ts";
import type { BeliefNote } from "../../../core/contract/index.ts";
import { type AgentRig, fakeTool, fixedGate, openRig } from "../../support/agent-rig.ts";
import { RAW, scriptedModel } from "../../support/scripted-model.ts";

let rig: AgentRig;
afterEach(() => rig.close());

const note: BeliefNote = {
  beliefId: "b",
  revisionId: "r",
  outcome: "moved",
  statement: "Eels pass at night",
  before: 0.1,
  after: 0.2,
  uncertainty: 0.5,
  why: "measured data, strength 0.62",
};
const item = "Article: eels pass at night, a study of 118 tagged eels finds.";
const signal = new AbortController().signal;

describe("reading an item in the background", () => {
  it("runs the same loop with the full tool suite, and leaves no conversation behind", async () => {
    const recall = fakeTool("recall_memory");
    const integrate = fakeTool("integrate_knowledge", {
      run: () => ({ text: `${RAW} stored`, summary: "1 belief moved", beliefs: [note] }),
    });
    const model = scriptedModel({
      think: (_, n) =>
        n === 1
          ? { calls: [{ name: "recall_memory", args: { query: "eels" } }] }
          : n === 2
            ? { calls: [{ name: "integrate_knowledge", args: {} }] }
            : "Eels move at night; a belief rose.",
    });
    rig = openRig({ model, tools: [recall, integrate] });
    const report = await rig.agent.ingest({ text: item, plan: [], signal });
    expect(report).toMatchObject({
      outcome: "completed",
      summary: "Eels move at night; a belief rose.",
      beliefs: [note],
      tools: ["recall_memory", "integrate_knowledge"],
    });
    expect(report.tokens).toBeGreaterThan(0);
    expect(model.violations).toEqual([]);
    expect(model.prompts[0]?.messages[0]?.content).toContain("something to read");
    expect(rig.conversations.list()).toHaveLength(1);
    expect(rig.events).toEqual([]);
  });

  it("follows the given steps where the model cannot plan, and asks it for no words", async () => {
    const integrate = fakeTool("integrate_knowledge", {
      run: () => ({ text: "97 of 118 eels passed at night.", summary: "", beliefs: [note] }),
    });
    const model = scriptedModel({ think: () => "rambling" });
    const harness: Proposer = {
      kind: "harness",
      propose: () => Promise.reject(new Error("a router has no place here")),
    };
    rig = openRig({ model, tools: [integrate], proposerFor: async () => harness });
    const report = await rig.agent.ingest({
      text: item,
      plan: [
        { name: "not_there", args: {} },
        { name: "integrate_knowledge", args: { query: "eels" } },
      ],
      signal,
    });
    expect(report).toMatchObject({ outcome: "completed", tools: ["integrate_knowledge"], beliefs: [note] });
    expect(model.prompts).toHaveLength(0);
  });

  it("asks nobody: what needs permission is refused, questions are not offered", async () => {
    const web = fakeTool("web_research", { safety: "sensitive" });
    const ask = fakeTool("ask_user", { asks: () => ({ question: "?", options: [] }) });
    const model = scriptedModel({
      think: (_, n) => (n === 1 ? { calls: [{ name: "web_research", args: {} }] } : "Without the web."),
    });
    rig = openRig({ model, tools: [web, ask], gate: fixedGate("ask") });
    expect(await rig.agent.ingest({ text: item, plan: [], signal })).toMatchObject({ outcome: "completed" });
    expect(web.calls).toEqual([]);
    expect(model.prompts[0]?.tools?.map((tool) => tool.name)).toEqual(["web_research"]);
    expect(model.prompts[1]?.messages.at(-1)?.content).toContain("Nobody can be asked");
  });

  it("stops at once when it is told to", async () => {
    const model = scriptedModel({ think: () => ({ hang: true }) });
    rig = openRig({ model });
    const controller = new AbortController();
    const running = rig.agent.ingest({ text: item, plan: [], signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect(await running).toMatchObject({ outcome: "interrupted" });
  });
});

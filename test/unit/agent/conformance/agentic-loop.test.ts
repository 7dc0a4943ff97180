/** One test for each statement of the first requirement document about what the loop does. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { MemoryUpdate } from "../../../../core/agent/consolidation.ts";
import { budgetFor } from "../../../../core/context/index.ts";
import type { BeliefNote } from "../../../../core/contract/index.ts";
import type { Passage } from "../../../../core/tools/types.ts";
import { askModel, fakeTool } from "../../../support/agent-rig.ts";
import { countMessages, RAW, scriptedModel } from "../../../support/scripted-model.ts";
import { answer, asked, call, conformanceRig, ending, eventsOf, outcomes, phases, system } from "./rig.ts";

const open = conformanceRig();

const passage = (n: number): Passage => ({
  kind: "document",
  sourceId: `p${n}`,
  title: "Weir study",
  place: `p. ${n}`,
  text: `Passage ${n} says that eels pass the weir at night.`,
  mark: null,
  score: 1 / n,
  why: "same words",
});
const askSchema = z.object({ query: z.string(), limit: z.number() });
const beliefNote: BeliefNote = {
  beliefId: "b",
  revisionId: "r",
  outcome: "moved",
  statement: "Eels pass at night",
  before: 0,
  after: 0.1,
  uncertainty: 0.5,
  why: "measured data",
};

describe("the loop is a state machine, not a pipeline", () => {
  it("answers a simple message with no tool and a single model call", async () => {
    const model = scriptedModel({ think: () => "Good morning." });
    const tool = fakeTool("search");
    const events = await open({ model, tools: [tool] }).ask("Good morning");
    expect(phases(events)).toEqual(["CONTEXT", "THINKING", "COMPLETED"]);
    expect(model.prompts).toHaveLength(1);
    expect(model.sidePrompts).toHaveLength(0);
    expect(tool.calls).toHaveLength(0);
  });

  it("runs several research passes when a topic needs them", async () => {
    const model = scriptedModel({ think: (_, n) => (n <= 3 ? call("search", `pass ${n}`) : "Done.") });
    const tool = fakeTool("search");
    const events = await open({ model, tools: [tool] }).ask("Research eels in depth");
    expect(tool.calls.map((args) => args.query)).toEqual(["pass 1", "pass 2", "pass 3"]);
    expect(phases(events)).toEqual([
      "CONTEXT",
      "THINKING",
      "ACTING",
      "THINKING",
      "ACTING",
      "THINKING",
      "ACTING",
      "THINKING",
      "COMPLETED",
    ]);
  });

  it("skips retrieval for a greeting, and only for that", async () => {
    const recalls: string[] = [];
    const recall = {
      async recall({ text }: { text: string }) {
        recalls.push(text);
        return [];
      },
    };
    const rig = open({ model: scriptedModel({ think: () => "Yes?" }), recall });
    await rig.ask("Hello!");
    await rig.ask("What did I say about eels?");
    expect(recalls).toEqual(["What did I say about eels?"]);
  });

  it("integrates knowledge in the middle of a conversation, and the change of belief is told at once", async () => {
    const integrate = fakeTool("integrate_knowledge", {
      run: () => ({ text: `${RAW} ok`, summary: "stored", beliefs: [beliefNote] }),
    });
    const model = scriptedModel({ think: (_, n) => (n === 1 ? call("integrate_knowledge") : "Noted.") });
    const events = await open({ model, tools: [integrate] }).ask("Eels pass at night: 97 of 118 did.");
    const types = events.map((event) => event.type);
    expect(eventsOf(events, "turn.belief").map((event) => event.note)).toEqual([beliefNote]);
    expect(types.indexOf("turn.belief")).toBeLessThan(types.indexOf("turn.ended"));
  });

  it("ends early once enough is known: no step follows an answer", async () => {
    const model = scriptedModel({ think: (_, n) => (n === 1 ? call("search") : "Enough: at night.") });
    const events = await open({ model, tools: [fakeTool("search")] }).ask("When do eels pass?");
    expect(ending(events)).toMatchObject({ outcome: "completed" });
    expect(model.prompts).toHaveLength(2);
  });
});

describe("THINKING", () => {
  it("is given identity, snapshot and beliefs, history, pre-seeded memory and the tools on offer", async () => {
    const model = scriptedModel({ think: () => "So." });
    const rig = open({
      model,
      tools: [fakeTool("search")],
      recall: { recall: async () => [passage(1)] },
      beliefs: {
        snapshot: () => "I like rivers.",
        relevant: async () => [{ beliefId: "b", statement: "Eels are nocturnal", valence: 0.6, confidence: 0.5 }],
        weigh: async () => [],
      },
    });
    await rig.ask("Tell me about the river at Brackwell");
    await rig.ask("And when do eels pass the weir?");
    expect(system(model, 2)).toContain("You are Credence");
    expect(system(model, 2)).toContain("I like rivers.");
    expect(model.prompts[1]?.messages.slice(1, 3).map((message) => message.content)).toEqual([
      "Tell me about the river at Brackwell",
      "So.",
    ]);
    expect(asked(model, 2)).toContain("[1] Weir study, p. 1: Passage 1");
    expect(asked(model, 2)).toContain("Eels are nocturnal (held true, confidence 0.50)");
    expect(model.prompts[1]?.tools?.map((tool) => tool.name)).toEqual(["search"]);
  });

  it("has its memory retrieved before the first step, not by a step of its own", async () => {
    const order: string[] = [];
    const model = scriptedModel({
      think() {
        order.push("think");
        return "So.";
      },
    });
    const recall = {
      async recall() {
        order.push("recall");
        return [passage(1)];
      },
    };
    await open({ model, recall }).ask("When do eels pass?");
    expect(order).toEqual(["recall", "think"]);
  });

  it("sees earlier calls of the turn only as consolidated text", async () => {
    const model = scriptedModel({ think: (_, n) => (n === 1 ? call("search") : "So.") });
    await open({ model, tools: [fakeTool("search")] }).ask("When do eels pass?");
    expect(asked(model, 2)).toContain("Finding 1: the tool gave what was asked for");
    expect(asked(model, 2)).not.toContain(RAW);
  });

  it("gives either a call, which leads to ACTING, or a text, which leads to COMPLETED", async () => {
    const model = scriptedModel({ think: (_, n) => (n === 1 ? call("search") : "Text.") });
    const events = await open({ model, tools: [fakeTool("search")] }).ask("Eels?");
    expect(phases(events)).toEqual(["CONTEXT", "THINKING", "ACTING", "THINKING", "COMPLETED"]);
  });

  it("stays within 65 % of the window, however long the conversation is", async () => {
    const model = scriptedModel({
      window: 4_096,
      think: (_, n) => `Answer ${n}. ${"Words about rivers. ".repeat(40)}`,
    });
    const rig = open({ model });
    for (let i = 0; i < 14; i++) await rig.ask(`Question ${i}: ${"tell me more of the river ".repeat(20)}`);
    for (const prompt of model.prompts)
      expect(countMessages(prompt.messages, prompt.tools)).toBeLessThanOrEqual(Math.floor(0.65 * 4_096));
  });
});

describe("ACTING", () => {
  it("executes the requested tool while the turn stays open to the user", async () => {
    let release = () => {};
    const tool = fakeTool("search", {
      run: () =>
        new Promise((resolve) => {
          release = () => resolve({ text: "x", summary: "" });
        }),
    });
    const model = scriptedModel({ think: (_, n) => (n === 1 ? call("search") : "So.") });
    const rig = open({ model, tools: [tool] });
    const { turnId } = await rig.agent.send({ conversationId: rig.conversationId, text: "Search" });
    await rig.until("turn.tool.started", turnId);
    expect(rig.agent.replay(turnId, 0).ended).toBe(false);
    release();
    await rig.until("turn.ended", turnId);
  });

  it("takes in outputs of any size", async () => {
    const tool = fakeTool("search", {
      run: () => ({ text: `${RAW} ${"line of text\n".repeat(50_000)}`, summary: "much" }),
    });
    const model = scriptedModel({ think: (_, n) => (n === 1 ? call("search") : "So.") });
    const events = await open({ model, tools: [tool] }).ask("Search");
    expect(ending(events)).toMatchObject({ outcome: "completed" });
    expect(eventsOf(events, "turn.tool.ended")[0]?.outputChars).toBeGreaterThan(600_000);
  });

  it("always ends in a separate consolidation call, also when the tool failed", async () => {
    const tool = fakeTool("search", {
      run: ({ query }) => (query === "bad" ? Promise.reject(new Error("no index")) : { text: "x", summary: "" }),
    });
    const model = scriptedModel({
      think: (_, n) => (n === 1 ? call("search", "good") : n === 2 ? call("search", "bad") : "So."),
    });
    const events = await open({ model, tools: [tool] }).ask("Search");
    expect(outcomes(events)).toEqual(["ok", "error"]);
    expect(eventsOf(events, "turn.consolidated")).toHaveLength(2);
    expect(model.sidePrompts).toHaveLength(2);
  });

  it("puts long-term and short-term entries in the place of the raw output", async () => {
    const model = scriptedModel({
      think: (_, n) => (n === 1 ? call("search") : "So."),
      structured: () => ({
        long_term_memory: "97 of 118 eels passed at night.",
        short_term_memory: "Look at the rise next.",
      }),
    });
    const events = await open({ model, tools: [fakeTool("search")] }).ask("When do eels pass?");
    expect(eventsOf(events, "turn.consolidated")[0]).toMatchObject({
      longTerm: "97 of 118 eels passed at night.",
      shortTerm: "Look at the rise next.",
      method: "model",
    });
    expect(asked(model, 2)).toContain("Plan:\n- Look at the rise next.");
    expect(asked(model, 2)).toContain("Findings so far:\n- 97 of 118 eels passed at night.");
  });

  it("takes one action a step: what a model calls at once is one action with one consolidation", async () => {
    const model = scriptedModel({
      think: (_, n) =>
        n === 1 ? { calls: ["a", "b", "c"].map((query) => ({ name: "search", args: { query } })) } : "So.",
    });
    const events = await open({ model, tools: [fakeTool("search")] }).ask("Search");
    expect(outcomes(events)).toEqual(["ok", "ok", "ok"]);
    expect(eventsOf(events, "turn.consolidated")).toHaveLength(1);
  });
});

describe("the end emerges", () => {
  it("consolidation has two text fields and no field that decides", () => {
    const shape = MemoryUpdate.shape;
    expect(Object.entries(shape).map(([name, field]) => [name, field.type])).toEqual([
      ["long_term_memory", "string"],
      ["short_term_memory", "string"],
    ]);
  });

  it("a plan that says there is enough is what the next THINKING reads, and it answers", async () => {
    const model = scriptedModel({
      think: (request) =>
        request.messages.at(-1)?.content.includes("I have enough information") ? "The answer." : call("search"),
    });
    const events = await open({ model, tools: [fakeTool("search")] }).ask("When do eels pass?");
    expect(ending(events)).toMatchObject({ outcome: "completed" });
    expect(model.prompts).toHaveLength(2);
  });

  it("a stall brings a nudge: a forced synthesis with whatever was gathered, without tools", async () => {
    const model = scriptedModel({ think: (request) => (request.tools ? call("search") : "Gathered: eels.") });
    const events = await open({ model, tools: [fakeTool("search")] }).ask("Eels?");
    expect(eventsOf(events, "turn.nudge")).toHaveLength(1);
    const last = model.prompts.at(-1);
    expect(last?.tools).toBeUndefined();
    expect(last?.messages.at(-1)?.content).toContain("Answer now");
    expect(last?.messages.at(-1)?.content).toContain("Finding 1");
  });

  it("steps without progress stall as repeats do", async () => {
    const model = scriptedModel({
      think: (request, n) => (request.tools ? call("search", `q${n}`) : "Nothing was found."),
      structured: () => ({ long_term_memory: "", short_term_memory: "Try other words." }),
    });
    const events = await open({ model, tools: [fakeTool("search")] }).ask("Eels?");
    expect(outcomes(events)).toEqual(["ok", "ok", "ok"]);
    expect(ending(events)).toMatchObject({ outcome: "completed" });
  });

  it("a call is recognised again by its name and key-sorted arguments; a repeat raises the counter and is not executed", async () => {
    const tool = fakeTool("search");
    const wide = { ...tool, schema: askSchema };
    const model = scriptedModel({
      think: (_, n) =>
        n === 1
          ? { calls: [{ name: "search", args: { query: "eels", limit: 3 } }] }
          : n === 2
            ? { calls: [{ name: "search", args: { limit: 3, query: "eels" } }] }
            : "So.",
    });
    const events = await open({ model, tools: [wide] }).ask("Eels?");
    expect(outcomes(events)).toEqual(["ok", "repeated"]);
    expect(tool.calls).toHaveLength(1);
    expect(asked(model, 3)).toContain("already done before, not run again");
  });
});

describe("COMPLETED and FAILED", () => {
  it("streams the final text, and progress events throughout", async () => {
    const model = scriptedModel({
      think: (_, n) => (n === 1 ? call("search") : "At night, mostly, on a rise of the river."),
    });
    const halfway = fakeTool("search", {
      run(_, context) {
        context.progress("Half done", 0.5);
        return { text: "x", summary: "" };
      },
    });
    const rig = open({ model, tools: [halfway] });
    const events = await rig.ask("When?");
    expect(
      eventsOf(events, "turn.token")
        .map((event) => event.text)
        .join(""),
    ).toBe("At night, mostly, on a rise of the river.");
    expect(eventsOf(events, "turn.tool.progress")[0]).toMatchObject({ label: "Half done", fraction: 0.5 });
    expect(answer(rig)?.content).toBe("At night, mostly, on a rise of the river.");
  });

  it("fails at 12 iterations by default, with an answer that says so and what was found", async () => {
    const model = scriptedModel({ think: (_, n) => call("search", `q${n}`) });
    const rig = open({ model, tools: [fakeTool("search")] });
    const events = await rig.ask("Search for ever");
    expect(phases(events).at(-1)).toBe("FAILED");
    expect(model.prompts).toHaveLength(12);
    expect(answer(rig)?.content).toContain("What I found:");
  });

  it("fails on an error that no step can mend, with a response all the same", async () => {
    const model = scriptedModel({ think: () => ({ fail: new Error("engine gone") }) });
    const rig = open({ model });
    const events = await rig.ask("Hello?");
    expect(phases(events).at(-1)).toBe("FAILED");
    expect(answer(rig)?.content).not.toBe("");
  });
});

describe("the context budget", () => {
  it("is 170 K tokens of a 262 K window, with about 8 K kept for the reply", () => {
    expect(budgetFor(262_144)).toMatchObject({ effective: 170_393, reserved: 8_192 });
  });

  it("beyond 20 messages carries the older turns as a structured summary", async () => {
    const model = scriptedModel({
      think: (_, n) => `Answer ${n}.`,
      structured: () => ({
        intent: "Talk about eels",
        key_facts: ["The weir is at Brackwell."],
        decisions: [],
        open_threads: ["When do they pass?"],
        closed_threads: [],
      }),
    });
    const rig = open({ model });
    for (let i = 0; i < 11; i++) await rig.ask(`Question ${i}`);
    await rig.agent.idle();
    await rig.ask("One more");
    expect(system(model, 12)).toContain(
      "Earlier in this conversation:\nThe user wants: Talk about eels\nFacts:\n- The weir is at Brackwell.\nOpen:\n- When do they pass?",
    );
    expect(model.prompts[11]?.messages[1]?.content).toBe("Question 4");
  });

  it("merges later turns into the summary instead of writing it anew", async () => {
    const model = scriptedModel({
      think: (_, n) => `Answer ${n}.`,
      structured: (_, n) => ({
        intent: "",
        key_facts: [`Fact ${n}.`],
        decisions: [],
        open_threads: [],
        closed_threads: [],
      }),
    });
    const rig = open({ model });
    for (let i = 0; i < 18; i++) {
      await rig.ask(`Question ${i}`);
      await rig.agent.idle();
    }
    await rig.ask("Last");
    expect(system(model, 19)).toMatch(/- Fact 1\.\n- Fact 2\./);
    expect(model.sidePrompts[1]?.at(-1)?.content).toContain("Notes so far:\nFacts:\n- Fact 1.");
    expect(model.sidePrompts[1]?.at(-1)?.content).not.toContain("Question 0");
  });

  it("over budget summarises the oldest messages first and records it where the window can show it", async () => {
    const model = scriptedModel({
      window: 2_048,
      think: (_, n) => `Answer ${n}. ${"Rivers flow. ".repeat(60)}`,
      structured: () => ({
        intent: "Rivers",
        key_facts: ["Rivers flow."],
        decisions: [],
        open_threads: [],
        closed_threads: [],
      }),
    });
    const rig = open({ model });
    let dropped = 0;
    for (let i = 0; i < 8; i++) {
      const events = await rig.ask(`Question ${i} ${"about rivers ".repeat(30)}`);
      const loss = eventsOf(events, "turn.prompt").flatMap((event) => event.budget.dropped)[0];
      if (!loss) continue;
      dropped += 1;
      expect(loss.what).toMatch(/older messages/);
      expect(loss.reason).toMatch(/summary: [\d,]+ tokens became [\d,]+/);
    }
    expect(dropped).toBeGreaterThan(0);
    expect(system(model, 8)).toContain("Rivers flow.");
  });
});

describe("working memory", () => {
  it("gives each step its number and what remains, the plan, the findings, the last eight actions in a line each, and a reminder", async () => {
    const model = scriptedModel({ think: (_, n) => (n <= 10 ? call("search", `query ${n}`) : "So.") });
    await open({ model, tools: [fakeTool("search")] }).ask("Eels?");
    const block = asked(model, 11);
    expect(block).toContain("Step 11 of at most 12; 1 remain after it.");
    const actions = block
      .split("Actions taken:\n")[1]
      ?.split("\n")
      .filter((line) => line.startsWith("- search"));
    expect(actions).toHaveLength(8);
    expect(actions?.[0]).toContain("query 3");
    expect(block).toContain("Take one next action, or answer if you know enough.");
    expect(asked(model, 1)).toBe("Eels?");
  });

  it("stays small: ten steps cost little more than three", async () => {
    const size = async (steps: number) => {
      const model = scriptedModel({
        think: (_, n) => (n <= steps ? call("search", `query ${n}`) : "So."),
        structured: (_, n) => ({ long_term_memory: `Short finding ${n}.`, short_term_memory: "Go on." }),
      });
      await open({
        model,
        tools: [
          fakeTool("search", { run: () => ({ text: "line of output\n".repeat(2_000), summary: "2,000 lines" }) }),
        ],
      }).ask("Eels?");
      return countMessages(model.prompts.at(-1)?.messages ?? []);
    };
    expect((await size(10)) - (await size(3))).toBeLessThan(400);
  });
});

describe("ingest", () => {
  it("runs the same loop on an item, fact-checking, recalling and integrating without a user", async () => {
    const names = ["recall_memory", "web_research", "integrate_knowledge"];
    const model = scriptedModel({ think: (_, n) => (n <= 3 ? call(names[n - 1] ?? "") : "Taken in.") });
    const rig = open({ model, tools: names.map((name) => fakeTool(name)), proposerFor: async () => askModel });
    const report = await rig.agent.ingest({
      text: "News: eels pass at night.",
      plan: [],
      signal: new AbortController().signal,
    });
    expect(report).toMatchObject({ outcome: "completed", tools: names });
  });
});

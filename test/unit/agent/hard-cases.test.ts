import { afterEach, describe, expect, it } from "vitest";
import { CredenceError, type TurnEvent } from "../../../core/contract/index.ts";
import type { CircuitBreaker } from "../../../core/tools/types.ts";
import { type AgentRig, fakeTool, fixedGate, openRig, type RigOptions } from "../../support/agent-rig.ts";
import { RAW, type Reply, type ScriptedModel, scriptedModel } from "../../support/scripted-model.ts";

const rigs: AgentRig[] = [];
const models: ScriptedModel[] = [];
function rig(options: RigOptions): AgentRig {
  const opened = openRig(options);
  rigs.push(opened);
  if (typeof options.model !== "function") models.push(options.model);
  return opened;
}
/** Whatever a test is about: no prompt broke a rule, no lock is held, and the conversation takes the next turn. */
afterEach(async () => {
  for (const opened of rigs) expect(opened.conversations.get(opened.conversationId).activeTurn).toBeNull();
  for (const model of models.splice(0)) expect(model.violations).toEqual([]);
  for (const opened of rigs.splice(0)) await opened.close();
});

const search = (query: string): Reply => ({ calls: [{ name: "search", args: { query } }] });
const ending = (events: readonly TurnEvent[]) => events.find((event) => event.type === "turn.ended");
const outcomes = (events: readonly TurnEvent[]) =>
  events.flatMap((event) => (event.type === "turn.tool.ended" ? [event.outcome] : []));
const answerOf = (r: AgentRig) => r.conversations.history(r.conversationId).at(-1);

describe("a model that always repeats the same call", () => {
  it("runs it once, is nudged, and answers from what it has", async () => {
    const tool = fakeTool("search");
    const model = scriptedModel({ think: (request) => (request.tools ? search("eels") : "From what I have: eels.") });
    const r = rig({ model, tools: [tool] });
    const events = await r.ask("When do eels pass?");
    expect(tool.calls).toHaveLength(1);
    expect(outcomes(events)).toEqual(["ok", "repeated", "repeated", "repeated"]);
    expect(events.filter((event) => event.type === "turn.nudge")).toHaveLength(1);
    expect(answerOf(r)).toMatchObject({ state: "complete", content: "From what I have: eels." });
  });

  it("that does not heed the nudge either ends with its findings, and no call text is shown", async () => {
    const tool = fakeTool("search");
    const model = scriptedModel({
      think: (request) => (request.tools ? search("eels") : '{"name": "search", "arguments": {"query": "eels"}}'),
    });
    const r = rig({ model, tools: [tool] });
    const events = await r.ask("When do eels pass?");
    expect(ending(events)).toMatchObject({ outcome: "failed" });
    expect(answerOf(r)?.content).toContain("Finding 1");
    expect(answerOf(r)?.content).not.toContain('"arguments"');
  });

  it("with ever new arguments is ended by the ceiling", async () => {
    const tool = fakeTool("search");
    const model = scriptedModel({ think: (_, n) => search(`eels ${n}`) });
    const r = rig({ model, tools: [tool] });
    const events = await r.ask("When do eels pass?");
    expect(model.prompts).toHaveLength(12);
    expect(tool.calls).toHaveLength(12);
    expect(events.filter((event) => event.type === "turn.consolidated")).toHaveLength(12);
    expect(ending(events)).toMatchObject({ outcome: "failed", note: expect.stringContaining("12 steps") });
  });
});

describe("a model that emits broken JSON", () => {
  it("hears of it once, then is nudged, and the text never reaches the window as an answer", async () => {
    const broken = '<tool_call>\n{"name": search "arguments" [{\n</tool_call>';
    const model = scriptedModel({ think: (_, n) => (n <= 2 ? broken : "Plain words now.") });
    const r = rig({ model, tools: [fakeTool("search")] });
    const events = await r.ask("When do eels pass?");
    expect(answerOf(r)).toMatchObject({ state: "complete", content: "Plain words now." });
    expect(model.prompts[1]?.messages.at(-1)?.content).toMatch(/call|tool|read/i);
    expect(events.filter((event) => event.type === "turn.nudge")).toHaveLength(1);
    const shown = events
      .flatMap((event) => (event.type === "turn.token" && event.channel === "answer" ? [event.text] : []))
      .join("");
    expect(shown).not.toContain('"arguments"');
  });

  it("that names a tool which does not exist is told which tools there are", async () => {
    const model = scriptedModel({
      think: (_, n) => (n === 1 ? { calls: [{ name: "fly", args: {} }] } : "On foot, then."),
    });
    const r = rig({ model, tools: [fakeTool("search")] });
    await r.ask("Fly me there");
    expect(model.prompts[1]?.messages.at(-1)?.content).toContain("There is no tool named fly. Tools: search.");
    expect(answerOf(r)?.content).toBe("On foot, then.");
  });

  it("with empty arguments gets {}, with wrong ones the reason", async () => {
    const tool = fakeTool("search");
    const model = scriptedModel({
      think: (_, n) =>
        n === 1
          ? { calls: [{ name: "search", args: undefined }] }
          : n === 2
            ? { calls: [{ name: "search", args: { query: 7 } }] }
            : "Done.",
    });
    const r = rig({ model, tools: [tool] });
    const events = await r.ask("Search");
    expect(tool.calls).toEqual([{ query: "" }]);
    expect(outcomes(events)).toEqual(["ok", "invalid"]);
    expect(model.prompts[2]?.messages.at(-1)?.content).toContain("The arguments of search are not valid. query:");
  });
});

describe("a tool that returns 9 million tokens", () => {
  it("is folded in a few pieces, kept whole, and the turn ends soon", async () => {
    const line = "An ordinary line about rivers, weirs and the weather of the day.\n";
    const needle = "When the river rises at night, the eels pass the weir.\n";
    const size = 36_000_000;
    const text =
      line.repeat(Math.floor(size / line.length / 2)) + needle + line.repeat(Math.floor(size / line.length / 2));
    const tool = fakeTool("search", { run: () => ({ text: RAW + text, summary: "much" }) });
    const model = scriptedModel({ think: (_, n) => (n === 1 ? search("eels") : "At night.") });
    const r = rig({ model, tools: [tool] });
    const slow: number[] = [];
    let last = performance.now();
    const ticker = setInterval(() => {
      slow.push(performance.now() - last);
      last = performance.now();
    }, 5);
    const events = await r.ask("When do eels pass the weir at night?");
    clearInterval(ticker);
    const consolidated = events.find((event) => event.type === "turn.consolidated");
    expect(consolidated?.note).toContain("closest to the question");
    expect(model.sidePrompts.length).toBeLessThanOrEqual(8);
    expect(
      model.sidePrompts.some((messages) => messages.some((message) => message.content.includes(needle.trim()))),
    ).toBe(true);
    const toolEnded = events.find((event) => event.type === "turn.tool.ended");
    expect(toolEnded?.outputChars).toBe(text.length + RAW.length);
    const page = await r.agent.artifact(events[0]!.turnId, toolEnded?.artifactId ?? "", text.length - 10);
    expect(page.totalChars).toBe(text.length + RAW.length);
    expect(ending(events)).toMatchObject({ outcome: "completed" });
  });
});

describe("a tool that fails", () => {
  it("three times trips its breaker: the fourth call is refused without running, and the model answers", async () => {
    const tool = fakeTool("search", {
      run: () => Promise.reject(new CredenceError("general.not-found", { what: "index", id: "x" })),
    });
    let failures = 0;
    const breaker: CircuitBreaker = {
      state: () => (failures >= 3 ? "open" : "closed"),
      admit: () => (failures >= 3 ? { admitted: false, retryAt: 0 } : { admitted: true }),
      succeeded() {},
      failed() {
        failures += 1;
      },
      released() {},
    };
    const model = scriptedModel({
      think: (request, n) => (request.tools && n > 0 ? search(`try ${n}`) : "It is paused."),
    });
    const r = rig({ model, tools: [tool], breaker });
    const first = await r.ask("Search it");
    expect(outcomes(first)).toEqual(["error", "error", "error"]);
    expect(first.filter((event) => event.type === "turn.nudge")).toHaveLength(1);
    expect(ending(first)).toMatchObject({ outcome: "completed" });
    const events = await r.ask("Search it again");
    expect(outcomes(events)).toEqual(["circuit-open", "circuit-open", "circuit-open"]);
    expect(tool.calls).toHaveLength(3);
    expect(answerOf(r)?.content).toBe("It is paused.");
  });
});

describe("a tool that never returns", () => {
  it("is stopped when its time is up, and the model goes on without it", async () => {
    const tool = fakeTool("search", { timeoutMs: 30, run: () => new Promise(() => {}) });
    const model = scriptedModel({ think: (_, n) => (n === 1 ? search("eels") : "It took too long.") });
    const r = rig({ model, tools: [tool] });
    const events = await r.ask("Search it");
    expect(outcomes(events)).toEqual(["error"]);
    expect(answerOf(r)).toMatchObject({ state: "complete", content: "It took too long." });
  });
});

describe("stop", () => {
  /** Stops, and asserts that it took less than 200 ms, that the answer is marked, and that the next turn is fine. */
  async function stopAt(r: AgentRig, turnId: string, model: { next: boolean }): Promise<void> {
    const startedAt = performance.now();
    await r.agent.stop(turnId as never);
    expect(performance.now() - startedAt).toBeLessThan(200);
    expect(r.conversations.history(r.conversationId).at(-1)).toMatchObject({
      state: "interrupted",
      note: "You stopped this answer.",
    });
    model.next = true;
    const events = await r.ask("And the next one?");
    expect(ending(events)).toMatchObject({ outcome: "completed" });
    expect(answerOf(r)?.content).toBe("Next.");
  }

  it("during thinking ends decoding", async () => {
    const script = { next: false };
    let aborted = false;
    const model = scriptedModel({ think: () => (script.next ? "Next." : { hang: true, text: "Some words" }) });
    const generate = model.generate.bind(model);
    model.generate = async (request, options) => {
      options.signal.addEventListener("abort", () => {
        aborted = true;
      });
      return generate(request, options);
    };
    const r = rig({ model });
    const { turnId } = await r.agent.send({ conversationId: r.conversationId, text: "Go" });
    await r.until("turn.token", turnId);
    await stopAt(r, turnId, script);
    expect(aborted).toBe(true);
  });

  it("during a tool aborts it, even one that does not listen", async () => {
    const script = { next: false };
    let signal: AbortSignal | null = null;
    const tool = fakeTool("search", {
      run: (_, context) => {
        signal = context.signal;
        return new Promise(() => {});
      },
    });
    const model = scriptedModel({ think: () => (script.next ? "Next." : search("eels")) });
    const r = rig({ model, tools: [tool] });
    const { turnId } = await r.agent.send({ conversationId: r.conversationId, text: "Go" });
    await r.until("turn.tool.started", turnId);
    await stopAt(r, turnId, script);
    expect((signal as AbortSignal | null)?.aborted).toBe(true);
  });

  it("during consolidation aborts the side call", async () => {
    const script = { next: false };
    const model = scriptedModel({
      think: () => (script.next ? "Next." : search("eels")),
      structured: () => new Promise(() => {}),
    });
    const r = rig({ model, tools: [fakeTool("search")] });
    const { turnId } = await r.agent.send({ conversationId: r.conversationId, text: "Go" });
    await r.until("turn.tool.ended", turnId);
    await stopAt(r, turnId, script);
  });

  it("during approval withdraws the question: nothing ran, and a late decision changes nothing", async () => {
    const script = { next: false };
    const tool = fakeTool("web", { safety: "sensitive" });
    const model = scriptedModel({
      think: () => (script.next ? "Next." : { calls: [{ name: "web", args: { query: "eels" } }] }),
    });
    const r = rig({ model, tools: [tool], gate: fixedGate("ask") });
    const { turnId } = await r.agent.send({ conversationId: r.conversationId, text: "Go" });
    const { callId } = await r.until("turn.approval", turnId);
    await stopAt(r, turnId, script);
    expect(tool.calls).toEqual([]);
    expect(() => r.agent.decide({ turnId, callId, decision: "allow", remember: "once" })).toThrow("already ended");
    expect(tool.calls).toEqual([]);
  });

  it("during a question back withdraws it", async () => {
    const script = { next: false };
    const ask = fakeTool("ask_user", { asks: () => ({ question: "Which weir?", options: ["Brackwell", "Mill"] }) });
    const model = scriptedModel({ think: () => (script.next ? "Next." : { calls: [{ name: "ask_user", args: {} }] }) });
    const r = rig({ model, tools: [ask] });
    const { turnId } = await r.agent.send({ conversationId: r.conversationId, text: "Go" });
    await r.until("turn.question", turnId);
    await stopAt(r, turnId, script);
  });
});

describe("what fails outside the model", () => {
  it("no model: the message is kept, the turn says why, and works once there is one", async () => {
    const model = scriptedModel({ think: () => "Here." });
    let there = false;
    const r = rig({
      model: async () => {
        if (!there) throw new CredenceError("general.not-found", { what: "model", id: "chat" });
        return model;
      },
    });
    const events = await r.ask("Hello");
    expect(ending(events)).toMatchObject({ outcome: "degraded", note: expect.stringContaining("There is no model") });
    there = true;
    expect(ending(await r.ask("Hello again"))).toMatchObject({ outcome: "completed" });
    expect(r.conversations.history(r.conversationId).map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
  });

  it("recall and beliefs that fail or hang only mean that nothing was found", async () => {
    const model = scriptedModel({ think: () => "Without notes." });
    const r = rig({
      model,
      recall: { recall: () => Promise.reject(new Error("index is gone")) },
      beliefs: { snapshot: () => "", relevant: () => Promise.reject(new Error("no")), weigh: async () => [] },
    });
    expect(ending(await r.ask("What do you remember of eels?"))).toMatchObject({ outcome: "completed" });
  });

  it("an empty reply is not an answer: it is asked again, then nudged, then honestly given up", async () => {
    const model = scriptedModel({ think: () => "  " });
    const r = rig({ model });
    expect(ending(await r.ask("Say something"))).toMatchObject({ outcome: "failed" });
    expect(model.prompts).toHaveLength(3);
    expect(answerOf(r)?.content).not.toBe("");
  });

  it("a budget that is spent ends the turn and tells the user", async () => {
    const model = scriptedModel({ think: (_, n) => search(`q${n}`) });
    const r = rig({ model, tools: [fakeTool("search")], costLimits: { tokens: 600, ms: 60_000 } });
    const events = await r.ask("Search");
    expect(ending(events)).toMatchObject({
      outcome: "failed",
      note: expect.stringContaining("has used its 600 tokens"),
    });
    expect(model.prompts.length).toBeLessThan(12);
  });
});

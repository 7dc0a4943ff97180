/** One test for each statement of the second requirement document about what the loop does. */
import { describe, expect, it } from "vitest";
import { CredenceError, type MessageId } from "../../../../core/contract/index.ts";
import { ManualClock } from "../../../../core/platform/index.ts";
import { createCircuitBreaker } from "../../../../core/tools/circuit-breaker.ts";
import { createToolRegistry } from "../../../../core/tools/registry.ts";
import type { AnyTool } from "../../../../core/tools/types.ts";
import { fakeTool, fixedGate } from "../../../support/agent-rig.ts";
import { RAW, type Reply, scriptedModel } from "../../../support/scripted-model.ts";
import { answer, asked, call, conformanceRig, ending, eventsOf, outcomes, phases, system } from "./rig.ts";

const open = conformanceRig();
const batch = (...names: string[]): Reply => ({ calls: names.map((name) => ({ name, args: { query: name } })) });

describe("three stages in order", () => {
  it("context, inference, response: nothing is asked of the model before the context stands, nothing stored after the end", async () => {
    const model = scriptedModel({ think: () => "Yes." });
    const rig = open({ model });
    const events = await rig.ask("Is it so?");
    expect(events.map((event) => event.type).filter((type) => type !== "turn.token")).toEqual([
      "turn.started",
      "turn.phase",
      "turn.phase",
      "turn.prompt",
      "turn.usage",
      "turn.phase",
      "turn.ended",
    ]);
    expect(phases(events)).toEqual(["CONTEXT", "THINKING", "COMPLETED"]);
    expect(answer(rig)).toMatchObject({ state: "complete", content: "Yes." });
  });

  it("the context stage takes history, memory, knowledge and the system prompt together into one prompt", async () => {
    const model = scriptedModel({ think: () => "Yes." });
    const rig = open({
      model,
      recall: {
        recall: async () => [
          {
            kind: "memory",
            sourceId: "m",
            title: "You said",
            place: "",
            text: "I keep bees.",
            mark: null,
            score: 1,
            why: "",
          },
          {
            kind: "document",
            sourceId: "d",
            title: "Bee book",
            place: "p. 2",
            text: "Bees need water.",
            mark: null,
            score: 0.5,
            why: "",
          },
        ],
      },
    });
    await rig.ask("How are things with the hive?");
    await rig.ask("What do my animals need?");
    expect(system(model, 2)).toContain("You are Credence");
    expect(model.prompts[1]?.messages).toHaveLength(4);
    expect(asked(model, 2)).toContain("[1] You said: I keep bees.");
    expect(asked(model, 2)).toContain("[2] Bee book, p. 2: Bees need water.");
  });

  it("the compressor steps in when the history nears the limit, keeps the last rounds whole and the budget is counted again", async () => {
    const model = scriptedModel({
      window: 2_048,
      think: (_, n) => `Answer ${n}. ${"Words on bees. ".repeat(50)}`,
      structured: () => ({
        intent: "Bees",
        key_facts: ["Bees need water."],
        decisions: [],
        open_threads: [],
        closed_threads: [],
      }),
    });
    const rig = open({ model });
    for (let i = 0; i < 9; i++) await rig.ask(`Question ${i} ${"on bees ".repeat(30)}`);
    const last = model.prompts.at(-1);
    expect(last?.messages[0]?.content).toContain("Bees need water.");
    const previous = rig.conversations.history(rig.conversationId).slice(-4, -2);
    expect(last?.messages.slice(-3, -1).map((message) => message.content)).toEqual(
      previous.map((message) => message.content),
    );
    const split = eventsOf(rig.events, "turn.prompt").at(-1)?.budget;
    expect(split?.total).toBeLessThanOrEqual((split?.effective ?? 0) - (split?.reserved ?? 0));
  });

  it("critical tool results outlive the messages around them", async () => {
    const model = scriptedModel({
      think: (_, n) => (n === 1 ? call("search") : `Answer ${n}.`),
      structured: (messages) =>
        messages[0]?.content.includes("notebook")
          ? { intent: "", key_facts: [], decisions: [], open_threads: [], closed_threads: [] }
          : { long_term_memory: "The joint is 14 mm wide.", short_term_memory: "Enough." },
    });
    const rig = open({ model, tools: [fakeTool("search")] });
    for (let i = 0; i < 12; i++) await rig.ask(`Question ${i}`);
    await rig.agent.idle();
    await rig.ask("One more");
    expect(system(model, model.prompts.length)).toContain("Found with tools:\n- The joint is 14 mm wide.");
  });

  it("inference asks the router for a model that can chat, once a turn", async () => {
    const model = scriptedModel({ think: () => "Yes." });
    let asks = 0;
    const rig = open({
      model: async () => {
        asks += 1;
        return model;
      },
    });
    await rig.ask("Is it so?");
    expect(asks).toBe(1);
  });

  it("inference streams tokens as they come, and a listener that comes late resumes where it was", async () => {
    const model = scriptedModel({ think: () => ({ hang: true, text: "The beginning of a long answer" }) });
    const rig = open({ model });
    const { turnId } = await rig.agent.send({ conversationId: rig.conversationId, text: "Go" });
    const first = await rig.until("turn.token", turnId);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const rest = rig.agent.replay(turnId, first.seq);
    expect(rest.ended).toBe(false);
    expect(
      first.text +
        eventsOf(rest.events, "turn.token")
          .map((event) => event.text)
          .join(""),
    ).toBe("The beginning of a long answer");
    await rig.agent.stop(turnId);
  });

  it("inference iterates until no tool is called any more", async () => {
    const model = scriptedModel({ think: (_, n) => (n < 4 ? call("search", `q${n}`) : "Done.") });
    const events = await open({ model, tools: [fakeTool("search")] }).ask("Go");
    expect(phases(events).filter((phase) => phase === "THINKING")).toHaveLength(4);
  });

  it("the response stage queues what follows and records the cost", async () => {
    const exchanges: string[] = [];
    const weighed: string[] = [];
    const model = scriptedModel({ think: () => "I see." });
    const rig = open({
      model,
      episodes: {
        exchange: async ({ userText, answer: text }) => void exchanges.push(`${userText} / ${text}`),
        finding: async () => {},
      },
      beliefs: {
        snapshot: () => "",
        relevant: async () => [],
        weigh: async ({ text }) => {
          weighed.push(text);
          return [
            {
              beliefId: "b",
              revisionId: null,
              outcome: "did-not-move",
              statement: "Bees",
              before: null,
              after: null,
              uncertainty: null,
              why: "anecdote",
            },
          ];
        },
      },
    });
    const events = await rig.ask("My uncle says bees are lazy.");
    expect(eventsOf(events, "turn.usage")[0]).toMatchObject({ generatedTokens: 2, budget: 5_324 });
    expect(weighed).toEqual([]);
    await rig.agent.idle();
    expect(weighed).toEqual(["My uncle says bees are lazy."]);
    expect(exchanges).toEqual(["My uncle says bees are lazy. / I see."]);
    const { events: trail } = rig.agent.trail(answer(rig)?.id as MessageId);
    expect(trail.at(-1)).toMatchObject({ type: "turn.belief", note: { outcome: "did-not-move" } });
    expect(rig.db.read<{ n: number }>("SELECT count(*) AS n FROM bookkeeping").get()?.n).toBe(0);
  });

  it("an ephemeral conversation leaves nothing behind: no weighing, no episode, no output on disk", async () => {
    const kept: string[] = [];
    const model = scriptedModel({ think: (_, n) => (n === 1 ? call("search") : "Secret.") });
    const contexts: boolean[] = [];
    const tool = fakeTool("search", {
      run(_, context) {
        contexts.push(context.ephemeral);
        return { text: "x", summary: "" };
      },
    });
    const rig = open({
      model,
      ephemeral: true,
      tools: [tool],
      episodes: { exchange: async () => void kept.push("exchange"), finding: async () => void kept.push("finding") },
      beliefs: {
        snapshot: () => "",
        relevant: async () => [],
        weigh: async () => {
          kept.push("weigh");
          return [];
        },
      },
    });
    await rig.ask("Between us: the key is under the mat.");
    await rig.agent.idle();
    expect(kept).toEqual([]);
    expect(contexts).toEqual([true]);
    expect(model.prompts.every((prompt) => prompt.keepState === false)).toBe(true);
    rig.conversations.purgeDeleted();
    expect(
      rig.db
        .read<{ n: number }>("SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM turn_events) AS n")
        .get()?.n,
    ).toBe(0);
  });

  it("findings of more than 50 characters become episodes of their own", async () => {
    const findings: string[] = [];
    const model = scriptedModel({
      think: (_, n) => (n <= 2 ? call("search", `q${n}`) : "So."),
      structured: (_, n) => ({
        long_term_memory: n === 1 ? "Short." : "97 of 118 tagged eels passed the weir at night, in spring.",
        short_term_memory: "",
      }),
    });
    const rig = open({
      model,
      tools: [fakeTool("search")],
      episodes: { exchange: async () => {}, finding: async ({ text }) => void findings.push(text) },
    });
    await rig.ask("When?");
    await rig.agent.idle();
    expect(findings).toEqual(["97 of 118 tagged eels passed the weir at night, in spring."]);
  });
});

describe("the approval gate", () => {
  const web = () => fakeTool("web", { safety: "sensitive", leaves: () => "Your question goes to example.org" });
  const once = () => scriptedModel({ think: (_, n) => (n === 1 ? call("web") : "So.") });

  it("allow runs the call at once", async () => {
    const tool = web();
    const events = await open({ model: once(), tools: [tool], gate: fixedGate("allow") }).ask("Look");
    expect(phases(events)).not.toContain("WAITING_APPROVAL");
    expect(tool.calls).toHaveLength(1);
  });

  it("ask pauses the loop and shows what would leave and the arguments; approved, the call runs", async () => {
    const tool = web();
    const gate = fixedGate("ask");
    const rig = open({ model: once(), tools: [tool], gate });
    const { turnId } = await rig.agent.send({ conversationId: rig.conversationId, text: "Look" });
    const approval = await rig.until("turn.approval", turnId);
    expect(approval).toMatchObject({
      tool: "web",
      safety: "sensitive",
      leaves: "Your question goes to example.org",
      args: { query: "eels" },
    });
    expect(tool.calls).toHaveLength(0);
    rig.agent.decide({ turnId, callId: approval.callId, decision: "allow", remember: "conversation" });
    await rig.until("turn.ended", turnId);
    expect(tool.calls).toHaveLength(1);
    expect(gate.remembered).toMatchObject([{ tool: "web", decision: "allow", remember: "conversation" }]);
    expect(phases(rig.eventsOf(turnId))).toEqual([
      "CONTEXT",
      "THINKING",
      "ACTING",
      "WAITING_APPROVAL",
      "ACTING",
      "THINKING",
      "COMPLETED",
    ]);
  });

  it("a refusal by the user goes back to the model with its reason, and nothing ran", async () => {
    const tool = web();
    const model = once();
    const rig = open({ model, tools: [tool], gate: fixedGate("ask") });
    const { turnId } = await rig.agent.send({ conversationId: rig.conversationId, text: "Look" });
    const { callId } = await rig.until("turn.approval", turnId);
    rig.agent.decide({ turnId, callId, decision: "deny", remember: "once", reason: "not this site" });
    await rig.until("turn.ended", turnId);
    expect(tool.calls).toHaveLength(0);
    expect(asked(model, 2)).toContain("refused; The user refused: not this site");
  });

  it("deny refuses without asking, and the reason goes back to the model", async () => {
    const tool = web();
    const model = once();
    const events = await open({ model, tools: [tool], gate: fixedGate("deny", "The web is off.") }).ask("Look");
    expect(outcomes(events)).toEqual(["denied"]);
    expect(tool.calls).toHaveLength(0);
    expect(asked(model, 2)).toContain("refused; The web is off.");
  });
});

describe("the circuit breaker", () => {
  it("closed, open after failures in a row, half-open after the cool-down, closed again by a success", async () => {
    const clock = new ManualClock();
    let broken = true;
    const tool = fakeTool("search", {
      run: () => (broken ? Promise.reject(new Error("down")) : { text: "x", summary: "" }),
    });
    const breaker = createCircuitBreaker(clock, { failures: 3, coolDownMs: 60_000, maxCoolDownMs: 600_000 });
    const model = scriptedModel({
      think: (request, n) => (request.tools && n % 2 === 1 ? call("search", `q${n}`) : "So."),
    });
    const rig = open({ model, tools: [tool], breaker });
    for (let i = 0; i < 3; i++) expect(outcomes(await rig.ask("Search it"))).toEqual(["error"]);
    expect(breaker.state("search")).toBe("open");
    expect(outcomes(await rig.ask("Search it"))).toEqual(["circuit-open"]);
    expect(tool.calls).toHaveLength(3);
    broken = false;
    await clock.advance(60_000);
    expect(outcomes(await rig.ask("Search it"))).toEqual(["ok"]);
    expect(breaker.state("search")).toBe("closed");
  });
});

describe("the tool registry", () => {
  it("a tool that comes or goes while Credence runs is offered, or not, from the next step on", async () => {
    const registry = createToolRegistry();
    const late: AnyTool = fakeTool("from_server");
    let leave = () => {};
    const model = scriptedModel({
      think(_, n) {
        if (n === 1) leave = registry.register(late);
        if (n === 2) leave();
        return n <= 2 ? call("search", `q${n}`) : "So.";
      },
    });
    registry.register(fakeTool("search"));
    const rig = open({ model, registry });
    await rig.ask("Go");
    expect(model.prompts.map((prompt) => prompt.tools?.map((tool) => tool.name).sort())).toEqual([
      ["search"],
      ["from_server", "search"],
      ["search"],
    ]);
  });

  it("a tool that cannot run now is not offered, and a call to it is unknown", async () => {
    const off = fakeTool("web", { unavailable: () => "The network is off." });
    const model = scriptedModel({ think: (_, n) => (n === 1 ? call("web") : "So.") });
    await open({ model, tools: [off, fakeTool("search")] }).ask("Look on the web");
    expect(model.prompts[0]?.tools?.map((tool) => tool.name)).toEqual(["search"]);
    expect(off.calls).toHaveLength(0);
    expect(asked(model, 2)).toContain("There is no tool named web");
  });
});

describe("iteration control and batches", () => {
  it("the ceiling is configurable", async () => {
    const model = scriptedModel({ think: (_, n) => call("search", `q${n}`) });
    const events = await open({ model, tools: [fakeTool("search")], maxIterations: 3 }).ask("Go");
    expect(model.prompts).toHaveLength(3);
    expect(ending(events)).toMatchObject({ outcome: "failed", note: expect.stringContaining("3 steps") });
  });

  it("safe tools of one reply run side by side; the others one after another, each through the gate", async () => {
    const log: string[] = [];
    const slow = (name: string, safety: "safe" | "sensitive" | "destructive") =>
      fakeTool(name, {
        safety,
        async run() {
          log.push(`${name} begins`);
          await new Promise((resolve) => setTimeout(resolve, 15));
          log.push(`${name} ends`);
          return { text: `${RAW} ${name}`, summary: "" };
        },
      });
    const asks: string[] = [];
    const model = scriptedModel({ think: (_, n) => (n === 1 ? batch("a", "s", "b", "d") : "So.") });
    const gate = fixedGate("allow");
    const rig = open({
      model,
      tools: [slow("a", "safe"), slow("b", "safe"), slow("s", "sensitive"), slow("d", "destructive")],
      gate: {
        ...gate,
        decide(tool, args, id) {
          asks.push(tool.name);
          return gate.decide(tool, args, id);
        },
      },
    });
    const events = await rig.ask("Go");
    expect(log).toEqual(["a begins", "b begins", "a ends", "b ends", "s begins", "s ends", "d begins", "d ends"]);
    expect(asks).toEqual(["a", "b", "s", "d"]);
    expect(eventsOf(events, "turn.consolidated")).toHaveLength(1);
  });
});

describe("the loop ends when", () => {
  it("the model calls no tool", async () => {
    expect(ending(await open({ model: scriptedModel({ think: () => "Text." }) }).ask("Go"))?.outcome).toBe("completed");
  });

  it("the user sends a new message, which is then answered", async () => {
    const model = scriptedModel({ think: (_, n) => (n === 1 ? { hang: true, text: "Long" } : "Short.") });
    const rig = open({ model });
    const first = await rig.agent.send({ conversationId: rig.conversationId, text: "One" });
    await rig.until("turn.token", first.turnId);
    await rig.ask("Two");
    expect(ending(rig.eventsOf(first.turnId))).toMatchObject({
      outcome: "interrupted",
      note: "Your next message stopped this answer.",
    });
    expect(answer(rig)?.content).toBe("Short.");
  });

  it("the token budget or the time is spent, and the user is told", async () => {
    const tokens = open({
      model: scriptedModel({ think: (_, n) => call("search", `q${n}`) }),
      tools: [fakeTool("search")],
      costLimits: { tokens: 500, ms: 1e6 },
    });
    expect(ending(await tokens.ask("Go"))?.note).toContain("500 tokens");
    const time = open({ model: scriptedModel({ think: () => ({ hang: true }) }), costLimits: { tokens: 1e6, ms: 30 } });
    expect(ending(await time.ask("Go"))).toMatchObject({
      outcome: "failed",
      note: expect.stringContaining("has used its"),
    });
  });
});

describe("when things go wrong", () => {
  it("degraded mode answers with a fixed text, logs the error, and tells the user what to do", async () => {
    const logged: string[] = [];
    const log = { info() {}, warn() {}, error: (event: string) => void logged.push(event) };
    const failure = new CredenceError("general.unexpected", { detail: "x" });
    const rig = open({ model: scriptedModel({ think: () => ({ fail: failure }) }), log });
    const events = await rig.ask("Hello?");
    expect(answer(rig)).toMatchObject({
      state: "failed",
      content: "I could not answer this message. It is kept, and nothing that was stored is lost.",
    });
    expect(eventsOf(events, "turn.degraded")[0]).toMatchObject({ action: "Try the message again." });
    expect(logged).toContain("turn.degraded");
  });

  it("without retrieval the answer comes from the conversation alone", async () => {
    const model = scriptedModel({ think: () => "From our talk." });
    const rig = open({ model, recall: { recall: () => Promise.reject(new Error("embedding failed")) } });
    await rig.ask("My boat is called Selkie.");
    await rig.ask("What is my boat called?");
    expect(model.prompts[1]?.messages[1]?.content).toBe("My boat is called Selkie.");
    expect(answer(rig)?.state).toBe("complete");
  });

  it("something is heard of a turn at least every two seconds while it runs", async () => {
    const clock = new ManualClock();
    const model = scriptedModel({ think: () => ({ hang: true }) });
    const rig = open({ model, clock });
    const { turnId } = await rig.agent.send({ conversationId: rig.conversationId, text: "Go" });
    await rig.until("turn.prompt", turnId);
    await clock.advance(10_000);
    const times = rig.eventsOf(turnId).map((event) => event.at);
    for (let i = 1; i < times.length; i++) expect((times[i] ?? 0) - (times[i - 1] ?? 0)).toBeLessThanOrEqual(2_000);
    expect(eventsOf(rig.eventsOf(turnId), "turn.heartbeat").at(-1)?.label).toBe("Thinking");
    await rig.agent.stop(turnId);
  });
});

describe("the session lock", () => {
  it("only one turn runs in a conversation, while another conversation goes on beside it", async () => {
    let running = 0;
    let most = 0;
    const model = scriptedModel({ think: () => "Yes." });
    const generate = model.generate.bind(model);
    model.generate = async (request, options) => {
      if (request.cacheKey === first) most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      const result = await generate(request, options);
      if (request.cacheKey === first) running -= 1;
      return result;
    };
    const rig = open({ model });
    const first = rig.conversationId;
    const second = rig.conversations.create().id;
    await Promise.all([
      ...["a", "b", "c"].map((text) => rig.agent.send({ conversationId: first, text })),
      rig.ask("d", second),
    ]);
    await rig.agent.idle();
    expect(most).toBe(1);
    expect(rig.conversations.history(second)).toHaveLength(2);
  });

  it("is held over all three stages and released whatever is thrown", async () => {
    const model = scriptedModel({ think: () => "Yes." });
    const rig = open({ model, proposerFor: () => Promise.reject(new Error("context broke")) });
    for (let i = 0; i < 3; i++) expect(ending(await rig.ask("Go"))?.outcome).toBe("degraded");
    await rig.agent.idle();
    expect(rig.agent.busy).toBe(false);
  });
});

describe("a question back", () => {
  it("pauses in CLARIFYING; the user's words become the result and the loop goes on", async () => {
    const ask = fakeTool("ask_user", { asks: () => ({ question: "Which weir?", options: ["Brackwell", "Mill"] }) });
    const model = scriptedModel({ think: (_, n) => (n === 1 ? call("ask_user") : "At Brackwell, at night.") });
    const rig = open({ model, tools: [ask] });
    const { turnId } = await rig.agent.send({
      conversationId: rig.conversationId,
      text: "When do eels pass the weir?",
    });
    expect(await rig.until("turn.question", turnId)).toMatchObject({
      question: "Which weir?",
      options: ["Brackwell", "Mill"],
    });
    rig.agent.clarify(turnId, "Brackwell");
    await rig.until("turn.ended", turnId);
    expect(phases(rig.eventsOf(turnId))).toEqual([
      "CONTEXT",
      "THINKING",
      "ACTING",
      "CLARIFYING",
      "ACTING",
      "THINKING",
      "COMPLETED",
    ]);
    expect(model.sidePrompts[0]?.at(-1)?.content).toContain("The user answered: Brackwell");
    expect(ask.calls).toEqual([]);
  });
});

describe("waiting for the user", () => {
  it("costs no time: the turn is still there an hour later", async () => {
    const clock = new ManualClock();
    const ask = fakeTool("ask_user", { asks: () => ({ question: "Which weir?", options: [] }) });
    const model = scriptedModel({ think: (_, n) => (n === 1 ? call("ask_user") : "At Brackwell.") });
    const rig = open({ model, tools: [ask], clock, costLimits: { tokens: 1e6, ms: 60_000 } });
    const { turnId } = await rig.agent.send({ conversationId: rig.conversationId, text: "When?" });
    await rig.until("turn.question", turnId);
    await clock.advance(3_600_000);
    rig.agent.clarify(turnId, "Brackwell");
    await rig.until("turn.ended", turnId);
    expect(ending(rig.eventsOf(turnId))?.outcome).toBe("completed");
  });
});

describe("one iteration with a call", () => {
  it("model, gate, registry, tool, model: in this order", async () => {
    const order: string[] = [];
    const tool = fakeTool("search", {
      run() {
        order.push("tool");
        return { text: "x", summary: "" };
      },
    });
    const gate = fixedGate("allow");
    const model = scriptedModel({
      think(_, n) {
        order.push("model");
        return n === 1 ? call("search") : "So.";
      },
    });
    const rig = open({
      model,
      tools: [tool],
      gate: {
        ...gate,
        decide(...args) {
          order.push("gate");
          return gate.decide(...args);
        },
      },
    });
    await rig.ask("Go");
    expect(order).toEqual(["model", "gate", "tool", "model"]);
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { CredenceError } from "../../../core/contract/index.ts";
import { type AgentRig, fakeTool, openRig, type RigOptions } from "../../support/agent-rig.ts";
import { scriptedModel } from "../../support/scripted-model.ts";

const rigs: AgentRig[] = [];
function rig(options: RigOptions): AgentRig {
  const opened = openRig(options);
  rigs.push(opened);
  return opened;
}
afterEach(async () => {
  for (const opened of rigs.splice(0)) await opened.close();
});

const types = (events: readonly { type: string }[]) => events.map((event) => event.type);

describe("a direct answer", () => {
  it("takes one model call, is streamed, stored and numbered without gaps", async () => {
    const model = scriptedModel({ think: () => "Hello. What shall we talk about?" });
    const r = rig({ model });
    const events = await r.ask("Hello there");
    expect(model.prompts).toHaveLength(1);
    expect(model.sidePrompts).toHaveLength(0);
    expect(model.violations).toEqual([]);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
    expect(types(events).filter((type) => type !== "turn.token")).toEqual([
      "turn.started",
      "turn.phase",
      "turn.phase",
      "turn.prompt",
      "turn.usage",
      "turn.phase",
      "turn.ended",
    ]);
    const [user, answer] = r.conversations.history(r.conversationId);
    expect(user).toMatchObject({ role: "user", content: "Hello there", state: "complete" });
    expect(answer).toMatchObject({
      role: "assistant",
      content: "Hello. What shall we talk about?",
      state: "complete",
      note: null,
    });
    expect(r.conversations.get(r.conversationId)).toMatchObject({
      title: "Hello there",
      titled: false,
      activeTurn: null,
    });
  });

  it("carries the conversation on word for word", async () => {
    const model = scriptedModel({ think: (_, n) => `Answer ${n}.` });
    const r = rig({ model });
    await r.ask("First question");
    await r.ask("Second question");
    expect(model.prompts[1]?.messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ["user", "First question"],
      ["assistant", "Answer 1."],
      ["user", "Second question"],
    ]);
  });
});

describe("a turn that cannot go on", () => {
  it("ends in degraded mode with fixed words and what to do, and the next turn works", async () => {
    const failure = new CredenceError("general.unexpected", { detail: "engine" });
    const model = scriptedModel({ think: (_, n) => (n === 1 ? { fail: failure } : "Back again.") });
    const r = rig({ model });
    const events = await r.ask("Are you there?");
    expect(types(events)).toContain("turn.degraded");
    const answer = r.conversations.history(r.conversationId)[1];
    expect(answer).toMatchObject({
      state: "failed",
      content: expect.stringContaining("I could not answer this message"),
    });
    expect(answer?.note).toContain("Try the message again");
    const next = await r.ask("And now?");
    expect(next.at(-1)).toMatchObject({ type: "turn.ended", outcome: "completed" });
  });

  it("keeps what was written when the engine dies in the middle", async () => {
    const model = scriptedModel({ think: () => ({ hang: true, text: "Half an answer" }) });
    const r = rig({ model });
    const { turnId } = await r.agent.send({ conversationId: r.conversationId, text: "Tell me" });
    await r.until("turn.token", turnId);
    await r.agent.stop(turnId);
    expect(r.conversations.history(r.conversationId)[1]).toMatchObject({
      state: "interrupted",
      content: "Half an answer",
      note: "You stopped this answer.",
    });
    expect(r.conversations.get(r.conversationId).activeTurn).toBeNull();
  });
});

describe("the session lock", () => {
  it("lets a new message interrupt the running turn, and both messages are stored in order", async () => {
    const model = scriptedModel({ think: (_, n) => (n === 1 ? { hang: true, text: "Long…" } : "Short.") });
    const r = rig({ model });
    const first = await r.agent.send({ conversationId: r.conversationId, text: "One" });
    await r.until("turn.token", first.turnId);
    await r.ask("Two");
    expect(r.conversations.history(r.conversationId).map(({ content, state }) => [content, state])).toEqual([
      ["One", "complete"],
      ["Long…", "interrupted"],
      ["Two", "complete"],
      ["Short.", "complete"],
    ]);
  });

  it("stores every one of several messages sent at once and answers the last", async () => {
    const model = scriptedModel({ think: (request) => `Re: ${request.messages.at(-1)?.content}` });
    const r = rig({ model });
    const started = await Promise.all(
      ["a", "b", "c"].map((text) => r.agent.send({ conversationId: r.conversationId, text })),
    );
    for (const { turnId } of started) await r.until("turn.ended", turnId);
    const outcomes = started.map(({ turnId }) => r.eventsOf(turnId).at(-1));
    expect(outcomes.map((event) => (event?.type === "turn.ended" ? event.outcome : null))).toEqual([
      "interrupted",
      "interrupted",
      "completed",
    ]);
    expect(
      r.conversations
        .history(r.conversationId)
        .filter((message) => message.role === "user")
        .map((message) => message.content),
    ).toEqual(["a", "b", "c"]);
  });
});

describe("an action", () => {
  it("runs the tool, consolidates once, and answers without any raw output in the prompt", async () => {
    const tool = fakeTool("search_library");
    const model = scriptedModel({
      think: (_, n) =>
        n === 1 ? { calls: [{ name: "search_library", args: { query: "eels" } }] } : "Eels pass at night.",
    });
    const r = rig({ model, tools: [tool] });
    const events = await r.ask("When do eels pass?");
    expect(tool.calls).toEqual([{ query: "eels" }]);
    expect(types(events).filter((type) => type === "turn.consolidated")).toHaveLength(1);
    expect(model.violations).toEqual([]);
    expect(model.prompts[1]?.messages.at(-1)?.content).toContain("Finding 1");
    expect(r.conversations.history(r.conversationId)[1]?.content).toBe("Eels pass at night.");
  });
});

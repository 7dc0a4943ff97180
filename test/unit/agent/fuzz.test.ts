import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../../core/agent/fingerprint.ts";
import type { TurnEvent } from "../../../core/contract/index.ts";
import { fakeTool, fixedGate, openRig } from "../../support/agent-rig.ts";
import { RAW, type Reply, scriptedModel } from "../../support/scripted-model.ts";

/** What one model reply may be: words, calls of all sorts, broken text, failures, silence. */
const reply: fc.Arbitrary<Reply> = fc.oneof(
  { weight: 3, arbitrary: fc.lorem({ maxCount: 12 }) },
  {
    weight: 6,
    arbitrary: fc
      .array(
        fc.record({
          name: fc.constantFrom("search", "web", "fails", "ask_user", "nowhere"),
          args: fc.record({ query: fc.constantFrom("a", "b", "c", "d") }),
        }),
        { minLength: 1, maxLength: 3 },
      )
      .map((calls) => ({ calls })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Reply>("", '{"name": "search", "arguments": {', "<tool_call>oops</tool_call>"),
  },
  { weight: 1, arbitrary: fc.constant<Reply>({ fail: new Error("engine gone") }) },
  { weight: 1, arbitrary: fc.constant<Reply>({ hang: true, text: "Endless" }) },
);

/** An output whose mark lies where an extract, which takes sentences short, never reaches. */
const output = `${"one of many words ".repeat(60)}${RAW}`;
const say = () => ({ text: output, summary: "1 result" });

/** What the user does once a turn of theirs runs. */
const conduct = fc.constantFrom("wait", "wait", "wait", "stop", "send again");

const session = fc.record({
  replies: fc.array(reply, { minLength: 1, maxLength: 25 }),
  turns: fc.array(conduct, { minLength: 1, maxLength: 4 }),
  decisions: fc.array(fc.constantFrom("allow" as const, "deny" as const), { minLength: 1, maxLength: 6 }),
  consolidates: fc.array(fc.constantFrom("finding", "nothing", "broken"), { minLength: 1, maxLength: 5 }),
  limit: fc.integer({ min: 1, max: 6 }),
});

describe("whole conversations with a model, tools and a user that do anything", () => {
  it("keep every promise of the loop", async () => {
    await fc.assert(
      fc.asyncProperty(session, async ({ replies, turns, decisions, consolidates, limit }) => {
        const model = scriptedModel({
          window: 4_096,
          think: (_, n) => replies[(n - 1) % replies.length] ?? "",
          structured(_, n) {
            const kind = consolidates[(n - 1) % consolidates.length];
            if (kind === "broken") throw new Error("not JSON");
            return { long_term_memory: kind === "finding" ? `Finding ${n}` : "", short_term_memory: "Go on." };
          },
        });
        const tools = [
          fakeTool("search", { run: say }),
          fakeTool("web", { safety: "sensitive", run: say }),
          fakeTool("fails", { run: () => Promise.reject(new Error(output)) }),
          fakeTool("ask_user", { asks: () => ({ question: "Which?", options: [] }) }),
        ];
        let decided = 0;
        const rig = openRig({
          model,
          tools,
          gate: {
            ...fixedGate("ask"),
            decide: (tool) => (tool.safety === "safe" ? { kind: "allow", because: "safe" } : { kind: "ask" }),
          },
          maxIterations: limit,
          publish(event) {
            // The user answers what is asked, a moment later.
            if (event.type === "turn.approval") {
              const decision = decisions[decided++ % decisions.length] ?? "deny";
              setTimeout(
                () =>
                  quietly(() =>
                    rig.agent.decide({ turnId: event.turnId, callId: event.callId, decision, remember: "once" }),
                  ),
                1,
              );
            }
            if (event.type === "turn.question")
              setTimeout(() => quietly(() => rig.agent.clarify(event.turnId, "This one")), 1);
            // A model that says nothing more is stopped.
            if (event.type === "turn.token" && event.text.startsWith("E"))
              setTimeout(() => void rig.agent.stop(event.turnId), 5);
          },
        });
        try {
          for (const [i, how] of turns.entries()) {
            const { turnId } = await rig.agent.send({ conversationId: rig.conversationId, text: `Message ${i}` });
            if (how === "stop") await rig.agent.stop(turnId);
            if (how !== "send again") await rig.until("turn.ended", turnId);
          }
          await rig.agent.idle();
          expect(model.violations).toEqual([]);
          expect(rig.agent.busy).toBe(false);
          expect(rig.conversations.get(rig.conversationId).activeTurn).toBeNull();
          const turnIds = new Set(rig.events.map((event) => event.turnId));
          expect(turnIds.size).toBe(turns.length);
          for (const id of turnIds) checkTurn(rig.eventsOf(id), limit);
          for (const message of rig.conversations.history(rig.conversationId))
            expect(message.state).not.toBe("streaming");
        } finally {
          await rig.close();
        }
      }),
      { numRuns: 30 },
    );
  }, 120_000);
});

function checkTurn(events: readonly TurnEvent[], limit: number): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
  const types = events.map((event) => event.type);
  expect(types.filter((type) => type === "turn.ended")).toHaveLength(1);
  expect(types.at(-1)).toBe("turn.ended");
  const thoughts = events.filter((event) => event.type === "turn.phase" && event.phase === "THINKING").length;
  expect(thoughts).toBeLessThanOrEqual(limit);

  const started = new Map(
    events.flatMap((event) => (event.type === "turn.tool.started" ? [[event.callId, event] as const] : [])),
  );
  const ran = events.flatMap((event) =>
    event.type === "turn.tool.ended" && (event.outcome === "ok" || event.outcome === "error") ? [event.callId] : [],
  );
  const prints = ran.map((id) => fingerprint(started.get(id)?.tool ?? "", started.get(id)?.args));
  expect(new Set(prints).size).toBe(prints.length);

  let openActions = 0;
  for (const event of events) {
    if (event.type === "turn.phase" && event.phase === "THINKING") openActions = 0;
    if (event.type === "turn.consolidated") expect(++openActions).toBe(1);
  }
}

/** A decision may come when the turn is over: then it is refused, and nothing else. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The turn ended in the meantime.
  }
}

import { afterEach, describe, expect, it } from "vitest";
import { type AgentRig, openRig } from "../../support/agent-rig.ts";
import { scriptedModel } from "../../support/scripted-model.ts";

let rig: AgentRig;
afterEach(() => rig.close());

const long = `The beginning is here. ${"Words on bees and water. ".repeat(2_000)}The end is here.`;

describe("a message larger than the whole budget", () => {
  it("becomes an attached document, the user sees that, and the stored message stays whole", async () => {
    const kept: string[] = [];
    const model = scriptedModel({ think: () => "I have looked at it." });
    rig = openRig({
      model,
      attach: {
        async attach({ text }) {
          kept.push(text);
          return { documentId: "doc_1", title: "The beginning is here" };
        },
      },
    });
    const events = await rig.ask(long);
    expect(kept).toEqual([long]);
    expect(events.find((event) => event.type === "turn.attached")).toMatchObject({
      title: "The beginning is here",
      characters: long.length,
    });
    const asked = model.prompts[0]?.messages.at(-1)?.content ?? "";
    expect(asked).toContain("attached as the document “The beginning is here”");
    expect(asked).toContain("The beginning is here.");
    expect(asked).toContain("The end is here.");
    expect(rig.conversations.history(rig.conversationId)[0]?.content).toBe(long);
    // Later turns see the same stand-in, so that the prompt's beginning does not change.
    await rig.ask("What was it about?");
    expect(model.prompts[1]?.messages[1]?.content).toBe(asked);
    expect(kept).toHaveLength(1);
    expect(model.violations).toEqual([]);
  });

  it("is refused in words where nothing may be kept, and nothing is cut in silence", async () => {
    const model = scriptedModel({ think: () => "never" });
    rig = openRig({
      model,
      ephemeral: true,
      attach: { attach: () => Promise.reject(new Error("must not be called")) },
    });
    const events = await rig.ask(long);
    expect(events.at(-1)).toMatchObject({
      outcome: "degraded",
      note: expect.stringContaining("Shorten it, or choose a model with a larger window"),
    });
    expect(model.prompts).toHaveLength(0);
  });
});

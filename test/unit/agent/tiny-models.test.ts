import { afterEach, describe, expect, it } from "vitest";
import { standsAlone, withoutEchoes } from "../../../core/agent/stages/tiny-models.ts";
import type { HistoryMessage } from "../../../core/context/index.ts";
import type { MessageId } from "../../../core/contract/index.ts";
import { type AgentRig, openRig } from "../../support/agent-rig.ts";
import { scriptedModel } from "../../support/scripted-model.ts";

let rig: AgentRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const round = (i: number, answer: string): HistoryMessage[] => [
  { id: `u${i}` as MessageId, role: "user", content: `Question ${i}` },
  { id: `a${i}` as MessageId, role: "assistant", content: answer },
];

describe("what a tiny model is shown of a conversation", () => {
  it("nothing, beside the conversation, for a message that stands for itself; all of it for one that points back", async () => {
    const model = scriptedModel({ parameters: 135e6, think: (_, n) => `Answer number ${n} is this.` });
    rig = openRig({ model });
    await rig.ask("My boat is called Selkie and she lies at Brackwell.");
    const events = await rig.ask("What is the capital of France?");
    await rig.ask("What is my boat called?");
    expect(model.prompts[1]?.messages).toHaveLength(2);
    expect(model.prompts[1]).toMatchObject({ lane: "side", keepState: false });
    expect(events.find((event) => event.type === "turn.prompt")?.budget.dropped).toMatchObject([
      { what: "2 earlier messages", reason: expect.stringContaining("stands for itself") },
    ]);
    expect(model.prompts[2]).toMatchObject({ lane: "conversation", cacheKey: rig.conversationId });
    expect(model.prompts[2]?.messages[1]?.content).toContain("Selkie");
  });

  it("everything, as soon as the model is larger or its size unknown", async () => {
    for (const size of [{ parameters: 494e6 }, {}]) {
      const model = scriptedModel({ ...size, think: () => "Answer." });
      rig = openRig({ model });
      await rig.ask("My boat is called Selkie.");
      await rig.ask("What is the capital of France?");
      expect(model.prompts[1]?.messages).toHaveLength(4);
      await rig.close();
    }
    rig = null;
  });

  it("no answers that open alike but the first, always in whole rounds", () => {
    const history = [
      ...round(1, "The user's answer is no. A."),
      ...round(2, "Paris."),
      ...round(3, "The user's answer is no. B."),
    ];
    expect(withoutEchoes(history).map((message) => message.id)).toEqual(["u1", "a1", "u2", "a2"]);
  });
});

describe("a message stands for itself", () => {
  it("when nothing in it points back", () => {
    for (const text of [
      "What is the capital of France?",
      "Name three colours of autumn leaves.",
      "How many legs has a spider?",
      "When do eels pass the weir? Search my documents.",
    ])
      expect(standsAlone(text), text).toBe(true);
    for (const text of [
      "And why is that?",
      "Summarise that in five words.",
      "What is my boat called?",
      "Go on",
      "What did we decide about the roof?",
    ]) {
      expect(standsAlone(text), text).toBe(false);
    }
  });
});

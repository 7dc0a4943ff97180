import { afterEach, expect } from "vitest";
import type { TurnEvent } from "../../../../core/contract/index.ts";
import { type AgentRig, openRig, type RigOptions } from "../../../support/agent-rig.ts";
import type { Reply, ScriptedModel } from "../../../support/scripted-model.ts";

export type EventOf<Type extends TurnEvent["type"]> = Extract<TurnEvent, { type: Type }>;

export function eventsOf<Type extends TurnEvent["type"]>(events: readonly TurnEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

export const phases = (events: readonly TurnEvent[]) => eventsOf(events, "turn.phase").map((event) => event.phase);
export const outcomes = (events: readonly TurnEvent[]) =>
  eventsOf(events, "turn.tool.ended").map((event) => event.outcome);
export const ending = (events: readonly TurnEvent[]) => eventsOf(events, "turn.ended")[0];
export const call = (name: string, query = "eels"): Reply => ({ calls: [{ name, args: { query } }] });
/** The last message of THINKING number n (from 1), as the model read it. */
export const asked = (model: ScriptedModel, n: number) => model.prompts[n - 1]?.messages.at(-1)?.content ?? "";
export const system = (model: ScriptedModel, n = 1) => model.prompts[n - 1]?.messages[0]?.content ?? "";
export const answer = (rig: AgentRig) => rig.conversations.history(rig.conversationId).at(-1);

/** Opens rigs for a file of tests; after each test no prompt may have broken a rule and no lock may be held. */
export function conformanceRig(): (options: RigOptions) => AgentRig {
  const open: { rig: AgentRig; options: RigOptions }[] = [];
  afterEach(async () => {
    for (const { rig, options } of open) {
      expect(rig.conversations.list().every((conversation) => conversation.activeTurn === null)).toBe(true);
      if (typeof options.model !== "function") expect(options.model.violations).toEqual([]);
    }
    for (const { rig } of open.splice(0)) await rig.close();
  });
  return (options) => {
    const rig = openRig(options);
    open.push({ rig, options });
    return rig;
  };
}

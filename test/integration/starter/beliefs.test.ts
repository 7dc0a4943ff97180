import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, createApp } from "../../../core/app.ts";
import { caps } from "../../../core/beliefs/arithmetic.ts";
import { askModel, combine, trialItems } from "../../../core/beliefs/scorer/model.ts";
import { createRuleScorer } from "../../../core/beliefs/scorer/rules.ts";
import { freezingTypes } from "../../../core/beliefs/types.ts";
import type { AppEvent, ConversationId } from "../../../core/contract/index.ts";
import { silentLog } from "../../../core/platform/index.ts";
import { nodeChildHost } from "../../../core/platform/node-child-host.ts";
import { Connection } from "../../../core/storage/index.ts";
import { weightsFolder } from "../../../models/fetch.ts";
import { manipulationItems } from "../../bench/evidence/data.ts";
import { childEntries, startEngine, starterChat } from "../models.ts";

const dataDir = mkdtempSync(join(tmpdir(), "credence-beliefs-"));
let app: App;
beforeAll(async () => {
  app = await createApp({
    dataDir,
    modelDirs: [weightsFolder],
    childHost: nodeChildHost(childEntries),
    log: silentLog,
  });
});
afterAll(async () => {
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Sends a message in the real loop and stops the answer at its first word: the message counts all the same. */
async function say(conversationId: ConversationId, text: string): Promise<void> {
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const off = app.on((event: AppEvent) => {
    if (!("turnId" in event) || event.conversationId !== conversationId) return;
    if (event.type === "turn.phase" && event.phase === "THINKING")
      void app.call("turns.stop", { turnId: event.turnId });
    if (event.type === "turn.ended") finish();
  });
  await app.call("turns.send", { conversationId, text });
  await ended;
  off();
}

/** Waits until every message that was said has been weighed. */
async function weighed(): Promise<void> {
  const db = new Connection(join(dataDir, "credence.db"), { readonly: true });
  const waiting = () =>
    db.read<{ n: number }>("SELECT count(*) AS n FROM bookkeeping WHERE step LIKE '%weigh'").get()!.n;
  while (waiting() > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  db.close();
}

async function table() {
  const { beliefs } = await app.call("beliefs.list", { limit: 1000 });
  return new Map(
    beliefs.map((one) => [
      one.id,
      {
        statement: one.statement,
        valence: one.valence,
        confidence: one.fullConfidence,
        supports: one.supports,
        contradicts: one.contradicts,
      },
    ]),
  );
}

const evidence = [
  "We counted silver eels at Brackwell weir with telemetry: 97 of 118 tagged eels passed at night (two seasons, n = 118).",
  "In a randomised trial of 412 adults with knee pain, the exercise group reported 23 % less pain than the controls after 12 weeks (95 % CI 15 to 31 %).",
  "Meter readings from 212 flats in solid-wall houses show that heat pumps used 91 kWh per square metre a year, down from 164 kWh with gas boilers.",
  "If the valve is shut and the meter still turns, then the leak lies before the valve. It is shut and the meter turns, therefore the leak lies before the valve.",
];

describe("real evidence in the real loop", () => {
  it("forms beliefs and moves them within their caps, in the right direction", async () => {
    const { id } = await app.call("conversations.create", {});
    for (const text of evidence) await say(id, text);
    await weighed();
    const formed = await table();
    expect(formed.size).toBe(evidence.length);
    for (const belief of formed.values()) {
      expect(belief.valence).toBeGreaterThan(0);
      expect(belief.valence).toBeLessThanOrEqual(caps.empirical_data);
    }
    await say(
      id,
      "A second telemetry study recorded 64 of 71 tagged silver eels that passed Brackwell weir at night (90 %).",
    );
    await say(
      id,
      "A camera survey measured that silver eels did not pass Brackwell weir at night: 80 of 96 eels passed by day.",
    );
    await weighed();
    const eels = [...formed].find(([, belief]) => /eels/.test(belief.statement))!;
    const { revisions } = await app.call("beliefs.get", { id: eels[0] });
    const steps = revisions.filter((row) => row.kind === "evidence").reverse();
    expect(steps.map((row) => Math.sign(row.arithmetic!.delta))).toEqual([1, 1, -1]);
    for (const row of steps) expect(Math.abs(row.arithmetic!.delta)).toBeLessThanOrEqual(row.arithmetic!.cap);
  });
});

describe("a hundred messages without evidence in the real loop", () => {
  it("move no belief and form none", async () => {
    const before = await table();
    const items = manipulationItems();
    expect(items.length).toBeGreaterThanOrEqual(100);
    const { id } = await app.call("conversations.create", {});
    for (const { text } of items) await say(id, text);
    await weighed();
    expect(await table()).toEqual(before);
  });
});

describe("the starter model as scorer", () => {
  const engine = startEngine();
  afterAll(() => engine.close());

  it("adds nothing that the rules would freeze, even if it were heard", async () => {
    const model = await engine.loadChat(starterChat());
    const embedder = await engine.loadEmbedder();
    const rules = createRuleScorer({ embedder: async () => embedder });
    const signal = AbortSignal.timeout(500_000);
    let right = 0;
    for (const [text, type] of trialItems) {
      const verdict = await askModel(model, text, signal).catch(() => null);
      if (verdict?.type === type) right++;
    }
    console.log(`the starter gets ${right} of ${trialItems.length} trial items right`);
    for (const { text } of manipulationItems().filter((_, i) => i % 9 === 0)) {
      const own = await rules.score(text, { topics: [] });
      const verdict = await askModel(model, text, signal).catch(() => null);
      const both = verdict ? combine(own, verdict, "starter") : own;
      expect(freezingTypes.has(own.reasoningType) && both.allowed, text).toBe(false);
      expect(both.allowed, text).toBe(false);
    }
  });
});

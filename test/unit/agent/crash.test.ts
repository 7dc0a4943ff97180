import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createAgent } from "../../../core/agent/index.ts";
import type { TurnEvent } from "../../../core/contract/index.ts";
import { Conversations } from "../../../core/conversations/index.ts";
import { silentLog, systemClock } from "../../../core/platform/index.ts";
import { Connection, migrate, migrations } from "../../../core/storage/index.ts";
import { scriptedModel } from "../../support/scripted-model.ts";

it("what was written before a kill is there afterwards, the turn has its end, and its bookkeeping is done", async () => {
  const folder = mkdtempSync(join(tmpdir(), "credence-crash-"));
  const weighed: string[] = [];
  const model = scriptedModel({ think: (_, n) => (n === 1 ? "Whole." : { hang: true, text: "Half of an answ" }) });
  const weigh = async ({ text }: { text: string }) => {
    weighed.push(text);
    return [];
  };
  const start = () => {
    const db = new Connection(join(folder, "credence.db"));
    migrate(db, migrations);
    const conversations = new Conversations({ db, clock: systemClock });
    const events: TurnEvent[] = [];
    const agent = createAgent({
      db,
      conversations,
      models: { chat: async () => model, embedder: async () => null },
      clock: systemClock,
      log: silentLog,
      publish: (event) => events.push(event),
      artifactsDir: join(folder, "artifacts"),
      settings: () => ({ maxIterations: 12 }),
      beliefs: { snapshot: () => "", relevant: async () => [], weigh },
    });
    return { db, conversations, agent, events };
  };
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  const first = start();
  const { id } = first.conversations.create();
  await first.agent.send({ conversationId: id, text: "One" });
  await until(() => first.events.some((event) => event.type === "turn.ended"));
  // The next turn begins before the bookkeeping of the first could; then the process is gone without a word.
  const { turnId } = await first.agent.send({ conversationId: id, text: "Two" });
  await until(() => first.conversations.history(id).at(-1)?.content === "Half of an answ");
  first.db.close();

  const second = start();
  expect(second.conversations.markInterrupted()).toBe(1);
  second.agent.recover();
  expect(second.conversations.history(id).map(({ content, state }) => [content, state])).toEqual([
    ["One", "complete"],
    ["Whole.", "complete"],
    ["Two", "complete"],
    ["Half of an answ", "interrupted"],
  ]);
  const trail = second.agent.replay(turnId, 0);
  expect(trail.ended).toBe(true);
  expect(trail.events.at(-1)).toMatchObject({ type: "turn.ended", outcome: "interrupted" });
  await second.agent.idle();
  expect(weighed).toEqual(["One"]);
  await second.agent.close();
  second.db.close();
  rmSync(folder, { recursive: true, force: true });
});

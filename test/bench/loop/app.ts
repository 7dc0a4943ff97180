/** The whole app under plain Node, with times measured where a user would see them. */
import { type App, createApp } from "../../../core/app.ts";
import { installedPaths } from "../../../core/cli/paths.ts";
import type { AppEvent, ConversationId, TurnEvent } from "../../../core/contract/index.ts";
import { Conversations } from "../../../core/conversations/index.ts";
import { silentLog, systemClock } from "../../../core/platform/index.ts";
import { nodeChildHost } from "../../../core/platform/node-child-host.ts";
import { Connection } from "../../../core/storage/index.ts";

export interface Timed {
  /** Milliseconds from sending to the first token, and to the end. */
  readonly firstMs: number;
  readonly totalMs: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly generatedTokens: number;
  readonly sideCalls: number;
  readonly tools: readonly string[];
  readonly outcome: string;
  readonly events: readonly TurnEvent[];
}

export async function openApp(dataDir: string, model?: string): Promise<App> {
  const paths = installedPaths();
  const app = await createApp({
    dataDir,
    modelDirs: paths.modelDirs,
    childHost: nodeChildHost(paths.entries),
    log: silentLog,
  });
  if (model) await app.call("models.import", { path: model, use: true });
  return app;
}

/** Sends a message and measures the turn; `stopAtFirst` ends it with its first token, where only that is wanted. */
export async function timedTurn(
  app: App,
  conversationId: ConversationId,
  text: string,
  stopAtFirst = false,
): Promise<Timed> {
  const events: TurnEvent[] = [];
  let firstMs = Number.NaN;
  const startedAt = performance.now();
  let turnId: TurnEvent["turnId"] | null = null;
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const off = app.on((event: AppEvent) => {
    if (!("turnId" in event) || event.conversationId !== conversationId) return;
    events.push(event);
    if (event.type === "turn.token" && Number.isNaN(firstMs)) {
      firstMs = performance.now() - startedAt;
      if (stopAtFirst && turnId) void app.call("turns.stop", { turnId });
    }
    if (event.type === "turn.ended") finish();
  });
  turnId = (await app.call("turns.send", { conversationId, text })).turnId;
  await ended;
  off();
  const usage = events.flatMap((event) => (event.type === "turn.usage" ? [event] : []));
  const sum = (pick: (event: (typeof usage)[number]) => number) =>
    usage.reduce((total, event) => total + pick(event), 0);
  return {
    firstMs,
    totalMs: performance.now() - startedAt,
    promptTokens: sum((event) => event.promptTokens),
    cachedTokens: sum((event) => event.cachedTokens),
    generatedTokens: sum((event) => event.generatedTokens),
    sideCalls: events.filter((event) => event.type === "turn.consolidated" && event.method === "model").length,
    tools: events.flatMap((event) => (event.type === "turn.tool.ended" ? [`${event.tool}:${event.outcome}`] : [])),
    outcome: events.flatMap((event) => (event.type === "turn.ended" ? [event.outcome] : []))[0] ?? "none",
    events,
  };
}

/** Writes a conversation of `rounds` rounds straight into a profile, as if it had been had. */
export function seedConversation(dataDir: string, topic: string, rounds: number, wordsARound: number): ConversationId {
  const db = new Connection(`${dataDir}/credence.db`);
  const conversations = new Conversations({ db, clock: systemClock });
  const { id } = conversations.create();
  for (let i = 0; i < rounds; i++) {
    const text = Array.from(
      { length: wordsARound },
      (_, w) => WORDS[(w * 7 + i * 13 + topic.length * 5) % WORDS.length],
    ).join(" ");
    const user = conversations.appendUser(
      id,
      `About ${topic}, part ${i + 1}: what do you make of this? ${text}.`,
      `turn_${topic}_${i}` as TurnEvent["turnId"],
    );
    const answer = conversations.beginAnswer({
      conversationId: id,
      turnId: user.turnId as TurnEvent["turnId"],
      replyTo: user.id,
      modelId: null,
      modelName: null,
    });
    conversations.endAnswer(answer.id, {
      state: "complete",
      content: `Part ${i + 1} on ${topic} says: ${text.split(" ").reverse().join(" ")}.`,
      reasoning: "",
      generatedTokens: null,
      tokensPerSecond: null,
      note: null,
    });
  }
  db.close();
  return id;
}

const WORDS =
  "river stone garden window letter summer engine bridge winter market candle forest copper island harbour paper silver morning shadow kitchen ladder meadow orchard pocket ribbon saddle timber valley wagon yellow basket castle dinner evening feather glass hammer iron jacket kettle".split(
    " ",
  );

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

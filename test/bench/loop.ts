/**
 * The loop as a user feels it, each figure against something measured in the same run: the first token of a greeting on a
 * warm app against a bare chat session; the second turn of a long conversation, and reopening it, against evaluating it
 * cold; tokens, side calls and seconds of each kind of turn.
 *
 *   npm run bench -- loop [--model FILE] [--tokens 5000] [--rounds 5] [--json]
 *
 * Goals: greeting at most 1.3 times the bare session, second turn at most 0.05 of cold, reopening at most 0.15 of cold.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemPrompt } from "../../core/agent/prompts.ts";
import { median, openApp, seedConversation, type Timed, timedTurn } from "./loop/app.ts";
import { openBareSession } from "./loop/bare-session.ts";

const { values } = parseArgs({
  options: {
    model: { type: "string" },
    tokens: { type: "string", default: "5000" },
    rounds: { type: "string", default: "5" },
    json: { type: "boolean", default: false },
  },
});
const say = (line: string) => {
  if (!values.json) console.log(line);
};
const dataDir = mkdtempSync(join(tmpdir(), "credence-bench-loop-"));
const rounds = Number(values.rounds);
const GREETINGS = ["Hello", "Good morning", "Hi there", "Hey", "Good evening", "Hello again", "Hi"];

try {
  let app = await openApp(dataDir, values.model);
  const fresh = async () => (await app.call("conversations.create", {})).id;
  await timedTurn(app, await fresh(), "Hello there", true);
  const { models } = await app.call("models.list", {});
  const model = models.find((installed) => installed.role === "chat" && installed.state === "ready");
  if (!model) throw new Error("No chat model is loaded");
  say(`${model.name}, window ${model.window}`);

  // 1. A greeting: the app against node-llama-cpp's own chat session with the same system prompt, taken in turns.
  const bare = await openBareSession(
    model.path,
    Math.min(model.window, 4096),
    systemPrompt("brief", { withTools: false, mode: "chat" }),
  );
  const greeting = { app: [] as number[], bare: [] as number[] };
  for (let i = 0; i < rounds; i++) {
    const text = GREETINGS[i % GREETINGS.length] ?? "Hello";
    greeting.app.push((await timedTurn(app, await fresh(), text, true)).firstMs);
    greeting.bare.push(await bare.firstTokenMs(text));
  }
  await bare.close();
  const greetingRatio = median(greeting.app) / median(greeting.bare);
  say(
    `greeting: app ${median(greeting.app).toFixed(0)} ms, bare ${median(greeting.bare).toFixed(0)} ms, ratio ${greetingRatio.toFixed(2)} (goal 1.3)`,
  );

  // 2. A long conversation: cold, its second turn, and reopened after another one and after a relaunch.
  const wanted = Math.min(Number(values.tokens), Math.floor(model.window * 0.65 * 0.75) - 500);
  const words = Math.floor(wanted / 8 / 2 / 1.5);
  await app.close();
  const long = seedConversation(dataDir, "rivers", 8, words);
  const other = seedConversation(dataDir, "mountains of the far north", 8, words);
  app = await openApp(dataDir);
  await timedTurn(app, await fresh(), "Hello there", true);
  const cold = await timedTurn(app, long, "Which of these parts was the longest?", true);
  await settle();
  const second = await timedTurn(app, long, "And which of them was the shortest?", true);
  await settle();
  const otherCold = await timedTurn(app, other, "Which of these parts was the longest?", true);
  await settle();
  const back = await timedTurn(app, long, "Shall we go on with this?", true);
  await settle(30_000);
  await app.close();
  app = await openApp(dataDir);
  await timedTurn(app, await fresh(), "Hello there", true);
  const relaunched = await timedTurn(app, long, "Where were we?", true);
  const coldMs = (cold.firstMs + otherCold.firstMs) / 2;
  const share = (turn: Timed) => turn.firstMs / coldMs;
  say(
    `long conversation, ${promptSize(cold)} tokens: cold ${cold.firstMs.toFixed(0)} and ${otherCold.firstMs.toFixed(0)} ms to the first token`,
  );
  say(`  second turn ${second.firstMs.toFixed(0)} ms: ${share(second).toFixed(3)} of cold (goal 0.05)`);
  say(`  back from another chat ${back.firstMs.toFixed(0)} ms: ${share(back).toFixed(3)} of cold (goal 0.15)`);
  say(`  after a relaunch ${relaunched.firstMs.toFixed(0)} ms: ${share(relaunched).toFixed(3)} of cold (goal 0.15)`);

  // 3. Each kind of turn.
  const kinds: Record<string, string> = {
    greeting: "Hello",
    question: "What is the capital of France?",
    memory: "What did I say about rivers before?",
    library: "Search my documents for gutter joints.",
    feeds: "What is new in my feeds today?",
    web: "Search the web for the height of Mont Blanc.",
  };
  const table: Record<string, Omit<Timed, "events">> = {};
  for (const [kind, text] of Object.entries(kinds)) {
    const { events: _, ...timed } = await timedTurn(app, await fresh(), text);
    table[kind] = timed;
    say(
      `${kind.padEnd(9)} ${timed.outcome}, first token ${(timed.firstMs / 1000).toFixed(1)} s, whole ${(timed.totalMs / 1000).toFixed(1)} s, prompt ${timed.promptTokens} (${timed.cachedTokens} kept), written ${timed.generatedTokens}, side calls ${timed.sideCalls}${timed.tools.length > 0 ? `, ${timed.tools.join(" ")}` : ""}`,
    );
  }
  await app.close();
  if (values.json) {
    console.log(
      JSON.stringify({
        model: model.name,
        greeting: { ratio: greetingRatio, ...greeting },
        long: {
          tokens: cold.promptTokens,
          coldMs,
          second: share(second),
          back: share(back),
          relaunched: share(relaunched),
        },
        kinds: table,
      }),
    );
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

function promptSize(turn: Timed): number {
  return turn.events.flatMap((event) => (event.type === "turn.prompt" ? [event.budget.total] : []))[0] ?? 0;
}

/** A user reads before writing on: bookkeeping, the prefill of the next prompt and keeping its state happen in that time. */
function settle(ms = 6_000): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

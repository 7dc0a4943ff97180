import { afterEach, expect, inject, test } from "vitest";
import type { BridgeEvent } from "../../core/contract/bridge.ts";
import { cleanUp, launch, temporaryFolder } from "./support/app.ts";

const { executable } = inject("desktop");
const longQuestion = "Write a long story about a lighthouse keeper and the sea, with many details.";

afterEach(cleanUp);

test("a stranger starts, asks, sees the answer stream, stops it, asks again, quits, and finds everything back", async () => {
  const dataDir = temporaryFolder();
  let app = await launch({ executable, dataDir });
  await app.chat.begin();

  await app.chat.ask(longQuestion);
  const early = await app.chat.waitForWords(10);
  const later = await app.chat.waitForWords(early.length + 20);
  expect(later.length).toBeGreaterThan(early.length);
  await app.chat.stop();
  await app.chat.waitForAnswers(1, 10_000);
  const stopped = await app.chat.answerText();
  expect(stopped.length).toBeGreaterThan(10);

  await app.chat.regenerate();
  await app.chat.waitForWordsOrEnd(1);
  await app.chat.stopIfAnswering();
  await app.chat.waitForAnswers(1, 10_000);
  await app.chat.lastAnswer.getByText("2 of 2").waitFor();

  await app.chat.ask("Say hello in one short sentence.");
  await app.chat.waitForAnswers(2);
  const answer = await app.chat.answerText();
  expect(answer).not.toBe("");
  expect(app.complaints).toEqual([]);
  await app.quit();

  app = await launch({ executable, dataDir });
  await app.chat.rows.first().click();
  await app.chat.waitForAnswers(2, 20_000);
  expect(await app.chat.questions.allTextContents()).toEqual([longQuestion, "Say hello in one short sentence."]);
  expect(await app.chat.answerText()).toBe(answer);
  await app.chat.ask("And once more, please.");
  await app.chat.waitForWordsOrEnd(3);
  expect(app.complaints).toEqual([]);
});

test("stop ends decoding within a few tokens: none come after the end, and what was counted is what was streamed", async () => {
  const app = await launch({ executable, dataDir: temporaryFolder(), firstStartDone: true });
  await app.listen();
  await app.chat.ask(longQuestion);
  await app.chat.waitForWords(40);
  const before = tokensOf(await app.events());
  await app.chat.stop();
  await app.chat.waitForAnswers(1, 10_000);
  await app.page.waitForTimeout(1500);
  const events = await app.events();
  const end = events.findIndex((event) => event.type === "turn.ended");
  expect(end).toBeGreaterThan(0);
  expect(events[end]).toMatchObject({ outcome: "interrupted" });
  expect(tokensOf(events.slice(end))).toBe(0);
  const [conversation] = await app.call("conversations.list", {});
  const { messages } = await app.call("conversations.messages", { id: conversation!.id });
  expect(messages[1]).toMatchObject({ state: "interrupted", content: answerOf(events) });
  // A click travels through three processes; far fewer tokens than an answer has are decoded meanwhile.
  expect(messages[1]!.generatedTokens ?? 0).toBeLessThan(before + 100);
});

test("a window that reloads in the middle of an answer goes on with it", async () => {
  const app = await launch({ executable, dataDir: temporaryFolder(), firstStartDone: true });
  await app.chat.ask(longQuestion);
  const before = await app.chat.waitForWords(30);
  await app.page.reload();
  const after = await app.chat.waitForWords(before.length + 10);
  expect(after.startsWith(before)).toBe(true);
  await app.chat.stop();
  await app.chat.waitForAnswers(1, 10_000);
  const shown = await app.chat.answerText();
  const [conversation] = await app.call("conversations.list", {});
  const { messages } = await app.call("conversations.messages", { id: conversation!.id });
  expect(messages).toHaveLength(2);
  expect(lettersOf(messages[1]!.content)).toBe(lettersOf(shown));
});

test("kill -9 in the middle of an answer keeps what was written, marked as interrupted", async () => {
  const dataDir = temporaryFolder();
  let app = await launch({ executable, dataDir, firstStartDone: true });
  await app.listen();
  await app.chat.ask(longQuestion);
  await app.chat.waitForWords(60);
  const written = answerOf(await app.events());
  await app.page.waitForTimeout(1000);
  await app.kill();

  app = await launch({ executable, dataDir });
  const [conversation] = await app.call("conversations.list", {});
  const { messages } = await app.call("conversations.messages", { id: conversation!.id });
  expect(messages[1]!.state).toBe("interrupted");
  expect(messages[1]!.content.startsWith(written)).toBe(true);
  await app.chat.rows.first().click();
  await app.chat.waitForAnswers(1);
  await app.chat.ask("Go on, briefly.");
  await app.chat.waitForWordsOrEnd(2);
});

test("the engine may die twenty times in the middle of an answer: each time the user is told, and the next turn works", async () => {
  const app = await launch({ executable, dataDir: temporaryFolder(), firstStartDone: true });
  const wanted = 20;
  const engines = new Set<number>();
  let broken = 0;
  let asked = 0;
  // A small model sometimes ends its answer in the moment before it is killed; such a round is asked again.
  while (broken < wanted && asked < wanted + 10) {
    asked++;
    await app.chat.ask(`${longQuestion} Version ${asked}.`);
    const sign = await app.chat.waitForWordsOrEnd(asked);
    const pid = await app.enginePid();
    if (sign === "words") process.kill(pid!, "SIGKILL");
    await app.chat.waitForAnswers(asked, 60_000);
    const [conversation] = await app.call("conversations.list", {});
    const { messages } = await app.call("conversations.messages", { id: conversation!.id, limit: 1 });
    const [message] = messages;
    // A turn that nobody broke has to end well: the engine before it was killed, and this is the recovery.
    if (sign === "end") expect(message!.note).toBeNull();
    if (message!.state === "complete") continue;
    broken++;
    engines.add(pid!);
    expect(message!.note).toMatch(/[a-z]{3}/);
    expect(message!.note).not.toMatch(/SIGKILL|at .*\.js|Error:/);
  }
  expect(broken).toBe(wanted);
  expect(engines.size).toBe(wanted);
  await app.chat.ask("Say hello.");
  await app.chat.waitForAnswers(asked + 1);
  const [conversation] = await app.call("conversations.list", {});
  const after = await app.call("conversations.messages", { id: conversation!.id, limit: 1 });
  expect(after.messages.at(-1)!.state).toBe("complete");
}, 600_000);

/** How many pieces of answer were streamed; a piece is a token, or a few when characters span them. */
function tokensOf(events: readonly BridgeEvent[]): number {
  return events.filter((event) => event.type === "turn.token").length;
}

function answerOf(events: readonly BridgeEvent[]): string {
  return events.map((event) => (event.type === "turn.token" && event.channel === "answer" ? event.text : "")).join("");
}

/** Text as compared between Markdown and what it looks like: letters and digits only. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

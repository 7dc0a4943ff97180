import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { ChatModel, ChatRequest } from "../../../core/models/types.ts";
import { tinyGguf } from "../../support/gguf-files.ts";
import { temporaryFolder } from "../../support/profile.ts";
import { chatModels, startEngine, starterChat, starterEmbedder, type TestEngine } from "../models.ts";

const never = new AbortController().signal;
const folder = temporaryFolder();
afterAll(folder.remove);
let engine: TestEngine | null = null;
afterEach(() => {
  engine?.close();
  engine = null;
});

const request = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: "user", content: "Tell me about the sea." }],
  maxTokens: 4,
  maxPromptTokens: 3000,
  cacheKey: "c",
  lane: "conversation",
  ...more,
});

describe("an engine that dies", () => {
  it("is back twenty times after twenty kills in mid-answer, and no call hangs", async () => {
    engine = startEngine();
    const model = await engine.loadChat(starterChat(), { windowLimit: 2048 });
    for (let round = 0; round < 20; round++) {
      const pid = engine.engine.pid!;
      const answer = model.generate(
        request({ maxTokens: 400, messages: [{ role: "user", content: `Story ${round}, long please.` }] }),
        {
          signal: never,
          onChunk: () => {
            try {
              process.kill(pid, "SIGKILL");
            } catch {
              // It is gone already.
            }
          },
        },
      );
      await expect(answer).rejects.toMatchObject({ kind: "models.engine-died" });
      expect((await model.generate(request(), { signal: never })).generatedTokens).toBeGreaterThan(0);
      expect(engine.engine.pid).not.toBe(pid);
    }
    expect(engine.states.filter((state) => state === "ready").length).toBe(21);
  });
});

describe("files that are no good model", () => {
  const cases: [string, () => string, RegExp][] = [
    ["a web page", () => write("page.gguf", "<!DOCTYPE html><html></html>"), /^models\.not-gguf$/],
    [
      "a truncated model",
      () => write("cut.gguf", readFileSync(starterChat()).subarray(0, 60_000_000)),
      /^models\.truncated$/,
    ],
    [
      "an unknown architecture",
      () => write("new.gguf", tinyGguf({ "general.architecture": { type: "string", value: "quantum-llama-9" } })),
      /^models\.unknown-architecture$/,
    ],
    ["a head without its tensors", () => write("hollow.gguf", tinyGguf()), /^models\.(damaged|load-failed)$/],
    ["an embedder where a chat model is wanted", () => starterEmbedder(), /^models\.wrong-role$/],
    ["a file that is not there", () => join(folder.path, "gone.gguf"), /^models\.file-missing$/],
  ];

  function write(name: string, content: Uint8Array | string): string {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    return path;
  }

  it.each(cases)("give a typed error with a sentence, and the engine lives on: %s", async (_name, make, kind) => {
    engine = startEngine();
    const path = make();
    const error = await engine.loadChat(path).then(
      () => null,
      (thrown) => thrown,
    );
    expect(error?.kind).toMatch(kind);
    expect(error.message).toMatch(/^[A-Z\w].*\.$/s);
    expect(error.message).not.toMatch(/\bat \w+ \(|undefined|null\b/);
    expect(
      (await (await engine.loadChat(starterChat(), { windowLimit: 2048 })).generate(request(), { signal: never }))
        .generatedTokens,
    ).toBeGreaterThan(0);
  });

  it("are found out before they are added", async () => {
    engine = startEngine();
    await expect(
      engine.engine.call("inspect", {
        path: write("new2.gguf", tinyGguf({ "general.architecture": { type: "string", value: "quantum-llama-9" } })),
      }),
    ).rejects.toMatchObject({
      kind: "models.unknown-architecture",
      message: expect.stringContaining("quantum-llama-9"),
    });
    expect(await engine.engine.call("inspect", { path: starterChat() })).toMatchObject({
      role: "chat",
      architecture: "llama",
    });
  });

  it("load from a path with blanks and letters of other scripts", async () => {
    engine = startEngine();
    mkdirSync(join(folder.path, "Mö dels 漢"), { recursive: true });
    const path = join(folder.path, "Mö dels 漢", "stärter (1).gguf");
    copyFileSync(starterChat(), path);
    expect(
      (await (await engine.loadChat(path, { windowLimit: 2048 })).generate(request(), { signal: never }))
        .generatedTokens,
    ).toBeGreaterThan(0);
  });
});

describe.each(chatModels())("states on disk with $name", ({ path }) => {
  const long = "The lighthouse keeper writes down the weather, the ships and the birds of each day. ".repeat(24);
  const conversation = (key: string, more: Partial<ChatRequest> = {}): ChatRequest =>
    request({
      cacheKey: key,
      keepState: true,
      maxTokens: 6,
      sampling: { temperature: 0 },
      messages: [{ role: "user", content: `${key}: ${long}` }],
      ...more,
    });

  async function fresh(states: string): Promise<ChatModel> {
    engine?.close();
    engine = startEngine();
    return engine.loadChat(path, { windowLimit: 4096, stateFolder: states });
  }

  it("bring a conversation back after another one and after a restart, and a damaged one only costs time", async () => {
    const states = join(folder.path, `states-${Math.random()}`);
    let model = await fresh(states);
    const first = await model.generate(conversation("alpha"), { signal: never });
    expect(first.cachedTokens).toBe(0);
    await model.generate(conversation("beta"), { signal: never });
    const back = await model.generate(conversation("alpha"), { signal: never });
    expect(back.cachedTokens).toBe(back.promptTokens - 1);
    expect(back.text).toBe(first.text);

    await engine!.engine.call("saveState", { cacheKey: null });
    model = await fresh(states);
    const relaunched = await model.generate(conversation("alpha"), { signal: never });
    expect(relaunched.cachedTokens).toBe(relaunched.promptTokens - 1);
    expect(relaunched.text).toBe(first.text);

    for (const name of readdirSync(states).filter((name) => name.endsWith(".state"))) {
      const file = join(states, name);
      const bytes = readFileSync(file);
      bytes[Math.floor(bytes.length / 2)]! ^= 0xff;
      writeFileSync(file, bytes);
    }
    model = await fresh(states);
    const recomputed = await model.generate(conversation("alpha"), { signal: never });
    expect(recomputed.cachedTokens).toBe(0);
    expect(recomputed.text).toBe(first.text);
  });

  it("are written for no conversation that did not allow it", async () => {
    const states = join(folder.path, `states-${Math.random()}`);
    const model = await fresh(states);
    await model.generate(conversation("secret", { keepState: false }), { signal: never });
    await model.generate(conversation("other"), { signal: never });
    await engine!.engine.call("saveState", { cacheKey: null });
    const sizes = readdirSync(states)
      .filter((name) => name.endsWith(".state"))
      .map((name) => statSync(join(states, name)).size);
    expect(sizes.length).toBe(1);
    await engine!.engine.call("dropState", { cacheKey: "other" });
    expect(readdirSync(states)).toEqual([]);
  });
});

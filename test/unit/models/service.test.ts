import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CredenceError, type InstalledModel } from "../../../core/contract/index.ts";
import { StateFiles } from "../../../core/models/engine/state-files.ts";
import { createModels, type ModelService, modelHandlers } from "../../../core/models/index.ts";
import { readModelFacts } from "../../../core/models/model-facts.ts";
import { ManualClock, silentLog } from "../../../core/platform/index.ts";
import type { Connection, ReadableDatabase } from "../../../core/storage/index.ts";
import { FakeEngine } from "../../support/fake-engine.ts";
import { tinyGguf } from "../../support/gguf-files.ts";
import { migratedDatabase, temporaryFolder } from "../../support/profile.ts";

let folder: ReturnType<typeof temporaryFolder>;
let db: Connection;
let host: FakeEngine;
let clock: ManualClock;
let changes: InstalledModel[][];
/** Files whose loading fails, and how. */
let broken: Map<string, () => unknown>;
let loads: string[];
let limit: number | null;
/** The model that the engine holds: loading puts the one before it out. */
let inEngine: string | null;

const signal = new AbortController().signal;
const file = (name: string): string => join(folder.path, name);

function start(): ModelService {
  return createModels({
    db,
    clock,
    log: silentLog,
    childHost: host,
    dataDir: file("profile"),
    modelDirs: [file("shipped")],
    contextLimit: () => limit,
    onChanged: (models) => changes.push(models),
  });
}

beforeEach(() => {
  folder = temporaryFolder();
  db = migratedDatabase();
  clock = new ManualClock();
  changes = [];
  broken = new Map();
  loads = [];
  limit = null;
  inEngine = null;
  mkdirSync(file("shipped"));
  mkdirSync(file("profile"));
  const chat = tinyGguf({ "general.name": { type: "string", value: "Starter in file" } });
  writeFileSync(file("shipped/starter.gguf"), chat);
  writeFileSync(file("shipped/embed.gguf"), tinyGguf({ "llama.pooling_type": { type: "u32", value: 1 } }));
  writeFileSync(
    file("shipped/starter.json"),
    JSON.stringify({
      version: 1,
      models: [{ name: "Starter", file: "starter.gguf", bytes: chat.length, licence: "Apache-2.0" }],
    }),
  );
  writeFileSync(file("own.gguf"), tinyGguf({ "general.name": { type: "string", value: "Own" } }));
  host = new FakeEngine()
    .on("machine", () => ({ gpu: null, gpuMemoryBytes: null, gpuFreeBytes: null, physicalCores: 4, threads: 4 }))
    .on("inspect", ({ path }: { path: string }) => readModelFacts(path))
    .on("saveState", () => ({ savedBytes: 0 }))
    .on("unloadChat", () => null)
    .on("loadEmbedder", ({ id }: { id: string }) => ({ id, dimensions: 3, maxTokens: 16 }))
    .on("embed", ({ texts }: { texts: string[] }) => texts.map((text) => Float32Array.from([text.length, 0, 0])))
    .on("generate", () => {
      if (inEngine === null) throw new CredenceError("models.none-installed", { need: "chat" });
      return { text: "yes", generatedTokens: 100, decodeMs: 2000 };
    })
    .on("loadChat", (load: { path: string; id: string }, tell) => {
      loads.push(load.path);
      inEngine = null;
      const failure = broken.get(load.path);
      if (failure) return failure();
      tell.progress(0.5);
      inEngine = load.id;
      return {
        id: load.id,
        name: "?",
        architecture: "llama",
        trainedContext: 4096,
        window: limit ?? 4096,
        supportsTools: false,
        reasons: false,
      };
    });
});

afterEach(() => {
  db.close();
  folder.remove();
});

const named = (models: readonly InstalledModel[], name: string): InstalledModel =>
  models.find((model) => model.name === name)!;
const refuse = (kind: "models.too-large" | "models.unknown-architecture") => () => {
  throw kind === "models.too-large"
    ? new CredenceError(kind, { file: "x", neededBytes: 9e9, freeBytes: 1e9 })
    : new CredenceError(kind, { file: "x", architecture: "new" });
};

describe("installed models", () => {
  it("begins with the models that came with Credence, named by their manifest", async () => {
    const { models, machine } = await start().list();
    expect(
      models.map(({ name, role, active, starter, licence }) => ({ name, role, active, starter, licence })),
    ).toEqual([
      { name: "Starter", role: "chat", active: true, starter: true, licence: "Apache-2.0" },
      { name: "Tiny", role: "embed", active: true, starter: true, licence: "mit" },
    ]);
    expect(machine).toMatchObject({ physicalCores: 4, gpu: null });
    expect(machine.memoryBytes).toBeGreaterThan(machine.suggestedBillions);
  });

  it("adds a file where it lies, in use only when asked, and keeps that after a restart", async () => {
    const first = start();
    expect(await first.import({ path: file("own.gguf") })).toMatchObject({ name: "Own", active: false, state: "idle" });
    const own = named((await first.list()).models, "Own");
    expect(await first.use(own.id)).toMatchObject({ active: true });
    const second = start();
    expect(
      (await second.list()).models
        .filter(({ active }) => active)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["Own", "Tiny"]);
    expect((await second.chat("chat")).description.name).toBe("Own");
  });

  it("takes any part of a model in several files for the whole", async () => {
    const part = tinyGguf({ "split.count": { type: "u32", value: 2 } });
    writeFileSync(file("big-00001-of-00002.gguf"), part);
    writeFileSync(file("big-00002-of-00002.gguf"), part);
    const model = await start().import({ path: file("big-00002-of-00002.gguf") });
    expect(model).toMatchObject({ fileName: "big-00001-of-00002.gguf", sizeBytes: 2 * part.length });
  });

  it("adds one path once", async () => {
    const service = start();
    const one = await service.import({ path: file("own.gguf") });
    const two = await service.import({ path: file("own.gguf") });
    expect(two.id).toBe(one.id);
  });

  it("copies a file when asked, and deletes the copy alone when it is removed", async () => {
    const service = start();
    const model = await service.import({ path: file("own.gguf"), copy: true });
    expect(model.path).toBe(file("profile/models/own.gguf"));
    expect(readdirSync(file("profile/models"))).toEqual(["own.gguf"]);
    await service.remove(model.id);
    expect(readdirSync(file("profile/models"))).toEqual([]);
    expect(readdirSync(folder.path)).toContain("own.gguf");
  });

  it("keeps the list as it was when a file is no model", async () => {
    const service = start();
    writeFileSync(file("page.gguf"), "<!DOCTYPE html>");
    await expect(service.import({ path: file("page.gguf"), use: true })).rejects.toMatchObject({
      kind: "models.not-gguf",
    });
    await expect(service.import({ path: file("gone.gguf") })).rejects.toMatchObject({ kind: "models.file-missing" });
    expect((await service.list()).models.length).toBe(2);
  });

  it("refuses to bring a model into use that cannot fit", async () => {
    const huge = tinyGguf({
      "llama.block_count": { type: "u32", value: 60_000 },
      "llama.embedding_length": { type: "u32", value: 60_000_000 },
    });
    writeFileSync(file("huge.gguf"), huge);
    const service = start();
    await expect(service.import({ path: file("huge.gguf"), use: true })).rejects.toMatchObject({
      kind: "models.too-large",
    });
    expect((await service.list()).models.length).toBe(2);
    expect((await service.import({ path: file("huge.gguf") })).fits).toBe("no");
  });

  it("says so when a file brings the engine down while it is looked at", async () => {
    host.on("inspect", () => {
      host.last.die();
      return new Promise(() => {});
    });
    await expect(start().import({ path: file("own.gguf") })).rejects.toMatchObject({
      kind: "models.load-failed",
      message: expect.stringContaining("own.gguf"),
    });
  });

  it("keeps the starter, and brings it back into use when the model in use is removed", async () => {
    const service = start();
    const own = await service.import({ path: file("own.gguf"), use: true });
    const starter = named((await service.list()).models, "Starter");
    await expect(service.remove(starter.id)).rejects.toMatchObject({ kind: "models.starter-kept" });
    await service.remove(own.id);
    expect(named((await service.list()).models, "Starter").active).toBe(true);
  });

  it("works on a profile that is opened for reading only", async () => {
    const readOnly: ReadableDatabase = { writable: false, read: (sql) => db.read(sql) };
    const reading = createModels({
      db: readOnly,
      clock,
      log: silentLog,
      childHost: host,
      dataDir: file("profile"),
      modelDirs: [file("shipped")],
      contextLimit: () => null,
    });
    expect((await reading.list()).models.length).toBe(2);
    expect((await reading.chat("chat")).description.name).toBe("Starter");
    expect(db.read<{ n: number }>("SELECT count(*) AS n FROM models").get()!.n).toBe(0);
  });

  it("leaves out a row that cannot be understood", async () => {
    await start().list();
    db.exec("UPDATE models SET facts = '{broken' WHERE role = 'embed'");
    expect((await start().list()).models.map(({ name }) => name)).toContain("Starter");
  });
});

describe("loading", () => {
  it("loads once for many askers, and tells its progress", async () => {
    const service = start();
    await Promise.all([service.chat("chat"), service.chat("fast"), service.chat("structured")]);
    expect(loads.length).toBe(1);
    expect(changes.some((models) => named(models, "Starter")?.state === "loading")).toBe(true);
    expect(named(changes.at(-1)!, "Starter").state).toBe("ready");
  });

  it("passes over a model that will not load, says why, and never loads it in a loop", async () => {
    const service = start();
    const own = await service.import({ path: file("own.gguf") });
    broken.set(own.path, refuse("models.unknown-architecture"));
    await service.use(own.id);
    const chat = await service.chat("chat");
    expect(chat.description.name).toBe("Starter");
    for (let i = 0; i < 10; i++) await (await service.chat("chat")).generate({} as never, { signal });
    expect(loads.filter((path) => path === own.path).length).toBe(1);
    expect(loads.filter((path) => path !== own.path).length).toBe(1);
    const listed = named((await service.list()).models, "Own");
    expect(listed).toMatchObject({ state: "failed", active: false });
    expect(listed.problem).toContain("new");
  });

  it("brings the model back that answered before, when the new one fails", async () => {
    const service = start();
    const chat = await service.chat("chat");
    const own = await service.import({ path: file("own.gguf") });
    broken.set(own.path, refuse("models.too-large"));
    await service.use(own.id);
    expect((await chat.generate({} as never, { signal })).text).toBe("yes");
    expect(chat.description.name).toBe("Starter");
    expect(named((await service.list()).models, "Starter")).toMatchObject({ active: true, state: "ready" });
  });

  it("tries a model that lacked memory again after a while", async () => {
    const service = start();
    const starter = (await service.list()).models[0]!;
    broken.set(starter.path, refuse("models.too-large"));
    await expect(service.chat("chat")).rejects.toMatchObject({ kind: "models.too-large" });
    await expect(service.chat("chat")).rejects.toMatchObject({ kind: "models.too-large" });
    expect(loads.length).toBe(1);
    broken.clear();
    await clock.advance(61_000);
    expect((await service.chat("chat")).description.name).toBe("Starter");
  });

  it("passes over a model that brings the engine down", async () => {
    const service = start();
    const own = await service.import({ path: file("own.gguf") });
    broken.set(own.path, () => {
      host.last.die();
      return new Promise(() => {});
    });
    await service.use(own.id);
    const chat = service.chat("chat");
    await clock.advance(2000);
    expect((await chat).description.name).toBe("Starter");
    expect(named((await service.list()).models, "Own").problem).toContain("down");
  });

  it("loads again after the engine died, for the call that follows", async () => {
    const service = start();
    const chat = await service.chat("chat");
    host.last.die();
    const answer = chat.generate({} as never, { signal });
    await clock.advance(1000);
    expect((await answer).text).toBe("yes");
    expect(loads.length).toBe(2);
  });

  it("loads anew when the user changes the limit of the window", async () => {
    const service = start();
    expect((await service.chat("chat")).description.window).toBe(4096);
    limit = 2048;
    expect((await service.chat("chat")).description.window).toBe(2048);
    expect(loads.length).toBe(2);
  });

  it("lets another model answer for this process alone", async () => {
    const service = start();
    await service.import({ path: file("own.gguf"), session: true });
    expect((await service.chat("chat")).description.name).toBe("Own");
    expect((await start().chat("chat")).description.name).toBe("Starter");
    broken.set(file("own.gguf"), refuse("models.unknown-architecture"));
    const other = start();
    await other.import({ path: file("own.gguf"), session: true });
    await expect(other.chat("chat")).rejects.toMatchObject({ kind: "models.unknown-architecture" });
  });

  it("waits longer after each further failure, so that the model that answers stays", async () => {
    const service = start();
    const own = await service.import({ path: file("own.gguf") });
    await service.use(own.id);
    await service.chat("chat");
    limit = 2048;
    broken.set(own.path, refuse("models.too-large"));
    for (let minute = 0; minute < 60; minute++) {
      expect((await service.chat("chat")).description.name).toBe("Starter");
      await clock.advance(60_000);
    }
    expect(loads.filter((path) => path === own.path).length).toBeLessThanOrEqual(5);
  });

  it("says that none is installed", async () => {
    const empty = createModels({
      db,
      clock,
      log: silentLog,
      childHost: host,
      dataDir: file("profile"),
      modelDirs: [file("nowhere")],
      contextLimit: () => null,
    });
    await expect(empty.chat("chat")).rejects.toMatchObject({ kind: "models.none-installed" });
    expect(await empty.embedder()).toBeNull();
  });

  it("finds starter models that arrive later", async () => {
    const empty = createModels({
      db,
      clock,
      log: silentLog,
      childHost: host,
      dataDir: file("profile"),
      modelDirs: [file("later")],
      contextLimit: () => null,
    });
    expect((await empty.list()).models).toEqual([]);
    mkdirSync(file("later"));
    writeFileSync(file("later/model.gguf"), tinyGguf());
    expect((await empty.list()).models.length).toBe(1);
  });

  it("remembers how fast a model answers", async () => {
    const service = start();
    await (await service.chat("chat")).generate({} as never, { signal });
    expect(named((await start().list()).models, "Starter").tokensPerSecond).toBe(50);
  });
});

describe("embedding", () => {
  it("names vectors by their weights, so that a moved file still matches", async () => {
    const embedder = await start().embedder();
    expect(embedder).toMatchObject({ dimensions: 3, maxTokens: 16 });
    expect(embedder!.id).toMatch(/^embed_[0-9a-f]{40}$/);
  });

  it("keeps the order of texts over many messages to the engine", async () => {
    const embedder = (await start().embedder())!;
    const texts = Array.from({ length: 100 }, (_, i) => "x".repeat(i));
    expect((await embedder.embed(texts)).map((vector) => vector[0])).toEqual(texts.map((text) => text.length));
  });

  it("does not pass vectors of another model off as its own", async () => {
    const service = start();
    const embedder = (await service.embedder())!;
    writeFileSync(file("embed2.gguf"), tinyGguf({ "llama.pooling_type": { type: "u32", value: 2 } }));
    await service.import({ path: file("embed2.gguf"), use: true });
    await expect(embedder.embed(["a"])).rejects.toMatchObject({ kind: "models.none-installed" });
    expect((await service.embedder())!.id).not.toBe(embedder.id);
  });
});

describe("saved states", () => {
  it("go with their conversation, without an engine as well", async () => {
    const states = new StateFiles(file("profile/states"), "weights", 1e9);
    await states.write("conversation", [1], async (path) => writeFileSync(path, "state"));
    await states.write("another", [1], async (path) => writeFileSync(path, "state"));
    await start().dropState("conversation");
    expect(host.processes.length).toBe(0);
    expect(await states.find("conversation")).toBeNull();
    expect(await states.find("another")).not.toBeNull();
  });
});

describe("methods", () => {
  it("go to the service", async () => {
    const handlers = modelHandlers(start());
    const added = await handlers["models.import"]({ path: file("own.gguf") });
    expect(await handlers["models.use"]({ id: added.id })).toMatchObject({ active: true });
    expect(await handlers["models.unload"]({})).toBeNull();
    expect(await handlers["models.remove"]({ id: added.id })).toBeNull();
    expect((await handlers["models.list"]({})).models.length).toBe(2);
  });
});

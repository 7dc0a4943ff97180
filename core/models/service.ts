/**
 * The models of one running Credence: which are installed, which one answers, and that it is loaded when asked for. A model
 * that will not load is passed over for the next one, and is not tried again and again.
 */
import { copyFile, mkdir, rename, rm, stat, statfs } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import {
  type AppEventOf,
  asCredenceError,
  CredenceError,
  type InstalledModel,
  isCredenceError,
  type Machine,
  type ModelId,
} from "../contract/index.ts";
import type { ChildHost, Clock, Log } from "../platform/index.ts";
import type { ReadableDatabase, WritableDatabase } from "../storage/index.ts";
import { EngineClient } from "./client/engine-client.ts";
import { remoteChatModel, remoteEmbedder } from "./client/remote-models.ts";
import type { EmbedderDescription, EngineMachine } from "./engine/protocol.ts";
import { removeState } from "./engine/state-files.ts";
import { fingerprint } from "./fingerprint.ts";
import { mainMemory } from "./machine-memory.ts";
import { fitModel, type MemoryBudget, suggestedBillions } from "./memory-fit.ts";
import { readModelFacts } from "./model-facts.ts";
import { findStarters } from "./starters.ts";
import { type ModelProfile, type ModelRecord, ModelStore } from "./store.ts";
import type { ChatModel, Embedder, ModelDescription, Models } from "./types.ts";

export interface ModelsDeps {
  readonly db: ReadableDatabase | WritableDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly childHost: ChildHost;
  /** The profile: copied models and saved states lie below it. */
  readonly dataDir: string;
  /** Folders with models that come with Credence, searched in order. */
  readonly modelDirs: readonly string[];
  /** The user's limit of the context window in tokens. */
  readonly contextLimit: () => number | null;
  readonly onChanged?: (models: InstalledModel[]) => void;
  readonly onEngineState?: (state: Omit<AppEventOf<"engine.state">, "type">) => void;
}

interface LoadedChat {
  readonly generation: number;
  readonly id: ModelId;
  readonly limit: number | null;
  readonly description: ModelDescription;
  readonly memoryBytes: number;
}

interface LoadedEmbedder {
  readonly generation: number;
  readonly id: ModelId;
  readonly description: EmbedderDescription;
}

/**
 * After a failure that time may heal (memory, a missing disk), a model is tried again no sooner than this, five times as long
 * after each further one: every try puts the model out that answers in its place.
 */
const retryAfterMs = 60_000;
const progressEveryMs = 150;

export class ModelService implements Models {
  readonly #deps: ModelsDeps;
  readonly #store: ModelStore;
  readonly engine: EngineClient;
  readonly #failures = new Map<ModelId, { error: CredenceError; until: number; count: number }>();
  #chat: LoadedChat | null = null;
  #embedder: LoadedEmbedder | null = null;
  #loading: { id: ModelId; fraction: number } | null = null;
  #copying = new Map<ModelId, number>();
  #machine: EngineMachine | null = null;
  #scanned: Promise<void> | null = null;
  #loads: Promise<unknown> = Promise.resolve();
  #lastTold = 0;
  /** A model that answers in this process alone, without becoming the one in use. */
  #session: ModelId | null = null;

  constructor(deps: ModelsDeps) {
    this.#deps = deps;
    this.#store = new ModelStore(deps.db, deps.clock);
    this.engine = new EngineClient({
      childHost: deps.childHost,
      clock: deps.clock,
      log: deps.log,
      onState: (state) => {
        deps.onEngineState?.(state);
        if (state.state !== "ready") this.#changed();
      },
    });
  }

  /**
   * All needs of words are met by the model in use: a second one beside it would cost the memory that makes the first one
   * good, and taking turns would cost a load each time. The fallback order is that of `#candidates`.
   */
  async chat(_need: "chat" | "structured" | "fast" | "reasoning"): Promise<ChatModel> {
    await this.#ensureChat();
    return remoteChatModel({
      engine: this.engine,
      ensure: () => this.#ensureChat(),
      description: () => this.#chat?.description ?? null,
      measured: (id, tokensPerSecond) => this.#measured(id, tokensPerSecond),
    });
  }

  async embedder(): Promise<Embedder | null> {
    try {
      await this.#ensureEmbedder();
    } catch (error) {
      if (isCredenceError(error, "models.none-installed")) return null;
      throw error;
    }
    return remoteEmbedder({
      engine: this.engine,
      ensure: () => this.#ensureEmbedder(),
      description: () => this.#embedder!.description,
    });
  }

  async saveState(cacheKey: string): Promise<void> {
    const loaded = this.#chat;
    if (loaded && loaded.generation === this.engine.generation)
      await this.engine.callIn(loaded.generation, "saveState", { cacheKey });
  }

  async dropState(cacheKey: string): Promise<void> {
    const loaded = this.#chat;
    if (loaded && loaded.generation === this.engine.generation) {
      // The engine must not write it once more; when it has just died it cannot.
      await this.engine.callIn(loaded.generation, "dropState", { cacheKey }).catch(() => {});
    }
    if (this.#deps.db.writable) await removeState(this.#statesFolder(), cacheKey);
  }

  #statesFolder(): string {
    return join(this.#deps.dataDir, "states");
  }

  /** The record of the model that answers now, loaded or not; null when none is installed. */
  async current(): Promise<ModelRecord | null> {
    await this.#scan();
    const candidates = this.#candidates();
    return candidates.find((record) => !this.#blocked(record.id)) ?? candidates[0] ?? null;
  }

  /** Keeps what an aptitude check found. */
  setProfile(id: ModelId, profile: ModelProfile): void {
    this.#store.learn(id, { profile });
    this.#changed();
  }

  async list(): Promise<{ models: InstalledModel[]; machine: Machine }> {
    await this.#scan();
    await this.#knowMachine();
    return { models: this.#installed(), machine: this.#describeMachine() };
  }

  /** Adds a model file; with `session` it alone answers until this process ends. Throws what is wrong with it; nothing is changed then. */
  async import(params: {
    path: string;
    copy?: boolean | undefined;
    use?: boolean | undefined;
    session?: boolean | undefined;
  }): Promise<InstalledModel> {
    await this.#scan();
    const path = resolve(params.path);
    const facts = await this.#inspect(path);
    if (params.session && facts.role !== "chat") throw wrongRole(path, facts.role);
    if ((params.use || params.session) && facts.role !== "rerank") {
      const fit = fitModel(facts, this.#memory(), this.#deps.contextLimit());
      if (fit.fits === "no")
        throw new CredenceError("models.too-large", {
          file: basename(path),
          neededBytes: fit.memoryBytes,
          freeBytes: this.#memory().freeBytes,
        });
    }
    const record = this.#store.put({
      path,
      starter: this.#store.byPath(path)?.starter ?? false,
      copied: this.#store.byPath(path)?.copied ?? false,
      fingerprint: await fingerprint(path),
      facts,
      licence: facts.licence,
    });
    this.#failures.delete(record.id);
    if (params.copy && !record.copied) await this.#copy(record);
    if (params.session) this.#session = record.id;
    else if (params.use) return this.use(record.id);
    this.#changed();
    return this.#describe(this.#store.get(record.id));
  }

  /** Brings a model into use and begins to load it; the one before it comes back when that fails. */
  async use(id: ModelId): Promise<InstalledModel> {
    await this.#scan();
    const record = this.#store.get(id);
    if (record.facts.role === "rerank") throw wrongRole(record.path, "rerank");
    const before = this.#store.active(record.facts.role);
    this.#failures.delete(id);
    this.#session = null;
    this.#store.use(id);
    if (record.facts.role === "chat") {
      this.#loading = { id, fraction: 0 };
      void this.#ensureChat()
        .catch(() => {})
        .finally(() => {
          const failed = this.#failures.has(id);
          if (
            failed &&
            before &&
            before.id !== id &&
            this.#store.find(before.id) &&
            this.#store.active("chat")?.id === id
          )
            this.#store.use(before.id);
          this.#changed();
        });
    }
    this.#changed();
    return this.#describe(this.#store.get(id));
  }

  async remove(id: ModelId): Promise<void> {
    const record = this.#store.get(id);
    if (record.starter && (await exists(record.path)))
      throw new CredenceError("models.starter-kept", { name: record.facts.name });
    if (this.#chat?.id === id) await this.unload();
    this.#store.remove(id);
    if (record.copied) await rm(record.path, { force: true });
    this.#changed();
  }

  /** Frees the chat model's memory; the next request loads it again. */
  async unload(): Promise<void> {
    const loaded = this.#chat;
    this.#chat = null;
    if (loaded && loaded.generation === this.engine.generation) {
      await this.engine.callIn(loaded.generation, "saveState", { cacheKey: null }).catch(() => {});
      await this.engine.callIn(loaded.generation, "unloadChat", null);
    }
    this.#changed();
  }

  /** Keeps the state of the conversation at hand, then ends the engine. */
  async close(): Promise<void> {
    const loaded = this.#chat;
    if (loaded && loaded.generation === this.engine.generation) {
      const saved = this.engine.callIn(loaded.generation, "saveState", { cacheKey: null }).catch(() => null);
      await Promise.race([saved, new Promise((done) => setTimeout(done, 3000).unref())]);
    }
    this.engine.close();
  }

  /** Adds the models that came with Credence, once; again as long as there are none at all. */
  #scan(): Promise<void> {
    if (this.#scanned && this.#store.list().length > 0) return this.#scanned;
    this.#scanned = (async () => {
      const found = await findStarters(this.#deps.modelDirs);
      for (const record of this.#store.list()) {
        // A starter that moved with the program (another folder, an update) is found anew below.
        if (record.starter && !found.some(({ path }) => path === record.path) && !(await exists(record.path)))
          this.#store.remove(record.id);
      }
      for (const { path, name, licence } of found) {
        const known = this.#store.byPath(path);
        if (known && (await stat(path)).size === known.facts.sizeBytes) continue;
        try {
          const facts = await readModelFacts(path);
          this.#store.put({
            path,
            starter: true,
            copied: false,
            fingerprint: await fingerprint(path),
            facts: { ...facts, name: name ?? facts.name },
            licence: licence ?? facts.licence,
          });
        } catch (error) {
          this.#deps.log.warn("models.starter", { file: basename(path), problem: asCredenceError(error).message });
        }
      }
    })();
    return this.#scanned;
  }

  #inspect(path: string): Promise<ModelRecord["facts"]> {
    return this.engine.call("inspect", { path }).catch((error: unknown) => {
      if (!isCredenceError(error, "models.engine-died")) throw error;
      throw new CredenceError(
        "models.load-failed",
        { file: basename(path), detail: "it brings the model's process down" },
        { cause: error },
      );
    });
  }

  async #copy(record: ModelRecord): Promise<void> {
    const folder = join(this.#deps.dataDir, "models");
    const neededBytes = record.facts.sizeBytes;
    let partial = "";
    try {
      await mkdir(folder, { recursive: true });
      const space = await statfs(folder).catch(() => null);
      if (space && space.bavail * space.bsize < neededBytes)
        throw new CredenceError("models.disk-full", { folder, neededBytes });
      const target = await freeName(folder, basename(record.path));
      partial = `${target}.partial`;
      const timer = setInterval(() => {
        void stat(partial).then(
          ({ size }) => {
            this.#copying.set(record.id, Math.min(0.99, size / neededBytes));
            this.#changed();
          },
          () => {},
        );
      }, progressEveryMs);
      try {
        this.#copying.set(record.id, 0);
        await copyFile(record.path, partial);
        await rename(partial, target);
      } finally {
        clearInterval(timer);
        this.#copying.delete(record.id);
      }
      this.#store.learn(record.id, { path: target, copied: true });
    } catch (error) {
      if (partial) await rm(partial, { force: true });
      if (error instanceof CredenceError) throw error;
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "ENOSPC") throw new CredenceError("models.disk-full", { folder, neededBytes }, { cause: error });
      throw new CredenceError(
        "models.folder-not-writable",
        { folder, detail: code ?? String(error) },
        { cause: error },
      );
    }
  }

  /** Chat models in the order in which they are tried: the one in use, then the others, those that fit first. */
  #candidates(): ModelRecord[] {
    // Who names a model for one session wants that one or an error.
    const chats = this.#store
      .list()
      .filter((record) => record.facts.role === "chat" && (this.#session === null || record.id === this.#session));
    const memory = this.#memory();
    const place = (record: ModelRecord): number => {
      if (record.active) return 1;
      return fitModel(record.facts, memory, this.#deps.contextLimit()).fits === "no" ? 3 : 2;
    };
    return chats
      .map((record) => ({ record, place: place(record) }))
      .sort((a, b) => a.place - b.place || b.record.addedAt - a.record.addedAt)
      .map(({ record }) => record);
  }

  async #ensureChat(): Promise<LoadedChat> {
    const wanted = this.#session ?? this.#store.active("chat")?.id;
    const loaded = this.#chat;
    const passedOver = wanted !== undefined && this.#blocked(wanted) !== null;
    if (
      loaded &&
      loaded.generation === this.engine.generation &&
      (loaded.id === wanted || passedOver) &&
      loaded.limit === this.#deps.contextLimit()
    )
      return loaded;
    return this.#oneLoad(() => this.#loadChat());
  }

  async #loadChat(): Promise<LoadedChat> {
    await this.#scan();
    const limit = this.#deps.contextLimit();
    let first: CredenceError | null = null;
    for (const record of this.#candidates()) {
      const blocked = this.#blocked(record.id);
      if (blocked) {
        first ??= blocked;
        continue;
      }
      const loaded = this.#chat;
      const generation = await this.engine.start();
      if (loaded?.id === record.id && loaded.generation === generation && loaded.limit === limit) return loaded;
      this.#chat = null;
      this.#loading = { id: record.id, fraction: 0 };
      this.#changed();
      try {
        const description = await this.engine.callIn(
          generation,
          "loadChat",
          {
            path: record.path,
            id: record.id,
            windowLimit: limit,
            stateFolder: this.#deps.db.writable ? this.#statesFolder() : null,
            fingerprint: record.fingerprint,
          },
          { onProgress: (fraction) => this.#progress(record.id, fraction) },
        );
        const named = { ...description, name: record.facts.name };
        const memoryBytes = fitModel(record.facts, this.#memory(), limit).memoryBytes;
        this.#chat = { generation, id: record.id, limit, description: named, memoryBytes };
        this.#failures.delete(record.id);
        if (record.problem) this.#store.learn(record.id, { problem: null });
        return this.#chat;
      } catch (thrown) {
        const error = this.#failed(record, thrown);
        first ??= error;
      } finally {
        this.#loading = null;
        this.#changed();
      }
    }
    throw first ?? new CredenceError("models.none-installed", { need: "chat" });
  }

  #loadProblem(record: ModelRecord, thrown: unknown): CredenceError {
    if (!isCredenceError(thrown, "models.engine-died")) return asCredenceError(thrown);
    return new CredenceError(
      "models.load-failed",
      { file: basename(record.path), detail: "it brings the model's process down" },
      { cause: thrown },
    );
  }

  #blocked(id: ModelId): CredenceError | null {
    const failure = this.#failures.get(id);
    if (!failure) return null;
    return failure.until > this.#deps.clock.monotonic() ? failure.error : null;
  }

  #failed(record: ModelRecord, thrown: unknown): CredenceError {
    const error = this.#loadProblem(record, thrown);
    const count = (this.#failures.get(record.id)?.count ?? 0) + 1;
    const wait = error.retry === "never" ? Number.POSITIVE_INFINITY : retryAfterMs * 5 ** Math.min(count - 1, 6);
    this.#failures.set(record.id, { error, until: this.#deps.clock.monotonic() + wait, count });
    this.#store.learn(record.id, { problem: error.message });
    this.#deps.log.warn("models.load", { kind: error.kind, file: basename(record.path) });
    return error;
  }

  async #ensureEmbedder(): Promise<LoadedEmbedder> {
    const loaded = this.#embedder;
    if (loaded && loaded.generation === this.engine.generation && this.#store.active("embed")?.id === loaded.id)
      return loaded;
    return this.#oneLoad(async () => {
      await this.#scan();
      const record = this.#store.active("embed");
      if (!record) throw new CredenceError("models.none-installed", { need: "embed" });
      const blocked = this.#blocked(record.id);
      if (blocked) throw blocked;
      const generation = await this.engine.start();
      if (this.#embedder?.generation === generation && this.#embedder.id === record.id) return this.#embedder;
      try {
        // The vectors' identity is that of the weights: the same file elsewhere gives the same vectors.
        const description = await this.engine.callIn(generation, "loadEmbedder", {
          path: record.path,
          id: `embed_${record.fingerprint}`,
        });
        this.#embedder = { generation, id: record.id, description };
        return this.#embedder;
      } catch (thrown) {
        throw this.#failed(record, thrown);
      }
    });
  }

  #oneLoad<Value>(work: () => Promise<Value>): Promise<Value> {
    const next = this.#loads.then(work);
    this.#loads = next.catch(() => {});
    return next;
  }

  #measured(id: string, tokensPerSecond: number): void {
    const record = this.#store.find(id as ModelId);
    if (!record) return;
    const before = record.tokensPerSecond;
    const now = before === null ? tokensPerSecond : before * 0.7 + tokensPerSecond * 0.3;
    if (before !== null && Math.abs(now - before) < before * 0.03) return;
    this.#store.learn(record.id, { tokensPerSecond: now });
    this.#changed();
  }

  #progress(id: ModelId, fraction: number): void {
    this.#loading = { id, fraction };
    const now = this.#deps.clock.monotonic();
    if (now - this.#lastTold >= progressEveryMs) this.#changed();
  }

  #changed(): void {
    this.#lastTold = this.#deps.clock.monotonic();
    this.#deps.onChanged?.(this.#installed());
  }

  #memory(): MemoryBudget {
    const main = mainMemory();
    // A loaded chat model leaves before another one comes.
    const freed = this.#chat?.generation === this.engine.generation ? this.#chat.memoryBytes : 0;
    return {
      totalBytes: main.totalBytes,
      freeBytes: Math.min(main.totalBytes, main.freeBytes + freed),
      gpuFreeBytes: this.#machine?.gpuFreeBytes ?? null,
    };
  }

  async #knowMachine(): Promise<void> {
    if (this.#machine) return;
    this.#machine = await this.engine.call("machine", null).catch(() => null);
  }

  #describeMachine(): Machine {
    const memory = this.#memory();
    return {
      memoryBytes: memory.totalBytes,
      freeMemoryBytes: memory.freeBytes,
      physicalCores: this.#machine?.physicalCores ?? 1,
      gpu: this.#machine?.gpu ?? null,
      gpuMemoryBytes: this.#machine?.gpuMemoryBytes ?? null,
      suggestedBillions: suggestedBillions(memory),
    };
  }

  #installed(): InstalledModel[] {
    return this.#store.list().map((record) => this.#describe(record));
  }

  #describe(record: ModelRecord): InstalledModel {
    const { facts } = record;
    const fit = fitModel(facts, this.#memory(), this.#deps.contextLimit());
    const loaded = this.#chat?.id === record.id && this.#chat.generation === this.engine.generation ? this.#chat : null;
    const embedding = this.#embedder?.id === record.id && this.#embedder.generation === this.engine.generation;
    const loading = this.#loading?.id === record.id ? this.#loading.fraction : (this.#copying.get(record.id) ?? null);
    return {
      id: record.id,
      name: facts.name,
      fileName: basename(record.path),
      path: record.path,
      role: facts.role,
      starter: record.starter,
      sizeBytes: facts.sizeBytes,
      architecture: facts.architecture,
      parameters: facts.parameters,
      quantization: facts.quantization,
      trainedContext: facts.trainedContext,
      window: loaded?.description.window ?? fit.window,
      memoryBytes: fit.memoryBytes,
      fits: loaded && fit.fits === "no" ? "tight" : fit.fits,
      licence: record.licence,
      active: record.active,
      state:
        loading !== null
          ? "loading"
          : loaded || embedding
            ? "ready"
            : this.#blocked(record.id) || record.problem
              ? "failed"
              : "idle",
      loadProgress: loading,
      problem: loaded || embedding ? null : (this.#blocked(record.id)?.message ?? record.problem),
      tokensPerSecond: record.tokensPerSecond,
      profile: record.profile,
    };
  }
}

function wrongRole(path: string, role: ModelRecord["facts"]["role"]): CredenceError {
  const purposes = { chat: "chat", embed: "embedding", rerank: "ranking" };
  return new CredenceError("models.wrong-role", { file: basename(path), role: purposes[role], wanted: "chat" });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function freeName(folder: string, name: string): Promise<string> {
  for (let i = 1; ; i++) {
    const target = join(folder, i === 1 ? name : name.replace(/(\.gguf)?$/i, `-${i}$1`));
    if (!(await exists(target))) return target;
  }
}

/** The models of one running Credence: which are installed, which one answers, and access to them for the rest of the core. */
import { rm, stat } from "node:fs/promises";
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
import { copyModel, exists } from "./copy-model.ts";
import type { EngineMachine } from "./engine/protocol.ts";
import { removeState } from "./engine/state-files.ts";
import { fingerprint } from "./fingerprint.ts";
import { describeMachine, describeModel } from "./listing.ts";
import { diedLoading, ModelLoader } from "./loader.ts";
import { mainMemory } from "./machine-memory.ts";
import { fitModel, type MemoryBudget } from "./memory-fit.ts";
import { firstPart, readModelFacts } from "./model-facts.ts";
import { findStarters } from "./starters.ts";
import { type ModelProfile, type ModelRecord, ModelStore } from "./store.ts";
import type { ChatModel, Embedder, Models } from "./types.ts";

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

export interface ImportParams {
  readonly path: string;
  readonly copy?: boolean | undefined;
  readonly use?: boolean | undefined;
  readonly session?: boolean | undefined;
}

const progressEveryMs = 150;
/** What closing waits for a state to be written, at most. */
const closingMs = 3000;

export class ModelService implements Models {
  readonly engine: EngineClient;
  readonly #deps: ModelsDeps;
  readonly #store: ModelStore;
  readonly #loader: ModelLoader;
  readonly #statesFolder: string | null;
  readonly #copying = new Map<ModelId, number>();
  #machine: EngineMachine | null = null;
  #scanned: Promise<void> | null = null;
  #lastTold = 0;

  constructor(deps: ModelsDeps) {
    this.#deps = deps;
    this.#store = new ModelStore(deps.db, deps.clock);
    this.#statesFolder = deps.db.writable ? join(deps.dataDir, "states") : null;
    this.engine = new EngineClient({
      childHost: deps.childHost,
      clock: deps.clock,
      log: deps.log,
      onState: (state) => {
        deps.onEngineState?.(state);
        if (state.state !== "ready") this.#changed();
      },
    });
    this.#loader = new ModelLoader({
      engine: this.engine,
      store: this.#store,
      clock: deps.clock,
      log: deps.log,
      limit: deps.contextLimit,
      memory: () => this.#memory(),
      statesFolder: this.#statesFolder,
      scan: () => this.#scan(),
      changed: (often) => this.#changed(often),
    });
  }

  /**
   * All needs of words are met by the model in use: a second one beside it would cost the memory that makes the first one
   * good, and taking turns would cost a load each time. Where it will not load, the next one that does answers.
   */
  async chat(_need: "chat" | "structured" | "fast" | "reasoning"): Promise<ChatModel> {
    await this.#loader.ensureChat();
    return remoteChatModel({
      engine: this.engine,
      ensure: () => this.#loader.ensureChat(),
      description: () => this.#loader.lastDescription,
      measured: (id, tokensPerSecond) => this.#measured(id as ModelId, tokensPerSecond),
    });
  }

  async embedder(): Promise<Embedder | null> {
    try {
      const { description } = await this.#loader.ensureEmbedder();
      return remoteEmbedder({
        engine: this.engine,
        ensure: () => this.#loader.ensureEmbedder(),
        description: () => description,
      });
    } catch (error) {
      if (isCredenceError(error, "models.none-installed")) return null;
      throw error;
    }
  }

  async saveState(cacheKey: string): Promise<void> {
    const loaded = this.#loader.chat;
    if (loaded) await this.engine.callIn(loaded.generation, "saveState", { cacheKey });
  }

  async dropState(cacheKey: string): Promise<void> {
    const loaded = this.#loader.chat;
    // The engine must not write it once more; when it has just died it cannot.
    if (loaded) await this.engine.callIn(loaded.generation, "dropState", { cacheKey }).catch(() => {});
    if (this.#statesFolder !== null) await removeState(this.#statesFolder, cacheKey);
  }

  /** The record of the model that answers now, loaded or not; null when none is installed. */
  async current(): Promise<ModelRecord | null> {
    await this.#scan();
    const candidates = this.#loader.candidates();
    return candidates.find((record) => !this.#loader.blocked(record.id)) ?? candidates[0] ?? null;
  }

  /** Keeps what an aptitude check found. */
  setProfile(id: ModelId, profile: ModelProfile): void {
    this.#store.learn(id, { profile });
    this.#changed();
  }

  async list(): Promise<{ models: InstalledModel[]; machine: Machine }> {
    await this.#scan();
    this.#machine ??= await this.engine.call("machine", null).catch(() => null);
    return { models: this.#installed(), machine: describeMachine(this.#machine, this.#memory()) };
  }

  /** Adds a model file; with `session` it alone answers until this process ends. Throws what is wrong with it; nothing is changed then. */
  async import(params: ImportParams): Promise<InstalledModel> {
    await this.#scan();
    const path = firstPart(resolve(params.path));
    const facts = await this.engine.call("inspect", { path }).catch((error: unknown) => {
      throw diedLoading(path, error);
    });
    if (params.session && facts.role !== "chat") throw wrongRole(path, facts.role);
    if (params.use || params.session) this.#assertFits(path, facts);
    const known = this.#store.byPath(path);
    const record = this.#store.put({
      path,
      starter: known?.starter ?? false,
      copied: known?.copied ?? false,
      fingerprint: await fingerprint(path),
      facts: known?.starter ? { ...facts, name: known.facts.name } : facts,
      licence: known?.licence ?? facts.licence,
    });
    this.#loader.forgive(record.id);
    if (params.copy && !record.copied) await this.#copy(record);
    if (params.session) this.#loader.session = record.id;
    else if (params.use) return this.use(record.id);
    this.#changed();
    return this.#describe(this.#store.get(record.id));
  }

  /** Brings a model into use and begins to load it; the one before it comes back when that fails. */
  async use(id: ModelId): Promise<InstalledModel> {
    await this.#scan();
    const record = this.#store.get(id);
    const { role } = record.facts;
    if (role === "rerank") throw wrongRole(record.path, role);
    const before = this.#store.active(role);
    this.#loader.forgive(id);
    this.#loader.session = null;
    this.#store.use(id);
    if (role === "chat") {
      this.#loader.loading = { id, fraction: 0 };
      void this.#loader
        .ensureChat()
        .catch(() => {})
        .finally(() => {
          const isStill = this.#store.active("chat")?.id === id;
          if (this.#loader.hasFailed(id) && isStill && before && before.id !== id && this.#store.find(before.id))
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
    if (this.#loader.chat?.id === id) await this.unload();
    this.#store.remove(id);
    if (record.copied) await rm(record.path, { force: true });
    this.#changed();
  }

  /** Frees the chat model's memory; the next request loads it again. */
  async unload(): Promise<void> {
    await this.#loader.unloadChat();
    this.#changed();
  }

  /** Keeps the state of the conversation at hand, then ends the engine. */
  async close(): Promise<void> {
    const loaded = this.#loader.chat;
    if (loaded) {
      const saved = this.engine.callIn(loaded.generation, "saveState", { cacheKey: null }).catch(() => null);
      await Promise.race([saved, new Promise((done) => setTimeout(done, closingMs).unref())]);
    }
    this.engine.close();
  }

  /** Adds the models that came with Credence, once; again as long as there are none at all. */
  #scan(): Promise<void> {
    if (this.#scanned && this.#store.list().length > 0) return this.#scanned;
    this.#scanned = this.#addStarters();
    return this.#scanned;
  }

  async #addStarters(): Promise<void> {
    const found = await findStarters(this.#deps.modelDirs);
    for (const record of this.#store.list()) {
      // A starter that moved with the program (another folder, an update) is found anew below.
      const gone = record.starter && !found.some(({ path }) => path === record.path) && !(await exists(record.path));
      if (gone) this.#store.remove(record.id);
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
  }

  #assertFits(path: string, facts: ModelRecord["facts"]): void {
    const memory = this.#memory();
    const fit = fitModel(facts, memory, this.#deps.contextLimit());
    if (fit.fits !== "no") return;
    const freeBytes = memory.gpuFreeBytes ?? memory.freeBytes;
    throw new CredenceError("models.too-large", { file: basename(path), neededBytes: fit.memoryBytes, freeBytes });
  }

  async #copy(record: ModelRecord): Promise<void> {
    const tell = (fraction: number): void => {
      this.#copying.set(record.id, fraction);
      this.#changed(true);
    };
    try {
      tell(0);
      const path = await copyModel(record.path, record.facts.sizeBytes, join(this.#deps.dataDir, "models"), tell);
      this.#store.learn(record.id, { path, copied: true });
    } finally {
      this.#copying.delete(record.id);
    }
  }

  #measured(id: ModelId, tokensPerSecond: number): void {
    const before = this.#store.find(id)?.tokensPerSecond ?? null;
    const now = before === null ? tokensPerSecond : before * 0.7 + tokensPerSecond * 0.3;
    if (before !== null && Math.abs(now - before) < before * 0.03) return;
    this.#store.learn(id, { tokensPerSecond: now });
    this.#changed();
  }

  #changed(often = false): void {
    const now = this.#deps.clock.monotonic();
    if (often && now - this.#lastTold < progressEveryMs) return;
    this.#lastTold = now;
    this.#deps.onChanged?.(this.#installed());
  }

  #memory(): MemoryBudget {
    const main = mainMemory();
    // A loaded chat model leaves before another one comes.
    const freed = this.#loader.chat?.memoryBytes ?? 0;
    return {
      totalBytes: main.totalBytes,
      freeBytes: Math.min(main.totalBytes, main.freeBytes + freed),
      gpuFreeBytes: this.#machine?.gpuFreeBytes ?? null,
    };
  }

  #installed(): InstalledModel[] {
    return this.#store.list().map((record) => this.#describe(record));
  }

  #describe(record: ModelRecord): InstalledModel {
    const { chat, embedder, loading } = this.#loader;
    const loaded = chat?.id === record.id ? chat : null;
    const state = {
      window: loaded?.description.window ?? null,
      ready: loaded !== null || embedder?.id === record.id,
      progress: loading?.id === record.id ? loading.fraction : (this.#copying.get(record.id) ?? null),
      problem: this.#loader.blocked(record.id)?.message ?? record.problem,
    };
    return describeModel(record, state, this.#memory(), this.#deps.contextLimit());
  }
}

function wrongRole(path: string, role: ModelRecord["facts"]["role"]): CredenceError {
  const purposes = { chat: "chat", embed: "embedding", rerank: "ranking" };
  return new CredenceError("models.wrong-role", { file: basename(path), role: purposes[role], wanted: "chat" });
}

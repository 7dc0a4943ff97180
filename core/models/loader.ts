/**
 * Sees to it that the right model is loaded in the engine when something is asked of it. A model that will not load is passed
 * over for the next one, and is not tried again and again.
 */
import { basename } from "node:path";
import { asCredenceError, CredenceError, isCredenceError, type ModelId } from "../contract/index.ts";
import type { Clock, Log } from "../platform/index.ts";
import type { EngineClient } from "./client/engine-client.ts";
import type { EmbedderDescription } from "./engine/protocol.ts";
import { fitModel, type MemoryBudget } from "./memory-fit.ts";
import type { ModelRecord, ModelStore } from "./store.ts";
import type { ModelDescription } from "./types.ts";

export interface LoaderDeps {
  readonly engine: EngineClient;
  readonly store: ModelStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly limit: () => number | null;
  readonly memory: () => MemoryBudget;
  /** Folder of saved conversation states; null where nothing may be written. */
  readonly statesFolder: string | null;
  /** Looks for models that came with Credence. */
  readonly scan: () => Promise<void>;
  /** What the list shows has changed; `often` when it does so many times a second. */
  readonly changed: (often?: boolean) => void;
}

export interface LoadedChat {
  readonly generation: number;
  readonly id: ModelId;
  readonly limit: number | null;
  readonly description: ModelDescription;
  readonly memoryBytes: number;
}

export interface LoadedEmbedder {
  readonly generation: number;
  readonly id: ModelId;
  readonly description: EmbedderDescription;
}

/**
 * After a failure that time may heal (memory, a missing disk), a model is tried again no sooner than this, five times as long
 * after each further one: every try puts the model out that answers in its place.
 */
const retryAfterMs = 60_000;

export class ModelLoader {
  readonly #deps: LoaderDeps;
  readonly #failures = new Map<ModelId, { error: CredenceError; until: number; count: number }>();
  #chat: LoadedChat | null = null;
  #embedder: LoadedEmbedder | null = null;
  #loads: Promise<unknown> = Promise.resolve();
  loading: { id: ModelId; fraction: number } | null = null;
  /** A model that answers in this process alone, without becoming the one in use. */
  session: ModelId | null = null;

  constructor(deps: LoaderDeps) {
    this.#deps = deps;
  }

  /** The chat model that is in the engine now. */
  get chat(): LoadedChat | null {
    return this.#chat?.generation === this.#deps.engine.generation ? this.#chat : null;
  }

  /** The description of the chat model that was loaded last, also when the engine has died since. */
  get lastDescription(): ModelDescription | null {
    return this.#chat?.description ?? null;
  }

  get embedder(): LoadedEmbedder | null {
    return this.#embedder?.generation === this.#deps.engine.generation ? this.#embedder : null;
  }

  async ensureChat(): Promise<LoadedChat> {
    const wanted = this.session ?? this.#deps.store.active("chat")?.id;
    const loaded = this.chat;
    const passedOver = wanted !== undefined && this.blocked(wanted) !== null;
    if (loaded && (loaded.id === wanted || passedOver) && loaded.limit === this.#deps.limit()) return loaded;
    return this.#oneLoad(() => this.#loadChat());
  }

  async ensureEmbedder(): Promise<LoadedEmbedder> {
    const loaded = this.embedder;
    if (loaded && this.#deps.store.active("embed")?.id === loaded.id) return loaded;
    return this.#oneLoad(() => this.#loadEmbedder());
  }

  /** Chat models in the order in which they are tried: the one in use, then the others, those that fit first. */
  candidates(): ModelRecord[] {
    const { session } = this;
    // Who names a model for one session wants that one or an error.
    const chats = this.#deps.store
      .list()
      .filter((record) => record.facts.role === "chat" && (session === null || record.id === session));
    const memory = this.#deps.memory();
    const place = (record: ModelRecord): number => {
      if (record.active) return 1;
      return fitModel(record.facts, memory, this.#deps.limit()).fits === "no" ? 3 : 2;
    };
    return chats
      .map((record) => ({ record, place: place(record) }))
      .sort((a, b) => a.place - b.place || b.record.addedAt - a.record.addedAt)
      .map(({ record }) => record);
  }

  /** Why a model is not tried now; null when it may be. */
  blocked(id: ModelId): CredenceError | null {
    const failure = this.#failures.get(id);
    return failure && failure.until > this.#deps.clock.monotonic() ? failure.error : null;
  }

  hasFailed(id: ModelId): boolean {
    return this.#failures.has(id);
  }

  /** Lets a model be tried again at once: the user has asked for it, or its file is another one. */
  forgive(id: ModelId): void {
    this.#failures.delete(id);
  }

  /** Frees the chat model's memory, once an answer under way has ended. */
  async unloadChat(): Promise<void> {
    const loaded = this.chat;
    this.#chat = null;
    if (!loaded) return;
    await this.#deps.engine.callIn(loaded.generation, "saveState", { cacheKey: null }).catch(() => {});
    await this.#deps.engine.callIn(loaded.generation, "unloadChat", null).catch((error: unknown) => {
      // An engine that has died holds no memory either.
      if (!isCredenceError(error, "models.engine-died")) throw error;
    });
  }

  async #loadChat(): Promise<LoadedChat> {
    await this.#deps.scan();
    const limit = this.#deps.limit();
    let first: CredenceError | null = null;
    for (const record of this.candidates()) {
      const blocked = this.blocked(record.id);
      if (blocked) {
        first ??= blocked;
        continue;
      }
      try {
        const generation = await this.#deps.engine.start();
        const loaded = this.chat;
        if (loaded?.id === record.id && loaded.generation === generation && loaded.limit === limit) return loaded;
        return await this.#loadOne(record, generation, limit);
      } catch (thrown) {
        const error = this.#failed(record, thrown);
        first ??= error;
      } finally {
        this.loading = null;
        this.#deps.changed();
      }
    }
    throw first ?? new CredenceError("models.none-installed", { need: "chat" });
  }

  async #loadOne(record: ModelRecord, generation: number, limit: number | null): Promise<LoadedChat> {
    this.loading = { id: record.id, fraction: 0 };
    // The engine puts the present model out first, so a failure leaves none.
    this.#chat = null;
    this.#deps.changed();
    const description = await this.#deps.engine.callIn(
      generation,
      "loadChat",
      {
        path: record.path,
        id: record.id,
        windowLimit: limit,
        stateFolder: this.#deps.statesFolder,
        fingerprint: record.fingerprint,
      },
      {
        onProgress: (fraction) => {
          this.loading = { id: record.id, fraction };
          this.#deps.changed(true);
        },
      },
    );
    const { memoryBytes } = fitModel(record.facts, this.#deps.memory(), limit);
    this.#chat = {
      generation,
      id: record.id,
      limit,
      description: { ...description, name: record.facts.name },
      memoryBytes,
    };
    this.#failures.delete(record.id);
    if (record.problem) this.#deps.store.learn(record.id, { problem: null });
    return this.#chat;
  }

  async #loadEmbedder(): Promise<LoadedEmbedder> {
    await this.#deps.scan();
    const record = this.#deps.store.active("embed");
    if (!record) throw new CredenceError("models.none-installed", { need: "embed" });
    const blocked = this.blocked(record.id);
    if (blocked) throw blocked;
    try {
      const generation = await this.#deps.engine.start();
      const loaded = this.embedder;
      if (loaded?.generation === generation && loaded.id === record.id) return loaded;
      // The vectors' identity is that of the weights: the same file elsewhere gives the same vectors.
      const description = await this.#deps.engine.callIn(generation, "loadEmbedder", {
        path: record.path,
        id: `embed_${record.fingerprint}`,
      });
      this.#embedder = { generation, id: record.id, description };
      return this.#embedder;
    } catch (thrown) {
      throw this.#failed(record, thrown);
    }
  }

  /** Keeps a failure against the model, unless it was the engine's alone: one that does not start says nothing of a file. */
  #failed(record: ModelRecord, thrown: unknown): CredenceError {
    if (isCredenceError(thrown, "models.engine-unavailable")) return thrown;
    const error = diedLoading(record.path, thrown);
    const count = (this.#failures.get(record.id)?.count ?? 0) + 1;
    const wait = error.retry === "never" ? Number.POSITIVE_INFINITY : retryAfterMs * 5 ** Math.min(count - 1, 6);
    this.#failures.set(record.id, { error, until: this.#deps.clock.monotonic() + wait, count });
    this.#deps.store.learn(record.id, { problem: error.message });
    this.#deps.log.warn("models.load", { kind: error.kind, file: basename(record.path) });
    return error;
  }

  #oneLoad<Value>(work: () => Promise<Value>): Promise<Value> {
    const next = this.#loads.then(work);
    this.#loads = next.catch(() => {});
    return next;
  }
}

/** An engine that dies over a file dies of the file. */
export function diedLoading(path: string, thrown: unknown): CredenceError {
  if (!isCredenceError(thrown, "models.engine-died")) return asCredenceError(thrown);
  const detail = "it brings the model's process down";
  return new CredenceError("models.load-failed", { file: basename(path), detail }, { cause: thrown });
}

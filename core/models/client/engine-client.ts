/**
 * The core's side of the engine process: starts it when first needed, passes calls to it, and starts it again when it dies.
 * A call that was under way when it died rejects with `models.engine-died`; later calls wait for the new process.
 */
import { type AppEventOf, asCredenceError, CredenceError, errorFromData } from "../../contract/index.ts";
import type { ChildHost, ChildPort, Clock, Log } from "../../platform/index.ts";
import type { EngineOperations, FromEngine, Operation, ToEngine } from "../engine/protocol.ts";
import type { StreamChunk } from "../types.ts";
import { backoffMs } from "./backoff.ts";

export interface EngineClientDeps {
  readonly childHost: ChildHost;
  readonly clock: Clock;
  readonly log: Log;
  readonly onState?: (state: Omit<AppEventOf<"engine.state">, "type">) => void;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onChunk?: ((chunk: StreamChunk) => void) | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

interface Pending {
  readonly operation: Operation;
  readonly options: CallOptions;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface Process {
  readonly port: ChildPort;
  readonly ready: Promise<void>;
  readonly pending: Map<number, Pending>;
  alive: boolean;
}

/** After so many deaths in a row without one finished operation the engine counts as failed until the next call. */
const mostFailures = 6;
const startLimitMs = 120_000;

export class EngineClient {
  readonly #deps: EngineClientDeps;
  #process: Process | null = null;
  #nextId = 1;
  #failures = 0;
  /** Deaths with the graphics card in use and nothing achieved: a broken driver shows itself like this. */
  #graphicsDeaths = 0;
  #starting: Promise<Process> | null = null;
  #closed = false;
  /** Rises with every birth and death of a process, so that owners of loaded models know when theirs are gone. */
  generation = 0;

  constructor(deps: EngineClientDeps) {
    this.#deps = deps;
  }

  /** The running process, for tests that end it. */
  get pid(): number | undefined {
    return this.#process?.port.pid;
  }

  async call<Name extends Operation>(
    operation: Name,
    params: EngineOperations[Name]["params"],
    options: CallOptions = {},
  ): Promise<EngineOperations[Name]["result"]> {
    const process = await this.#running();
    return this.#send(process, operation, params, options);
  }

  /** Like `call`, but only in the process of `generation`: rejects with `models.engine-died` when that one is gone. */
  async callIn<Name extends Operation>(
    generation: number,
    operation: Name,
    params: EngineOperations[Name]["params"],
    options: CallOptions = {},
  ): Promise<EngineOperations[Name]["result"]> {
    const process = this.#process;
    if (!process?.alive || generation !== this.generation)
      throw new CredenceError("models.engine-died", { code: null, signal: null });
    return this.#send(process, operation, params, options);
  }

  /** Starts the process ahead of the first call. */
  async start(): Promise<number> {
    await this.#running();
    return this.generation;
  }

  close(): void {
    this.#closed = true;
    const process = this.#process;
    if (process?.alive) process.port.kill();
  }

  #send<Name extends Operation>(
    process: Process,
    operation: Name,
    params: EngineOperations[Name]["params"],
    options: CallOptions,
  ): Promise<EngineOperations[Name]["result"]> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      if (options.signal?.aborted) {
        reject(new CredenceError("general.cancelled", {}));
        return;
      }
      if (!process.alive) {
        reject(new CredenceError("models.engine-died", { code: null, signal: null }));
        return;
      }
      const cancel = (): void => this.#post(process, { kind: "cancel", id });
      options.signal?.addEventListener("abort", cancel, { once: true });
      const settle = (): void => {
        options.signal?.removeEventListener("abort", cancel);
        process.pending.delete(id);
      };
      process.pending.set(id, {
        operation,
        options,
        resolve: (result) => {
          settle();
          resolve(result as EngineOperations[Name]["result"]);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      this.#post(process, { kind: "call", id, operation, params });
    });
  }

  #post(process: Process, message: ToEngine): void {
    if (process.alive) process.port.post(message);
  }

  #running(): Promise<Process> {
    if (this.#closed)
      return Promise.reject(new CredenceError("models.engine-unavailable", { detail: "Credence is closing" }));
    if (this.#process?.alive) return this.#process.ready.then(() => this.#process!);
    this.#starting ??= this.#startWithBackoff().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #startWithBackoff(): Promise<Process> {
    // A call after all attempts failed is a new beginning: somebody has asked again.
    if (this.#failures >= mostFailures) this.#failures = 0;
    for (;;) {
      const wait = backoffMs(this.#failures);
      if (wait > 0) {
        this.#tell("restarting", wait);
        await new Promise<void>((resolve) => {
          this.#deps.clock.after(wait, resolve);
        });
      }
      if (this.#closed) throw new CredenceError("models.engine-unavailable", { detail: "Credence is closing" });
      this.#tell(this.#failures === 0 ? "starting" : "restarting", null);
      const process = this.#spawn();
      try {
        await process.ready;
        this.#tell("ready", null);
        return process;
      } catch (error) {
        if (this.#failures >= mostFailures) {
          this.#tell("failed", null);
          throw asCredenceError(error);
        }
      }
    }
  }

  #spawn(): Process {
    const port = this.#deps.childHost.spawn("engine");
    const pending = new Map<number, Pending>();
    const graphics = this.#graphicsDeaths < 2;
    this.generation++;
    let opened: () => void = () => {};
    let refused: (error: unknown) => void = () => {};
    const ready = new Promise<void>((resolve, reject) => {
      opened = resolve;
      refused = reject;
    });
    ready.catch(() => {});
    const process: Process = { port, ready, pending, alive: true };
    this.#process = process;
    const cancelLimit = this.#deps.clock.after(startLimitMs, () => port.kill());
    port.onMessage((message) => {
      const received = message as FromEngine;
      if (received.kind === "ready") {
        cancelLimit();
        opened();
      } else if (received.kind === "failed") {
        this.#deps.log.error("engine.open", { detail: received.detail });
        refused(new CredenceError("models.engine-unavailable", { detail: received.detail }));
        port.kill();
      } else this.#receive(process, received);
    });
    port.onExit((code, signal) => {
      cancelLimit();
      process.alive = false;
      // What was loaded went with it: whoever asks during the wait for the next process must load anew.
      this.generation++;
      if (this.#closed) {
        refused(new CredenceError("models.engine-unavailable", { detail: "Credence is closing" }));
        for (const call of [...pending.values()]) call.reject(new CredenceError("general.cancelled", {}));
        return;
      }
      this.#failures++;
      if (graphics) this.#graphicsDeaths++;
      this.#deps.log.warn("engine.exit", {
        code,
        signal,
        pending: [...pending.values()].map((call) => call.operation),
      });
      const error = new CredenceError("models.engine-died", { code, signal });
      refused(
        new CredenceError(
          "models.engine-unavailable",
          { detail: `it ended with ${signal ?? code ?? "no reason given"}` },
          { cause: error },
        ),
      );
      for (const call of [...pending.values()]) call.reject(error);
      this.#recover();
    });
    this.#post(process, { kind: "start", graphics });
    return process;
  }

  /** Starts again without waiting for a call, so that the next one finds an engine. */
  #recover(): void {
    if (this.#starting) return;
    this.#tell("restarting", backoffMs(this.#failures));
    this.#running().catch(() => {});
  }

  #receive(process: Process, message: Exclude<FromEngine, { kind: "ready" | "failed" }>): void {
    const call = process.pending.get(message.id);
    if (!call) return;
    switch (message.kind) {
      case "chunk":
        call.options.onChunk?.(message.chunk);
        break;
      case "progress":
        call.options.onProgress?.(message.fraction);
        break;
      case "result":
        if (call.operation === "generate" || call.operation === "embed" || call.operation === "structured") {
          this.#failures = 0;
          this.#graphicsDeaths = 0;
        }
        call.resolve(message.result);
        break;
      case "error":
        call.reject(errorFromData(message.error));
    }
  }

  #tell(state: AppEventOf<"engine.state">["state"], waitMs: number | null): void {
    const messages = {
      starting: null,
      ready: null,
      restarting:
        "The model's process ended and is starting again. Your conversation is safe; send your message once more in a moment.",
      failed: "The model's process does not start. Choose another model, or start Credence again.",
    };
    this.#deps.onState?.({
      state,
      message: messages[state],
      retryAt: waitMs === null ? null : this.#deps.clock.now() + waitMs,
    });
  }
}

import { existsSync, rmSync } from "node:fs";
import { CredenceError, errorFromData } from "../contract/index.ts";
import type { ChildHost, ChildPort, Clock, Log } from "../platform/index.ts";
import type { JobKind, JobKinds } from "./jobs.ts";
import type { FromParser, ToParser } from "./process/protocol.ts";
import { memoryNotePath } from "./process/watch.ts";

export interface ParserDeps {
  readonly host: ChildHost;
  readonly clock: Clock;
  readonly log: Log;
  /** Processes at most; each reads one file at a time. */
  readonly size: number;
  /** Caps of a job unless the call says otherwise. */
  readonly timeMs?: number;
  readonly memoryMb?: number;
}

export interface RunOptions<Kind extends JobKind> {
  readonly signal?: AbortSignal;
  /** After this the job is asked to stop with what it has, and soon after its process is ended. */
  readonly timeMs?: number;
  readonly memoryMb?: number;
  readonly onProgress?: (done: number, total: number, unit: string) => void;
  readonly onPiece?: (piece: JobKinds[Kind]["piece"]) => void;
  /** Called before a job is tried anew because its process died: pieces received so far are void. */
  readonly onRestart?: () => void;
}

/**
 * Runs jobs in parser processes. Rejects with the job's own error, or `documents.time-limit`, `documents.memory-limit`,
 * `documents.quarantined` (the job ended its process three times) or `general.cancelled`.
 */
export interface Parser {
  run<Kind extends JobKind>(
    kind: Kind,
    params: JobKinds[Kind]["params"],
    options?: RunOptions<Kind>,
  ): Promise<JobKinds[Kind]["result"]>;
  /** Starts processes ahead of work that is about to come. */
  warm(): void;
  /** Jobs waiting or running. */
  pending(): number;
  close(): void;
}

interface Job {
  readonly id: number;
  readonly kind: JobKind;
  readonly params: unknown;
  readonly timeMs: number;
  readonly memoryMb: number;
  readonly options: RunOptions<JobKind>;
  deaths: number;
  settled: boolean;
  resolve(result: unknown): void;
  reject(error: CredenceError): void;
}

interface Reader {
  readonly port: ChildPort;
  job: Job | null;
  /** Why we ended it, when it was us. */
  ended: "time" | "cancelled" | "retired" | null;
  stopTimer(): void;
  served: number;
}

const maxDeaths = 3;
/** A soft stop first: the job returns what it has. The process is ended when it does not. */
const graceMs = 5_000;
/** Memory that a library does not give back is given back by a fresh process. */
const retireRssMb = 700;
const retireAfterJobs = 400;
const idleMs = 60_000;

export function createParser(deps: ParserDeps): Parser {
  const { host, clock, log } = deps;
  const readers = new Set<Reader>();
  const waiting: Job[] = [];
  let lastId = 0;
  let closed = false;

  const start = (): Reader => {
    const port = host.spawn("parser", { maxOldSpaceMb: Math.floor((deps.memoryMb ?? defaultMemoryMb) * 0.6) });
    const reader: Reader = { port, job: null, ended: null, stopTimer: () => {}, served: 0 };
    readers.add(reader);
    port.onMessage((message) => receive(reader, message as FromParser));
    port.onExit((code, signal) => exited(reader, code, signal));
    return reader;
  };

  const end = (reader: Reader, why: NonNullable<Reader["ended"]>) => {
    reader.ended = why;
    reader.stopTimer();
    reader.port.kill();
  };

  const pump = () => {
    while (waiting.length > 0 && !closed) {
      const idle = [...readers].find((reader) => reader.job === null && reader.ended === null);
      const busy = [...readers].filter((reader) => reader.ended === null).length;
      if (!idle && busy >= deps.size) return;
      give(idle ?? start(), waiting.shift()!);
    }
  };

  const give = (reader: Reader, job: Job) => {
    reader.job = job;
    reader.stopTimer();
    reader.stopTimer = clock.after(job.timeMs + graceMs, () => end(reader, "time"));
    const message: ToParser = {
      type: "run",
      id: job.id,
      kind: job.kind,
      params: job.params,
      timeMs: job.timeMs,
      memoryMb: job.memoryMb,
    };
    reader.port.post(message);
  };

  const receive = (reader: Reader, message: FromParser) => {
    const { job } = reader;
    if (message.type === "ready" || !job || message.id !== job.id) return;
    if (message.type === "progress") job.options.onProgress?.(message.done, message.total, message.unit);
    else if (message.type === "piece") job.options.onPiece?.(message.piece as never);
    else {
      reader.job = null;
      reader.served++;
      reader.stopTimer();
      if (message.type === "done") job.resolve(message.result);
      else job.reject(errorFromData(message.error));
      if (message.rssMb > retireRssMb || reader.served >= retireAfterJobs) end(reader, "retired");
      else reader.stopTimer = clock.after(idleMs, () => end(reader, "retired"));
      pump();
    }
  };

  const exited = (reader: Reader, code: number | null, signal: string | null) => {
    readers.delete(reader);
    reader.stopTimer();
    const note = reader.port.pid === undefined ? null : memoryNotePath(reader.port.pid);
    const outOfMemory = note !== null && existsSync(note);
    if (outOfMemory) rmSync(note, { force: true });
    const { job } = reader;
    reader.job = null;
    if (job && !job.settled) {
      // V8 aborts when its own heap is full, before the watch sees it.
      const heapFull = signal === "SIGABRT" || code === 134 || signal === "SIGTRAP" || code === 5;
      if (reader.ended === "time")
        job.reject(new CredenceError("documents.time-limit", { seconds: Math.round(job.timeMs / 1000) }));
      else if (outOfMemory || heapFull)
        job.reject(new CredenceError("documents.memory-limit", { megabytes: job.memoryMb }));
      else if (reader.ended === "cancelled" || closed) job.reject(new CredenceError("general.cancelled", {}));
      else died(job, code, signal);
    }
    pump();
  };

  const died = (job: Job, code: number | null, signal: string | null) => {
    job.deaths++;
    log.warn("parser.died", { kind: job.kind, code, signal, deaths: job.deaths });
    if (job.deaths >= maxDeaths) {
      job.reject(new CredenceError("documents.quarantined", { times: job.deaths }));
      return;
    }
    job.options.onRestart?.();
    waiting.unshift(job);
  };

  return {
    run(kind, params, options = {}) {
      return new Promise((resolve, reject) => {
        if (closed || options.signal?.aborted) return reject(new CredenceError("general.cancelled", {}));
        const onAbort = () => {
          const at = waiting.indexOf(job);
          if (at >= 0) {
            waiting.splice(at, 1);
            job.reject(new CredenceError("general.cancelled", {}));
            return;
          }
          for (const reader of readers) if (reader.job === job) end(reader, "cancelled");
        };
        const settle = (finish: () => void) => {
          if (job.settled) return;
          job.settled = true;
          options.signal?.removeEventListener("abort", onAbort);
          finish();
        };
        const job: Job = {
          id: ++lastId,
          kind,
          params,
          timeMs: options.timeMs ?? deps.timeMs ?? 60_000,
          memoryMb: options.memoryMb ?? deps.memoryMb ?? defaultMemoryMb,
          options: options as RunOptions<JobKind>,
          deaths: 0,
          settled: false,
          resolve: (result) => settle(() => resolve(result as never)),
          reject: (error) => settle(() => reject(error)),
        };
        options.signal?.addEventListener("abort", onAbort, { once: true });
        waiting.push(job);
        pump();
      });
    },
    warm() {
      while (readers.size < deps.size && !closed) start();
    },
    pending: () => waiting.length + [...readers].filter((reader) => reader.job !== null).length,
    close() {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(new CredenceError("general.cancelled", {}));
      for (const reader of readers) end(reader, reader.job ? "cancelled" : "retired");
    },
  };
}

/** Room for a file of a quarter gigabyte twice over, in the reader's buffer and in wasm. */
const defaultMemoryMb = 1_800;

import type { LibraryQueue } from "../contract/index.ts";
import type { PassageIndex } from "../memory/index.ts";
import type { Parser } from "../parsing/index.ts";
import type { Clock, Log } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { failureOf, type ReadOptions, readDocument } from "./reader.ts";
import type { DocumentRow } from "./rows.ts";
import type { DocumentStore } from "./store.ts";

export interface QueueDeps {
  readonly db: WritableDatabase;
  readonly store: DocumentStore;
  readonly parser: Parser;
  readonly index: PassageIndex;
  readonly clock: Clock;
  readonly log: Log;
  readonly readers: number;
  readonly onChanged: (id: string) => void;
  readonly onRead: (id: string) => void;
}

interface Reading {
  readonly stop: AbortController;
  readonly done: Promise<void>;
  /** What stopping it means for the row. */
  afterwards: "waiting" | "paused" | "cancelled" | "removed";
}

/** Reads waiting documents, a few at a time. All state but progress and passwords is in the database: what is killed in the middle is read again. */
export class ReadingQueue {
  readonly #deps: QueueDeps;
  readonly #reading = new Map<string, Reading>();
  /** What the next reading of a document may use; gone with the process. */
  readonly #extras = new Map<string, Omit<ReadOptions, "signal">>();
  readonly #idle: (() => void)[] = [];
  readonly #next: (() => void)[] = [];
  #started = false;
  #closed = false;
  /** This round: since nothing waited. */
  #total = 0;
  #done = 0;
  #failed = 0;
  #since = 0;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#started = true;
    this.#total = this.#deps.store.counts().states.waiting;
    this.#since = this.#deps.clock.monotonic();
    this.pump();
  }

  /** More files joined the round. */
  announce(count: number): void {
    if (count > 0 && this.#total === this.#done && this.#reading.size === 0) {
      this.#total = 0;
      this.#done = 0;
      this.#failed = 0;
      this.#since = this.#deps.clock.monotonic();
    }
    this.#total += count;
  }

  pump(): void {
    while (this.#started && !this.#closed && this.#reading.size < this.#deps.readers) {
      const row = this.#deps.store.takeNext();
      if (!row) break;
      this.#begin(row);
    }
    if (this.#reading.size === 0) for (const tell of this.#idle.splice(0)) tell();
  }

  #begin(row: DocumentRow): void {
    const stop = new AbortController();
    const reading: Reading = {
      stop,
      afterwards: "waiting",
      done: Promise.resolve().then(() => this.#read(row, stop.signal)),
    };
    this.#reading.set(row.id, reading);
    void reading.done.finally(() => {
      this.#reading.delete(row.id);
      this.#deps.store.progress.delete(row.id);
      for (const tell of this.#next.splice(0)) tell();
      if (!this.#closed) {
        this.#deps.onChanged(row.id);
        this.pump();
      }
    });
    this.#deps.onChanged(row.id);
  }

  async #read(row: DocumentRow, signal: AbortSignal): Promise<void> {
    const { store, log } = this.#deps;
    const extras = this.#extras.get(row.id);
    this.#extras.delete(row.id);
    try {
      await readDocument({ ...this.#deps }, row, { signal, ...extras });
      this.#done++;
      this.#deps.onRead(row.id);
    } catch (thrown) {
      const failure = signal.aborted ? null : failureOf(thrown);
      if (failure) {
        if (failure.kind === "general.unexpected")
          log.error("documents.read", { detail: failure.facts, stack: thrown instanceof Error ? thrown.stack : null });
        store.setState(row.id, "failed", failure.toData());
        this.#done++;
        this.#failed++;
        return;
      }
      const next = this.#reading.get(row.id)?.afterwards ?? "waiting";
      if (next === "waiting" || next === "removed") store.setState(row.id, "waiting");
      else store.setState(row.id, next === "cancelled" && row.stored === 1 ? "ready" : next);
      if (next !== "waiting") this.#done++;
    }
  }

  /** Stops the reading of these documents because they are removed. */
  stop(ids: readonly string[]): void {
    for (const id of ids) this.#end(id, "removed");
  }

  #end(id: string, afterwards: Reading["afterwards"]): void {
    const reading = this.#reading.get(id);
    if (!reading) return;
    reading.afterwards = afterwards;
    reading.stop.abort();
  }

  /** Kept in the rows, so that a pause outlives the program. */
  pause(ids: readonly string[] | null): void {
    for (const id of ids ?? [...this.#reading.keys()]) this.#end(id, "paused");
    for (const id of this.#deps.store.pause(ids)) this.#deps.onChanged(id);
  }

  resume(ids: readonly string[] | null): void {
    const resumed = this.#deps.store.resume(ids);
    if (this.#total - this.#done < resumed.length) this.announce(resumed.length);
    for (const id of resumed) this.#deps.onChanged(id);
    this.pump();
  }

  cancel(ids: readonly string[] | null): void {
    for (const id of ids ?? [...this.#reading.keys()]) this.#end(id, "cancelled");
    const cancelled = this.#deps.store.cancel(ids);
    this.#done += cancelled.length;
    for (const id of cancelled) this.#deps.onChanged(id);
    this.pump();
  }

  /** Reads again, with a password or by text recognition; documents that were read are read again for `ocr` only. */
  retry(ids: readonly string[], extras: Omit<ReadOptions, "signal"> = {}): void {
    const again = this.#deps.store.requeue(
      ids,
      extras.ocr ? ["ready", "failed", "cancelled"] : ["failed", "cancelled"],
    );
    for (const id of again) this.#extras.set(id, extras);
    this.announce(again.length);
    for (const id of again) this.#deps.onChanged(id);
    this.pump();
  }

  state(): Omit<LibraryQueue, "scanning"> {
    const { states } = this.#deps.store.counts();
    const allPaused = states.paused > 0 && states.waiting === 0 && states.reading === 0;
    const left = Math.max(0, this.#total - this.#done);
    const spent = this.#deps.clock.monotonic() - this.#since;
    return {
      waiting: states.waiting,
      reading: states.reading,
      paused: states.paused,
      done: this.#done,
      total: this.#total,
      failed: this.#failed,
      remainingMs: this.#done >= 5 && left > 0 && !allPaused ? Math.round((spent / this.#done) * left) : null,
      allPaused,
    };
  }

  idle(): Promise<void> {
    const { states } = this.#deps.store.counts();
    if (this.#reading.size === 0 && states.waiting === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** True when the next reading has ended; false at once when none is under way. */
  next(): Promise<boolean> {
    this.pump();
    if (this.#reading.size === 0) return Promise.resolve(false);
    return new Promise((resolve) => this.#next.push(() => resolve(true)));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const tell of this.#next.splice(0)) tell();
    const open = [...this.#reading.values()];
    for (const reading of open) reading.stop.abort();
    await Promise.allSettled(open.map((reading) => reading.done));
    for (const tell of this.#idle.splice(0)) tell();
  }
}

import {
  asCredenceError,
  type BeliefNote,
  CredenceError,
  type Job,
  type JobState,
  type QueueState,
  type Result,
} from "../contract/index.ts";
import type { Clock, Log } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { JobStore, type OpenJob, type Submission } from "./store.ts";

const HOUR = 3_600_000;
/** At most this many items wait; more are refused, and their feed or collection offers them again later. */
export const CAPACITY = 256;
const RECHECK = 5_000;

/** What weighing an item alone came to. */
export interface Weighed {
  readonly strength: number;
  readonly reasoningType: string;
  /** Whether all three parts of the gate let it through. */
  readonly allowed: boolean;
  /** In words: "One person's story is not evidence." */
  readonly why: string;
  readonly tokens: number;
}

export interface Worked {
  readonly beliefs: readonly BeliefNote[];
  readonly summary: string;
  readonly tokens: number;
}

export interface IngestDeps {
  readonly db: WritableDatabase;
  readonly clock: Clock;
  readonly log: Log;
  /** Scores the item alone as evidence. */
  readonly weigh: (item: Submission, signal: AbortSignal) => Promise<Weighed>;
  /** The whole loop on one item, bookkeeping included: it returns only when everything is stored. */
  readonly work: (item: Submission, weighed: Weighed, signal: AbortSignal) => Promise<Worked>;
  /** Held while a job works, so that it never runs beside a chat turn. Rejects when `signal` is aborted. */
  readonly lock: <Value>(task: () => Promise<Value>, signal: AbortSignal) => Promise<Value>;
  /** Whether a chat turn runs or waits: chat goes first. */
  readonly chatting: () => boolean;
  readonly onBattery: () => boolean;
  readonly settings: {
    get(): { paused: boolean; tokensPerHour: number };
    set(change: { paused?: boolean; tokensPerHour?: number }): void;
  };
  readonly onChanged: (queue: QueueState, job: Job | null) => void;
}

/**
 * The ingest queue: items are handed in and get an id at once, are weighed alone, and only what is strong enough goes
 * through the whole loop. Strictly one at a time; the user's own chat always goes first.
 */
export class IngestQueue {
  readonly #deps: IngestDeps;
  readonly #store: JobStore;
  #running: { job: OpenJob; stop: AbortController; done: Promise<void>; yielded: boolean } | null = null;
  #cancelTick = () => {};
  #closed = false;
  #started = false;

  constructor(deps: IngestDeps) {
    this.#deps = deps;
    this.#store = new JobStore(deps);
  }

  /** Takes up what was left by the last run and begins to work. */
  start(): void {
    this.#store.recover();
    this.#started = true;
    this.#next();
  }

  /** Hands an item in. Gives its job at once; throws `ingest.full` when 256 wait. */
  submit(item: Submission): Job {
    const known = this.#store.find(item.kind, item.sourceId);
    if (known) return known;
    if (this.#store.waiting() >= CAPACITY) throw new CredenceError("ingest.full", { capacity: CAPACITY });
    const job = this.#store.add(item);
    this.#tell(job);
    this.#next();
    return job;
  }

  hasRoom(): boolean {
    return this.#store.waiting() < CAPACITY;
  }

  list(states: readonly JobState[] | null, limit: number): Result<"jobs.list"> {
    return { jobs: this.#store.list(states, limit), queue: this.state() };
  }

  get(id: string): Job {
    return this.#store.get(id);
  }

  find(kind: Job["kind"], sourceId: string): Job | null {
    return this.#store.find(kind, sourceId);
  }

  retry(id: string): Job {
    const job = this.#store.get(id);
    if (job.endedAt === null) throw new CredenceError("ingest.not-ended", { title: job.title });
    this.#store.reopen(id, job.state === "skipped");
    return this.#changed(id);
  }

  cancel(id: string): Job {
    const job = this.#store.get(id);
    if (this.#running?.job.id === id) this.#running.stop.abort();
    else if (job.state === "waiting")
      this.#store.end(id, { state: "cancelled", reason: "You took it out of the queue." });
    return this.#changed(id);
  }

  pause(paused: boolean): QueueState {
    this.#deps.settings.set({ paused });
    if (paused) this.#yieldRunning();
    this.#tell(null);
    this.#next();
    return this.state();
  }

  setBudget(tokensPerHour: number): QueueState {
    this.#deps.settings.set({ tokensPerHour });
    this.#next();
    return this.state();
  }

  /** A chat turn has begun: what runs here stops and goes back to its place. */
  yieldToChat(): void {
    this.#yieldRunning();
  }

  state(): QueueState {
    const { paused, tokensPerHour } = this.#deps.settings.get();
    return {
      paused,
      held: this.#held(),
      waiting: this.#store.waiting(),
      capacity: CAPACITY,
      tokensThisHour: this.#store.tokensSince(this.#deps.clock.now() - HOUR),
      tokensPerHour,
      running: this.#running?.job.id ?? null,
    };
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running.done;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTick();
    this.#yieldRunning();
    await this.#running?.done;
  }

  /** Why nothing may begin now, in words; null when something may. */
  #held(): string | null {
    const { paused, tokensPerHour } = this.#deps.settings.get();
    if (paused) return "You paused it.";
    if (this.#deps.onBattery()) return "On battery: it goes on when the machine is plugged in.";
    if (this.#deps.chatting()) return "Your chat goes first.";
    if (tokensPerHour > 0 && this.#store.tokensSince(this.#deps.clock.now() - HOUR) >= tokensPerHour) {
      return "The tokens for this hour are used.";
    }
    return null;
  }

  #next(): void {
    if (this.#closed || !this.#started || this.#running) return;
    this.#cancelTick();
    const job = this.#store.next();
    if (!job) return;
    if (this.#held() !== null) {
      // Nobody tells when a battery is charged or an hour is over, so it is looked at again.
      this.#cancelTick = this.#deps.clock.after(RECHECK, () => this.#next());
      return;
    }
    const stop = new AbortController();
    const running = { job, stop, yielded: false, done: Promise.resolve() };
    this.#running = running;
    running.done = this.#run(job, stop.signal)
      .catch((thrown: unknown) => this.#fail(job, thrown))
      .finally(() => {
        this.#running = null;
        this.#changed(job.id);
      });
  }

  async #run(job: OpenJob, signal: AbortSignal): Promise<void> {
    this.#store.begin(job.id, "weighing");
    this.#tell(this.#store.get(job.id));
    const weighed = await this.#deps.weigh(job, signal);
    signal.throwIfAborted();
    const facts = { strength: weighed.strength, reasoningType: weighed.reasoningType };
    if (!weighed.allowed && !job.insist) {
      this.#store.end(job.id, { state: "skipped", reason: weighed.why, ...facts, tokens: weighed.tokens });
      return;
    }
    await this.#deps.lock(async () => {
      this.#store.begin(job.id, "working");
      this.#tell(this.#store.get(job.id));
      const worked = await this.#deps.work(job, weighed, signal);
      this.#store.end(job.id, {
        state: "done",
        reason: worked.summary,
        ...facts,
        beliefs: worked.beliefs,
        tokens: weighed.tokens + worked.tokens,
      });
    }, signal);
  }

  #fail(job: OpenJob, thrown: unknown): void {
    const running = this.#running;
    if (running?.stop.signal.aborted) {
      if (running.yielded) this.#store.putBack(job.id);
      else this.#store.end(job.id, { state: "cancelled", reason: "You stopped it." });
      return;
    }
    const error = asCredenceError(thrown);
    this.#deps.log.warn("ingest.failed", { job: job.id, kind: error.kind });
    this.#store.end(job.id, { state: "failed", reason: error.message });
  }

  #yieldRunning(): void {
    if (!this.#running) return;
    this.#running.yielded = true;
    this.#running.stop.abort();
  }

  #changed(id: string): Job {
    const job = this.#store.get(id);
    this.#tell(job);
    this.#next();
    return job;
  }

  #tell(job: Job | null): void {
    this.#deps.onChanged(this.state(), job);
  }
}

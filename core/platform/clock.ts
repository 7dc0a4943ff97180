/** Time as the core sees it: injected everywhere, so that tests drive it. */
export interface Clock {
  /** Milliseconds since the epoch. May jump back when the user sets the clock. */
  now(): number;
  /** Milliseconds on a clock that never goes back; only differences mean something. */
  monotonic(): number;
  /** Runs `task` after `ms`; the returned function cancels it. Timers never keep the process alive. */
  after(ms: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** A clock that moves only when told to: due timers run in order of their time. */
export class ManualClock implements Clock {
  #now: number;
  #timers: { at: number; order: number; task: () => void }[] = [];
  #order = 0;

  constructor(start = 1_700_000_000_000) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(ms: number, task: () => void): () => void {
    const timer = { at: this.#now + ms, order: this.#order++, task };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves time forward by `ms`, running due timers; awaits pending promise jobs between them. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      for (let i = 0; i < 20; i++) await Promise.resolve();
      const due = this.#timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((t) => t !== due);
      this.#now = Math.max(this.#now, due.at);
      due.task();
    }
    this.#now = end;
    for (let i = 0; i < 20; i++) await Promise.resolve();
  }
}

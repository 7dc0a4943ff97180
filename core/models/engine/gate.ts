/**
 * Who may compute now. Work is done in steps (one token, one piece of a prompt, one text to embed); before each step a job
 * asks, and waits while a job of higher rank is at work. So a search's query goes before an answer's next token, an answer
 * before side calls, and all of them before embedding in the background.
 */
export type Rank = "query" | "conversation" | "side" | "background";

const order: readonly Rank[] = ["query", "conversation", "side", "background"];

export interface Turn {
  /** Resolves when the job may take its next step; null when it may at once, which costs nothing. */
  step(signal: AbortSignal): Promise<void> | null;
  /** The job is done; lets others on. */
  end(): void;
}

export class ComputeGate {
  readonly #active = new Map<Rank, number>(order.map((rank) => [rank, 0]));
  #waiting: { rank: Rank; resume: () => void }[] = [];

  /** Nobody is computing or about to. */
  get idle(): boolean {
    return order.every((rank) => this.#active.get(rank) === 0);
  }

  begin(rank: Rank): Turn {
    this.#active.set(rank, this.#active.get(rank)! + 1);
    let ended = false;
    return {
      step: (signal) => (this.#free(rank) || signal.aborted ? null : this.#wait(rank, signal)),
      end: () => {
        if (ended) return;
        ended = true;
        this.#active.set(rank, this.#active.get(rank)! - 1);
        this.#wake();
      },
    };
  }

  #free(rank: Rank): boolean {
    for (const higher of order) {
      if (higher === rank) return true;
      if (this.#active.get(higher)! > 0) return false;
    }
    return true;
  }

  #wait(rank: Rank, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const entry = {
        rank,
        resume: () => {
          signal.removeEventListener("abort", entry.resume);
          this.#waiting = this.#waiting.filter((other) => other !== entry);
          resolve();
        },
      };
      signal.addEventListener("abort", entry.resume, { once: true });
      this.#waiting.push(entry);
    });
  }

  #wake(): void {
    for (const entry of [...this.#waiting]) if (this.#free(entry.rank)) entry.resume();
  }
}

/** Runs jobs one after another; a job whose signal is aborted while it waits never starts. */
export class Queue {
  #tail: Promise<void> = Promise.resolve();

  run<Value>(signal: AbortSignal, job: () => Promise<Value>): Promise<Value> {
    const result = this.#tail.then(() => {
      signal.throwIfAborted();
      return job();
    });
    this.#tail = result.then(
      () => {},
      () => {},
    );
    return result;
  }
}

import type { Clock } from "../platform/index.ts";

const everyMs = 150;
const mostNamed = 200;

/** Gathers changes for a moment, so that two thousand files do not become two thousand events. */
export class ChangeNotes {
  readonly #clock: Clock;
  readonly #tell: (ids: string[] | null) => void;
  readonly #ids = new Set<string>();
  #all = false;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock, tell: (ids: string[] | null) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  note(id: string): void {
    this.#ids.add(id);
    this.#soon();
  }

  noteAll(): void {
    this.#all = true;
    this.#soon();
  }

  #soon(): void {
    this.#cancel ??= this.#clock.after(everyMs, () => {
      this.#cancel = null;
      const named = this.#all || this.#ids.size > mostNamed ? null : [...this.#ids];
      this.#all = false;
      this.#ids.clear();
      this.#tell(named);
    });
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}

/** Delivers each value to every listener, in order. A listener that throws does not keep the others from hearing. */
export class EventBus<Event> {
  readonly #listeners = new Set<(event: Event) => void>();
  readonly #onError: (thrown: unknown) => void;

  constructor(onError: (thrown: unknown) => void = () => {}) {
    this.#onError = onError;
  }

  on(listener: (event: Event) => void): () => void {
    // A wrapper of its own, so that the same function registered twice is two registrations.
    const own = (event: Event) => listener(event);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  emit(event: Event): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (thrown) {
        this.#onError(thrown);
      }
    }
  }
}

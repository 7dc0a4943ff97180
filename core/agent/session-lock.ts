/**
 * One turn at a time in each conversation. The lock is held from the context stage to the end of the response stage and
 * given back whatever happens in between.
 */
export interface SessionLocks<Key> {
  /** Runs `work` once everything that asked before it for the same key has ended. */
  hold<Value>(key: Key, work: () => Promise<Value>): Promise<Value>;
  /** Keys that are held or waited for. */
  readonly held: number;
}

export function createSessionLocks<Key>(): SessionLocks<Key> {
  const tails = new Map<Key, Promise<void>>();
  return {
    get held() {
      return tails.size;
    },
    async hold(key, work) {
      const before = tails.get(key) ?? Promise.resolve();
      let release = () => {};
      const mine = new Promise<void>((resolve) => {
        release = resolve;
      });
      const tail = before.then(() => mine);
      tails.set(key, tail);
      await before;
      try {
        return await work();
      } finally {
        release();
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}

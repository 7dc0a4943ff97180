/**
 * The sequences of a chat model: one for the conversation, and in a context of their own some for side calls, so that these
 * never put the conversation out. One job at a time in each.
 */
import type { LlamaContext } from "node-llama-cpp";
import { CredenceError } from "../../contract/index.ts";
import type { RuntimeParts } from "./chat-runtime.ts";
import type { Turn } from "./gate.ts";
import { Slot } from "./slot.ts";

export type Lane = "conversation" | "side";

export class Lanes {
  readonly conversation: Slot;
  readonly #parts: RuntimeParts;
  #side: { context: LlamaContext; window: number; slots: Slot[] } | null = null;
  #sideLock: Promise<unknown> = Promise.resolve();
  #uses = 0;

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
    this.conversation = new Slot(parts.context.getSequence(), parts.model);
  }

  /** Runs a job that needs `tokens` of room, when it is its turn. */
  async run<Value>(
    lane: Lane,
    key: string,
    tokens: number,
    signal: AbortSignal,
    work: (slot: Slot, turn: Turn) => Promise<Value>,
  ): Promise<Value> {
    const slot = lane === "conversation" ? this.conversation : await this.#sideSlot(key, tokens);
    return slot.queue.run(signal, async () => {
      if (this.#parts.gate.idle) this.#parts.opened.yieldThreads();
      const turn = this.#parts.gate.begin(lane);
      slot.lastUse = ++this.#uses;
      try {
        if (lane === "side") slot.key = key;
        return await work(slot, turn);
      } finally {
        slot.revision++;
        turn.end();
      }
    });
  }

  /** Frees everything, once what is under way has ended. */
  async dispose(): Promise<void> {
    await this.#sideLock;
    await settled([this.conversation, ...(this.#side?.slots ?? [])]);
    await this.#side?.context.dispose();
    await this.#parts.context.dispose();
  }

  /** The side sequence that holds this key's prefix, or the one longest unused; made when first needed, larger when it must be. */
  #sideSlot(key: string, tokens: number): Promise<Slot> {
    const needed = Math.min(tokens + 8, this.#parts.context.contextSize);
    const next = this.#sideLock.then(async () => {
      if (!this.#side || needed > this.#side.window) await this.#openSide(Math.max(needed, this.#parts.fit.sideWindow));
      const { slots } = this.#side!;
      return slots.find((slot) => slot.key === key) ?? slots.reduce((a, b) => (a.lastUse <= b.lastUse ? a : b));
    });
    this.#sideLock = next.catch(() => {});
    return next;
  }

  async #openSide(wanted: number): Promise<void> {
    const { model, facts, fit, opened, context: main } = this.#parts;
    const old = this.#side;
    if (old) {
      // Nobody may be writing in a context that goes away.
      await settled(old.slots);
      this.#side = null;
      await old.context.dispose();
    }
    const window = Math.min(main.contextSize, Math.ceil(wanted / 1024) * 1024);
    const count = wanted <= fit.sideWindow ? Math.max(1, fit.sideSlots) : 1;
    for (const sequences of new Set([count, 1])) {
      try {
        const context = await model.createContext({
          contextSize: window,
          sequences,
          threads: opened.threads,
          swaFullCache: true,
        });
        const slots = Array.from({ length: sequences }, () => new Slot(context.getSequence(), model));
        this.#side = { context, window: context.contextSize, slots };
        return;
      } catch {
        // The next try asks for less.
      }
    }
    const neededBytes = window * facts.cacheBytesPerToken;
    throw new CredenceError("models.too-large", { file: facts.name, neededBytes, freeBytes: 0 });
  }
}

async function settled(slots: readonly Slot[]): Promise<void> {
  const never = new AbortController().signal;
  await Promise.all(slots.map((slot) => slot.queue.run(never, async () => {})));
}

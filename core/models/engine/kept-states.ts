/** When the conversation's sequence changes hands: what it holds goes to disk if it may, and the newcomer's state comes back. */
import type { Token } from "node-llama-cpp";
import type { ChatRequest } from "../types.ts";
import { commonPrefix } from "./align.ts";
import type { Slot } from "./slot.ts";
import type { StateFiles } from "./state-files.ts";

/** States of fewer tokens are quicker to evaluate than worth keeping. */
const smallestState = 192;

export class KeptStates {
  readonly #slot: Slot;
  readonly #files: StateFiles | null;
  /** Keys whose states may be written to disk unasked. */
  readonly #keep = new Set<string>();

  constructor(slot: Slot, files: StateFiles | null) {
    this.#slot = slot;
    this.#files = files;
  }

  /** Called by the job that has the slot, before it evaluates `wanted`. */
  async enter(
    { cacheKey: key, keepState }: Pick<ChatRequest, "cacheKey" | "keepState">,
    wanted: readonly Token[],
  ): Promise<void> {
    const slot = this.#slot;
    if (keepState) this.#keep.add(key);
    const before = slot.key;
    slot.key = key;
    if (before === key || !this.#files) return;
    if (before !== null && this.#keep.has(before)) await this.#save(before).catch(() => 0);
    const found = await this.#files.find(key).catch(() => null);
    if (!found || found.tokens.length > slot.sequence.contextSize - 1) return;
    const gain = commonPrefix(found.tokens, wanted) - slot.reusable(wanted);
    if (gain < smallestState / 2 || !(await found.verify())) return;
    slot.revision++;
    const loaded = await this.#files.load(key, found, async (path) => {
      await slot.sequence.loadStateFromFile(path, { acceptRisk: true });
    });
    if (loaded) slot.savedRevision = slot.revision;
    else {
      await slot.clear();
      slot.key = key;
    }
  }

  /** Keeps the state of one conversation, or with null of the one in the slot, if it may be. Returns the bytes written. */
  async save(cacheKey: string | null, signal: AbortSignal): Promise<number> {
    return this.#slot.queue.run(signal, async () => {
      const { key } = this.#slot;
      const wanted = key !== null && (cacheKey === null ? this.#keep.has(key) : key === cacheKey);
      return wanted ? await this.#save(key) : 0;
    });
  }

  async drop(cacheKey: string): Promise<void> {
    this.#keep.delete(cacheKey);
    await this.#files?.remove(cacheKey);
  }

  async #save(key: string): Promise<number> {
    const slot = this.#slot;
    if (!this.#files || slot.evaluated.length < smallestState || slot.savedRevision === slot.revision) return 0;
    const { revision } = slot;
    const bytes = await this.#files.write(key, slot.evaluated, async (path) => {
      await slot.sequence.saveStateToFile(path);
    });
    slot.savedRevision = revision;
    return bytes;
  }
}

import type { ConversationId } from "../contract/index.ts";
import type { Clock } from "../platform/index.ts";

/** A conversation that has rested this long is likely to be left, or Credence to be closed. */
const REST_MS = 20_000;

/** Has the evaluated state of the conversation at hand written to disk while it rests, so that a relaunch takes it up soon. */
export interface StateKeeper {
  /** A turn begins: what was about to be written changes anyway. */
  hold(): void;
  /** A turn of a conversation that may leave traces has ended. */
  rest(conversationId: ConversationId): void;
}

export function createStateKeeper(deps: {
  readonly clock: Clock;
  readonly save: ((conversationId: ConversationId) => Promise<void>) | undefined;
}): StateKeeper {
  let cancel = () => {};
  return {
    hold: () => cancel(),
    rest(conversationId) {
      cancel();
      // Losing it only costs time: the next prompt is evaluated again.
      cancel = deps.clock.after(REST_MS, () => void deps.save?.(conversationId).catch(() => {}));
    },
  };
}

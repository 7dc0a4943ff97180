import type { MessageId } from "../contract/index.ts";
import type { ConversationStore } from "../conversations/types.ts";
import type { StreamChunk } from "../models/types.ts";
import type { Clock } from "../platform/index.ts";
import type { Trail } from "./trail.ts";

/** How often text leaves for a channel: a window wants it soon, a slower channel in larger pieces. */
export interface PushStrategy {
  /** Least time between two token events, in milliseconds. The first token always goes at once. */
  readonly pushMs: number;
  /** Least time between two writes of the answer so far, in milliseconds: what `kill -9` can take. */
  readonly storeMs: number;
}

export const windowStrategy: PushStrategy = { pushMs: 30, storeMs: 250 };

/** Streams the answer of one turn: to whoever listens as it is written, and into the conversation a few times a second. */
export interface TokenStreamPublisher {
  push(chunk: StreamChunk): void;
  /** Clears the answer streamed so far (it was no answer). Reasoning stays. */
  retract(reason: string): void;
  /** Puts `text` in place of the streamed answer; does nothing when they are equal. */
  replace(text: string, reason: string): void;
  /** Sends and stores what is still held. */
  flush(): void;
  /** As `flush`, and takes nothing more. */
  close(): void;
  readonly answer: string;
  readonly reasoning: string;
  /** Monotonic time of the first answer token; null before. */
  readonly firstTokenAt: number | null;
}

export function createTokenStreamPublisher(deps: {
  readonly trail: Trail;
  readonly conversations: Pick<ConversationStore, "updateAnswer">;
  readonly messageId: MessageId;
  readonly clock: Clock;
  readonly strategy?: PushStrategy;
}): TokenStreamPublisher {
  const { trail, clock, messageId } = deps;
  const strategy = deps.strategy ?? windowStrategy;
  const text = { answer: "", reasoning: "" };
  const held = { answer: "", reasoning: "" };
  let cancelPush: (() => void) | null = null;
  let cancelStore: (() => void) | null = null;
  let lastPush = Number.NEGATIVE_INFINITY;
  let lastStore = clock.monotonic();
  let firstTokenAt: number | null = null;
  let closed = false;

  function send(): void {
    cancelPush?.();
    cancelPush = null;
    lastPush = clock.monotonic();
    for (const channel of ["reasoning", "answer"] as const) {
      if (held[channel] === "") continue;
      const piece = held[channel];
      held[channel] = "";
      trail.add({ type: "turn.token", channel, text: piece });
    }
  }

  function store(): void {
    cancelStore?.();
    cancelStore = null;
    lastStore = clock.monotonic();
    deps.conversations.updateAnswer(messageId, { content: text.answer, reasoning: text.reasoning });
  }

  function schedule(): void {
    const now = clock.monotonic();
    if (now - lastPush >= strategy.pushMs) send();
    else cancelPush ??= clock.after(strategy.pushMs - (now - lastPush), send);
    if (now - lastStore >= strategy.storeMs) store();
    else cancelStore ??= clock.after(strategy.storeMs - (now - lastStore), store);
  }

  function retract(reason: string): void {
    if (closed || text.answer === "") return;
    send();
    text.answer = "";
    trail.add({ type: "turn.retract", reason });
    store();
  }

  function push({ channel, text: piece }: StreamChunk): void {
    if (closed || piece === "") return;
    if (channel === "answer") firstTokenAt ??= clock.monotonic();
    text[channel] += piece;
    held[channel] += piece;
    schedule();
  }

  function flush(): void {
    if (closed) return;
    send();
    store();
  }

  return {
    push,
    retract,
    replace(whole, reason) {
      if (closed || whole === text.answer) return;
      retract(reason);
      push({ channel: "answer", text: whole });
      flush();
    },
    flush,
    close() {
      flush();
      closed = true;
    },
    get answer() {
      return text.answer;
    },
    get reasoning() {
      return text.reasoning;
    },
    get firstTokenAt() {
      return firstTokenAt;
    },
  };
}

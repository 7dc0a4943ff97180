import { type ReactNode, type Ref, useImperativeHandle, useLayoutEffect, useRef } from "react";
import { VList, type VListHandle } from "virtua";
import type { Message } from "../../../../core/contract/index.ts";
import { Skeleton } from "../../../components/States.tsx";
import { chat as words } from "../../../words/chat.ts";
import { useStickToEnd } from "./useStickToEnd.ts";

export interface MessageListHandle {
  toEnd(): void;
  toMessage(id: string): void;
}

export interface MessageListProps {
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly headLoads: number;
  readonly onOlder: () => void;
  readonly render: (message: Message, index: number) => ReactNode;
  readonly handle: Ref<MessageListHandle>;
  /** Told which message is in the middle of the view, or null while the end is in view. */
  readonly onPosition: (messageId: string | null) => void;
  /** Told when the end comes into view or leaves it. */
  readonly onAtEnd: (atEnd: boolean) => void;
}

/**
 * Only what is in view exists, so ten thousand messages scroll as ten do. Older pages join at the head without moving
 * what is read; while the end is in view it stays in view, whatever grows.
 */
export function MessageList(props: MessageListProps) {
  const { messages, hasOlder, headLoads, onOlder, render, handle, onAtEnd, onPosition } = props;
  const list = useRef<VListHandle>(null);
  const stick = useStickToEnd(list, onAtEnd);
  const lastLoads = useRef(headLoads);
  const shift = lastLoads.current !== headLoads;
  useLayoutEffect(() => {
    lastLoads.current = headLoads;
  });

  const head = hasOlder ? 1 : 0;
  useImperativeHandle(handle, () => ({
    toEnd: stick.toEnd,
    toMessage(id) {
      const index = messages.findIndex((message) => message.id === id);
      if (index === -1) return;
      stick.release();
      list.current?.scrollToIndex(index + head, { align: "center" });
    },
  }));

  const onScroll = (offset: number) => {
    stick.onScroll();
    const view = list.current;
    if (view) {
      const middle = view.findItemIndex(offset + view.viewportSize / 2) - head;
      onPosition(stick.atEnd() ? null : (messages[middle]?.id ?? null));
    }
    if (hasOlder && offset < 1200) onOlder();
  };
  return (
    <VList
      ref={list}
      className="thread scroll"
      role="log"
      aria-label={words.thread}
      aria-live="off"
      data-answers={messages.filter((message) => message.role === "assistant").length}
      shift={shift}
      onScroll={onScroll}
    >
      {hasOlder && (
        <div className="col older" key="older">
          <Skeleton lines={2} />
        </div>
      )}
      {messages.map((message, index) => (
        <div className="col" key={message.id} data-message={message.id}>
          {render(message, index)}
        </div>
      ))}
    </VList>
  );
}

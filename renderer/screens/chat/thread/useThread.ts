import { useCallback, useEffect, useRef, useState } from "react";
import type { Conversation, ConversationId, Message, MessageId } from "../../../../core/contract/index.ts";
import { asProblem, type BridgeError, call } from "../../../hooks/bridge.ts";
import { useEvent } from "../../../hooks/useEvent.ts";
import { replay } from "../../../turns/store.ts";

const firstPage = 40;
const olderPage = 120;

export interface Thread {
  readonly conversation: Conversation | null;
  /** A run of messages without gaps up to the newest one. */
  readonly messages: readonly Message[];
  readonly total: number;
  readonly hasOlder: boolean;
  /** Counts loads of older messages: while it changes, the list grows at its head. */
  readonly headLoads: number;
  readonly loading: boolean;
  readonly problem: BridgeError | null;
  /** Loads the page before the oldest one; resolves when it is there. */
  readonly loadOlder: (limit?: number) => Promise<void>;
  readonly reload: () => void;
  /** Puts a changed message in place (another version of an answer). */
  readonly put: (message: Message) => void;
}

interface State {
  readonly conversation: Conversation | null;
  readonly messages: readonly Message[];
  readonly total: number;
  readonly hasOlder: boolean;
  readonly headLoads: number;
  readonly loading: boolean;
  readonly problem: BridgeError | null;
}

const start: State = {
  conversation: null,
  messages: [],
  total: 0,
  hasOlder: false,
  headLoads: 0,
  loading: true,
  problem: null,
};

/** Joins a fresh newest page to what is loaded: what is older stays, what is in both is taken anew. */
export function joinTail(loaded: readonly Message[], tail: readonly Message[]): readonly Message[] {
  const first = tail[0];
  if (!first) return tail;
  const at = loaded.findIndex((message) => message.id === first.id);
  return at === -1 ? tail : [...loaded.slice(0, at), ...tail];
}

/** One conversation's messages, newest page first, older ones on demand, kept up to date while turns run. */
export function useThread(id: ConversationId): Thread {
  const [state, setState] = useState(start);
  const loadingOlder = useRef<Promise<void> | null>(null);
  const latest = useRef(state);
  latest.current = state;

  const loadTail = useCallback(async () => {
    try {
      const [conversation, page] = await Promise.all([
        call("conversations.get", { id }),
        call("conversations.messages", { id, before: null, limit: firstPage }),
      ]);
      if (conversation.activeTurn) void replay(conversation.activeTurn);
      setState((before) => {
        const messages = joinTail(before.messages, page.messages);
        const grown = messages.length > page.messages.length;
        return {
          ...before,
          conversation,
          messages,
          total: page.total,
          hasOlder: grown ? before.hasOlder : page.hasOlder,
          loading: false,
          problem: null,
        };
      });
    } catch (thrown) {
      setState((before) => ({ ...before, loading: false, problem: asProblem(thrown) }));
    }
  }, [id]);

  useEffect(() => {
    void loadTail();
  }, [loadTail]);

  const loadOlder = useCallback(
    (limit = olderPage): Promise<void> => {
      const oldest = latest.current.messages[0];
      if (loadingOlder.current) return loadingOlder.current;
      if (!oldest || !latest.current.hasOlder) return Promise.resolve();
      const load = call("conversations.messages", { id, before: oldest.id as MessageId, limit }).then(
        (page) => {
          loadingOlder.current = null; // before anyone sees the page and asks for the next
          setState((before) =>
            before.messages[0]?.id === oldest.id
              ? {
                  ...before,
                  messages: [...page.messages, ...before.messages],
                  total: page.total,
                  hasOlder: page.hasOlder,
                  headLoads: before.headLoads + 1,
                }
              : before,
          );
        },
        () => {
          loadingOlder.current = null; // scrolling up again asks again
        },
      );
      loadingOlder.current = load;
      return load;
    },
    [id],
  );

  useEvent("turn.started", (event) => {
    if (event.conversationId === id) void loadTail();
  });
  useEvent("turn.ended", (event) => {
    if (event.conversationId === id) void loadTail();
  });
  useEvent("conversations.changed", (event) => {
    if (event.ids.includes(id) && !latest.current.conversation?.activeTurn) void loadTail();
  });

  const put = useCallback((message: Message) => {
    setState((before) => ({
      ...before,
      messages: before.messages.map((each) => (each.id === message.id ? message : each)),
    }));
  }, []);
  return { ...state, loadOlder, reload: loadTail, put };
}

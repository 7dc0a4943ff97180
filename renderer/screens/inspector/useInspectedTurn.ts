import { useMemo } from "react";
import type { ConversationId, MessageId } from "../../../core/contract/index.ts";
import type { BridgeError } from "../../hooks/bridge.ts";
import { useCall } from "../../hooks/useCall.ts";
import { viewOf } from "../../turns/reduce.ts";
import { useActiveTurn } from "../../turns/useTurn.ts";
import type { TurnView } from "../../turns/view.ts";

export interface InspectedTurn {
  readonly view: TurnView | null;
  readonly title: string;
  /** Which turn of its conversation, from 1; null while not known. */
  readonly number: number | null;
  readonly loading: boolean;
  readonly problem: BridgeError | undefined;
  readonly reload: () => void;
}

/** The turn behind a message: as it runs, or from its stored trail. */
export function useInspectedTurn(conversationId: ConversationId, messageId: string): InspectedTurn {
  const active = useActiveTurn(conversationId);
  const live = active?.assistantMessageId === messageId ? active : null;
  const trail = useCall("turns.trail", live ? null : { messageId: messageId as MessageId });
  const conversation = useCall("conversations.get", { id: conversationId });
  const newest = useCall("conversations.messages", { id: conversationId, before: null, limit: 500 });
  const stored = useMemo(() => (trail.data ? viewOf(trail.data.events) : null), [trail.data]);
  const number = useMemo(() => {
    const page = newest.data;
    const at = page?.messages.findIndex((message) => message.id === messageId) ?? -1;
    if (!page || at === -1 || !conversation.data) return null;
    const later = page.messages.slice(at + 1).filter((message) => message.role === "user").length;
    return conversation.data.turns - later;
  }, [newest.data, conversation.data, messageId]);
  return {
    view: live ?? stored,
    title: conversation.data?.title ?? "",
    number,
    loading: !live && trail.loading,
    problem: live ? undefined : trail.problem,
    reload: trail.reload,
  };
}

import { useEffect } from "react";
import type { ConversationId } from "../../../core/contract/index.ts";
import { useCall } from "../../hooks/useCall.ts";
import { navigate, useRoute } from "../../hooks/useRoute.ts";
import { InspectorScreen } from "../inspector/InspectorScreen.tsx";
import { ChatSheet } from "./ChatSheet.tsx";
import { NewChat } from "./NewChat.tsx";

export interface ConversationProps {
  readonly id: string;
  readonly find: string | null;
  readonly message: string | null;
}

/** `#/chat/ID/turn` is the inspector of the newest turn. */
function InspectNewest({ id }: { readonly id: ConversationId }) {
  const newest = useCall("conversations.messages", { id, before: null, limit: 20 });
  const settled = newest.data !== undefined || newest.problem !== undefined;
  const answer = newest.data?.messages.findLast((message) => message.role === "assistant");
  useEffect(() => {
    if (!settled) return;
    navigate({ screen: "chat", path: answer ? [id, "turn", answer.id] : [id] }, { replace: true });
  }, [settled, answer, id]);
  return null;
}

/** What stands on the sheet: an empty chat, a conversation, or the inspector of one of its turns. */
export function Conversation({ id, find, message }: ConversationProps) {
  const route = useRoute();
  const inspected = route.path[1] === "turn" ? route.path[2] : undefined;
  useEffect(() => {
    if (id === "") navigate({ screen: "chat", path: ["new"] }, { replace: true });
  }, [id]);
  if (id === "new") return <NewChat />;
  if (route.path[1] === "turn" && !inspected) return <InspectNewest id={id as ConversationId} />;
  if (inspected) {
    return (
      <InspectorScreen conversationId={id as ConversationId} messageId={inspected} stepId={route.path[3] ?? null} />
    );
  }
  return <ChatSheet id={id as ConversationId} find={find} message={message} />;
}

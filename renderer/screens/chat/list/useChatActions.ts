import { useMemo } from "react";
import type { Conversation } from "../../../../core/contract/index.ts";
import { toast } from "../../../components/toasts.ts";
import { act } from "../../../hooks/useAction.ts";
import { useReadOnly } from "../../../hooks/useAppInfo.ts";
import { navigate } from "../../../hooks/useRoute.ts";
import { chat as words } from "../../../words/chat.ts";
import { standingOn } from "../../beliefs/standing.ts";

export interface ChatActions {
  /** Read-only rescue: only reading and exporting work. */
  readonly locked: boolean;
  readonly rename: (conversation: Conversation, title: string) => void;
  readonly pin: (conversation: Conversation) => void;
  readonly remove: (conversation: Conversation) => void;
  readonly export: (conversation: Conversation, format: "markdown" | "json") => void;
}

/** What can be done to a conversation from its row or its header. */
export function useChatActions(current: string): ChatActions {
  const locked = useReadOnly() !== null;
  return useMemo(
    () => ({
      locked,
      rename: (conversation, title) => act("conversations.rename", { id: conversation.id, title }),
      pin: (conversation) => act("conversations.pin", { id: conversation.id, pinned: !conversation.pinned }),
      async remove(conversation) {
        const standing = await standingOn("message", conversation.id);
        if (!(await act("conversations.delete", { id: conversation.id }))) return;
        if (conversation.id === current) navigate({ screen: "chat", path: ["new"] }, { replace: true });
        toast({
          text: [words.deleted(conversation.title || words.untitled), standing].filter(Boolean).join(" "),
          undo: async () => {
            const back = await act("conversations.restore", { id: conversation.id });
            if (back) navigate({ screen: "chat", path: [conversation.id] });
          },
        });
      },
      async export(conversation, format) {
        const made = await act("conversations.export", { id: conversation.id, format });
        if (!made) return;
        const saved = await act("shell.saveText", made.value);
        if (saved?.value.path) toast({ text: words.exported });
      },
    }),
    [current, locked],
  );
}

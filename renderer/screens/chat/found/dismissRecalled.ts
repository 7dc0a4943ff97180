import type { ConversationId, FoundPassage } from "../../../../core/contract/index.ts";
import { toast } from "../../../components/toasts.ts";
import { act } from "../../../hooks/useAction.ts";
import { chat as words } from "../../../words/chat.ts";

/** Leaves a recalled passage out of a chat from now on, and offers to take that back. */
export async function dismissRecalled(conversationId: ConversationId, passage: FoundPassage): Promise<void> {
  const set = (dismissed: boolean) =>
    act("memory.dismiss", { conversationId, kind: passage.kind, sourceId: passage.sourceId, dismissed });
  if (await set(true)) toast({ text: words.dismissedRecalled, undo: () => void set(false) });
}

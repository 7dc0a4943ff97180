import { useCallback, useState } from "react";
import { readDraft, writeDraft } from "./drafts.ts";

/** The draft of one conversation. Mount anew for another one. */
export function useDraft(conversationId: string, ephemeral: boolean) {
  const [text, setText] = useState(() => readDraft(conversationId));
  const set = useCallback(
    (next: string) => {
      setText(next);
      writeDraft(conversationId, next, ephemeral);
    },
    [conversationId, ephemeral],
  );
  return { text, set };
}

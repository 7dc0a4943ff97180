import { useMemo } from "react";
import type { Message, TurnId } from "../../../../core/contract/index.ts";
import { toast } from "../../../components/toasts.ts";
import { copyText } from "../../../hooks/copyText.ts";
import { act } from "../../../hooks/useAction.ts";
import { navigate } from "../../../hooks/useRoute.ts";
import type { TurnView } from "../../../turns/view.ts";
import { shared } from "../../../words/shared.ts";

export interface MessageActions {
  readonly copy: (message: Message) => void;
  readonly regenerate: (message: Message) => void;
  readonly showVersion: (message: Message, index: number) => void;
  readonly showSource: (messageId: string, number: number) => void;
  readonly showFound: (messageId: string, tab: "found" | "recalled") => void;
  readonly inspect: (messageId: string, stepId: string | null) => void;
  readonly answer: (turn: TurnView, text: string) => void;
}

export interface MessageActionPorts {
  readonly conversationId: string;
  readonly put: (message: Message) => void;
  readonly showSource: MessageActions["showSource"];
  readonly showFound: MessageActions["showFound"];
  readonly toEnd: () => void;
}

/** What the buttons of an answer do. */
export function useMessageActions(ports: MessageActionPorts): MessageActions {
  const { conversationId, put, showSource, showFound, toEnd } = ports;
  return useMemo(
    () => ({
      async copy(message) {
        if (await copyText(message.content)) toast({ text: shared.copied });
      },
      async regenerate(message) {
        if (await act("turns.regenerate", { messageId: message.id })) toEnd();
      },
      async showVersion(message, index) {
        const shown = await act("conversations.showVersion", { messageId: message.id, index });
        if (shown) put(shown.value);
      },
      showSource,
      showFound,
      inspect: (messageId, stepId) =>
        navigate({ screen: "chat", path: [conversationId, "turn", messageId, ...(stepId ? [stepId] : [])] }),
      answer: (turn, text) => act("turns.clarify", { turnId: turn.turnId as TurnId, text }),
    }),
    [conversationId, put, showSource, showFound, toEnd],
  );
}

import type { ConversationId, Handlers, Message, MessageId } from "../contract/index.ts";
import { exportFileName, toJson, toMarkdown } from "./export.ts";
import type { Conversations } from "./store.ts";

type ConversationMethod = Extract<keyof Handlers, `conversations.${string}`>;

/** All shown messages of a conversation, oldest first, damaged ones included. */
export function allMessages(store: Conversations, id: ConversationId): Message[] {
  const pages: Message[][] = [];
  let before: MessageId | null = null;
  for (;;) {
    const page = store.page(id, before, 500);
    pages.unshift(page.messages);
    if (!page.hasOlder) return pages.flat();
    before = page.messages[0]!.id;
  }
}

export function conversationHandlers(store: Conversations): Pick<Handlers, ConversationMethod> {
  return {
    "conversations.list": ({ query }) => store.list(query),
    "conversations.get": ({ id }) => store.get(id),
    "conversations.create": ({ ephemeral }) => store.create(ephemeral === undefined ? {} : { ephemeral }),
    "conversations.rename": ({ id, title }) => store.rename(id, title),
    "conversations.pin": ({ id, pinned }) => store.pin(id, pinned),
    "conversations.delete": ({ id }) => {
      store.delete(id);
      return null;
    },
    "conversations.restore": ({ id }) => store.restore(id),
    "conversations.setScope": ({ id, scope }) => store.setScope(id, scope),
    "conversations.messages": ({ id, before, limit }) => store.page(id, before ?? null, limit),
    "conversations.showVersion": ({ messageId, index }) => store.showVersion(messageId, index),
    "conversations.export": ({ id, format }) => {
      const conversation = store.get(id);
      const messages = allMessages(store, id);
      return format === "markdown"
        ? { fileName: exportFileName(conversation, "md"), text: toMarkdown(conversation, messages) }
        : { fileName: exportFileName(conversation, "json"), text: toJson(conversation, messages) };
    },
  };
}

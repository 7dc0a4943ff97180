import type { Conversation } from "../../../../core/contract/index.ts";
import { dayGroup } from "../../../format/times.ts";
import { chat as words } from "../../../words/chat.ts";

export type ListItem =
  | { readonly kind: "group"; readonly key: string; readonly title: string }
  | { readonly kind: "chat"; readonly key: string; readonly conversation: Conversation };

/** Pinned first, then by the day of the last change, newest first; each group under its heading. */
export function groupConversations(conversations: readonly Conversation[], now: number): readonly ListItem[] {
  const newest = [...conversations].sort((a, b) => b.updatedAt - a.updatedAt);
  const items: ListItem[] = [];
  let heading = "";
  const add = (title: string, conversation: Conversation) => {
    if (title !== heading) {
      heading = title;
      items.push({ kind: "group", key: `group-${title}`, title });
    }
    items.push({ kind: "chat", key: conversation.id, conversation });
  };
  for (const each of newest) if (each.pinned) add(words.pinned, each);
  for (const each of newest) if (!each.pinned) add(dayGroup(each.updatedAt, now), each);
  return items;
}

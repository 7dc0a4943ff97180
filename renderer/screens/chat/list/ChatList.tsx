import { useMemo, useState } from "react";
import { IconButton } from "../../../components/Button.tsx";
import { SearchField } from "../../../components/Field.tsx";
import { ListColumn } from "../../../components/Frame.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../../components/States.tsx";
import { VirtualList } from "../../../components/VirtualList.tsx";
import { newChat } from "../../../frame/useFrameKeys.ts";
import { useNow } from "../../../hooks/useNow.ts";
import { useTurnStates } from "../../../turns/useTurn.ts";
import { chat as words } from "../../../words/chat.ts";
import { ChatRow } from "./ChatRow.tsx";
import { groupConversations } from "./groups.ts";
import { useChatActions } from "./useChatActions.ts";
import { useConversations } from "./useConversations.ts";

/** Every conversation, with a search over titles and messages. */
export function ChatList({ current }: { readonly current: string }) {
  const [query, setQuery] = useState("");
  const list = useConversations(query);
  const now = useNow(60_000);
  const states = useTurnStates();
  const actions = useChatActions(current);
  const items = useMemo(() => groupConversations(list.data ?? [], now), [list.data, now]);
  return (
    <ListColumn
      title={words.title}
      ownScroll
      actions={<IconButton icon="plus" label={words.newChat} keys="mod+n" onClick={newChat} />}
      search={<SearchField label={words.search} value={query} onChange={setQuery} />}
    >
      {list.problem && !list.data ? (
        <div className="list-state">
          <ErrorState title={words.listFailed} problem={list.problem} onRetry={list.reload} />
        </div>
      ) : list.loading ? (
        <Skeleton lines={5} what={words.reading} />
      ) : items.length === 0 ? (
        <div className="list-state f12">
          <EmptyState title={query.trim() ? words.nothingFound(query.trim()) : words.none}>
            {query.trim() ? words.nothingFoundBody : words.noneBody}
          </EmptyState>
        </div>
      ) : (
        <VirtualList
          label={words.title}
          items={items}
          itemKey={(item) => item.key}
          render={(item) =>
            item.kind === "group" ? (
              <h2 className="lab">{item.title}</h2>
            ) : (
              <ChatRow
                conversation={item.conversation}
                current={item.conversation.id === current}
                state={states.get(item.conversation.id)}
                find={query.trim()}
                now={now}
                actions={actions}
              />
            )
          }
        />
      )}
    </ListColumn>
  );
}

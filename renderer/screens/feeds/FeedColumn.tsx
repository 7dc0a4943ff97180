import type { Feed, Result } from "../../../core/contract/index.ts";
import { IconButton } from "../../components/Button.tsx";
import { SearchField } from "../../components/Field.tsx";
import { ListColumn } from "../../components/Frame.tsx";
import { Icon } from "../../components/Icon.tsx";
import { ListRow } from "../../components/ListRow.tsx";
import { count } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { feeds as words } from "../../words/feeds.ts";
import { byFolder } from "./useFeeds.ts";

export interface FeedColumnProps {
  readonly list: Result<"feeds.list"> | null;
  readonly place: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly onAdd: () => void;
}

export function FeedColumn({ list, place, query, onQuery, onAdd }: FeedColumnProps) {
  const total = list?.feeds.reduce((sum, feed) => sum + feed.entries, 0) ?? 0;
  const go = (path: string) => ({ screen: "feeds", path: [path] });
  return (
    <ListColumn
      title={words.title}
      actions={
        <>
          <IconButton
            icon="refresh"
            label={words.refresh}
            disabled={!list?.allowed || list.feeds.length === 0}
            onClick={() => void act("feeds.refresh", {})}
          />
          <IconButton icon="plus" label={words.add} onClick={onAdd} />
        </>
      }
      search={<SearchField label={words.search} value={query} onChange={onQuery} />}
      footer={
        list && !list.online && list.feeds.length > 0 ? (
          <div className="feeds-offline" role="status">
            <p className="row f12">
              <Icon name="plug" size="s" />
              {words.offlineTitle}
            </p>
            <p className="f12 faint">{words.offlineBody}</p>
          </div>
        ) : undefined
      }
    >
      <div className="feeds-gap" />
      <ListRow to={go("all")} icon="list" label={words.all} count={count(total)} current={place === "all"} />
      <ListRow
        to={go("unread")}
        icon="eye"
        label={words.unread}
        count={count(list?.unread ?? 0)}
        current={place === "unread"}
      />
      <ListRow
        to={go("starred")}
        icon="star"
        label={words.starred}
        count={count(list?.starred ?? 0)}
        current={place === "starred"}
      />
      <ListRow
        to={go("moved")}
        icon="beliefs"
        label={words.moved}
        count={count(list?.moved ?? 0)}
        current={place === "moved"}
      />
      {byFolder(list?.feeds ?? []).map((group) => (
        <section key={group.name} aria-label={group.name || words.noFolder}>
          <h2 className="lab">{group.name || words.noFolder}</h2>
          {group.feeds.map((feed) => (
            <ListRow
              key={feed.id}
              to={go(feed.id)}
              icon="feeds"
              label={feed.title}
              count={noteOf(feed)}
              current={place === feed.id}
            />
          ))}
        </section>
      ))}
    </ListColumn>
  );
}

function noteOf(feed: Feed): string | undefined {
  if (feed.state === "gone") return words.gone;
  if (feed.paused) return words.paused;
  if (feed.state === "failing") return words.failing;
  return feed.unread > 0 ? count(feed.unread) : undefined;
}

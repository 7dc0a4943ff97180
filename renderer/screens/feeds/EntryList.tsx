import { useRef } from "react";
import type { EntryFilter, Feed, FeedEntryRow } from "../../../core/contract/index.ts";
import { IconButton } from "../../components/Button.tsx";
import { Icon } from "../../components/Icon.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/States.tsx";
import { toast } from "../../components/toasts.ts";
import { VirtualList, type VListHandle } from "../../components/VirtualList.tsx";
import { count } from "../../format/numbers.ts";
import { shortTime } from "../../format/times.ts";
import { act } from "../../hooks/useAction.ts";
import { useNow } from "../../hooks/useNow.ts";
import { formatRoute, navigate } from "../../hooks/useRoute.ts";
import { isLayerOpen, useShortcut } from "../../keyboard/useShortcut.ts";
import { feeds as words } from "../../words/feeds.ts";
import { FeedMenu } from "./FeedMenu.tsx";
import type { EntryPages } from "./useFeeds.ts";

export interface EntryListProps {
  readonly place: string;
  readonly feed: Feed | null;
  readonly filter: EntryFilter;
  readonly query: string;
  readonly entries: EntryPages;
  readonly current: string | null;
}

export function EntryList({ place, feed, filter, query, entries, current }: EntryListProps) {
  const now = useNow(60_000);
  const handle = useRef<VListHandle>(null);
  const index = entries.entries.findIndex((entry) => entry.id === current);
  const unread = entries.entries.filter((entry) => !entry.read).length;

  const open = (entry: FeedEntryRow) => {
    navigate({ screen: "feeds", path: [place], query: { entry: entry.id } }, { replace: true });
    if (!entry.read)
      void act("feeds.markRead", { ids: [entry.id], read: true }).then(() => entries.change(entry.id, { read: true }));
  };
  const step = (by: number) => {
    if (isLayerOpen()) return false;
    const next = entries.entries[Math.max(0, Math.min(entries.entries.length - 1, index + by))];
    if (!next) return false;
    open(next);
    handle.current?.scrollToIndex(Math.max(0, index + by), { align: "nearest" });
    return true;
  };
  useShortcut({ keys: "j", run: () => step(1) });
  useShortcut({ keys: "k", run: () => step(-1) });

  const markRead = async () => {
    const newest = entries.entries[0];
    if (!newest) return;
    const marked = await act("feeds.markOlderRead", { filter, before: newest.at });
    if (!marked) return;
    const { ids } = marked.value;
    entries.reload();
    const undo = () => void act("feeds.markRead", { ids, read: false }).then(entries.reload);
    toast({ text: words.markedRead(count(ids.length)), ...(ids.length > 0 ? { undo } : {}) });
  };

  return (
    <section className="feeds-list" aria-label={feed?.title ?? titleOf(place)}>
      <div className="bar">
        <h2 className="cut">{feed?.title ?? titleOf(place)}</h2>
        <span className="faint f12 num nowrap">
          {unread > 0 ? words.unreadCount(count(feed?.unread ?? unread)) : words.entryCount(count(entries.total))}
        </span>
        <span className="grow" />
        <IconButton
          icon="check"
          label={words.markRead}
          onClick={() => void markRead()}
          disabled={entries.entries.length === 0}
        />
        <FeedMenu feed={feed} />
      </div>
      {feed?.problem && (
        <p className="feeds-problem f12" role="status">
          <Icon name="info" size="s" /> {feed.problem}
        </p>
      )}
      {entries.problem ? (
        <ErrorState title={words.entriesFailed} problem={entries.problem} onRetry={entries.reload} />
      ) : entries.loading ? (
        <Skeleton lines={9} />
      ) : entries.entries.length === 0 ? (
        <div className="feeds-none">
          <EmptyState title={query ? words.nothingFound(query) : words.nothingHere}>
            {query ? undefined : words.nothingHereBody}
          </EmptyState>
        </div>
      ) : (
        <VirtualList
          label={words.all}
          handle={handle}
          items={entries.entries}
          itemKey={(entry) => entry.id}
          onNearEnd={entries.more}
          render={(entry) => (
            <EntryRow entry={entry} place={place} now={now} current={entry.id === current} onOpen={() => open(entry)} />
          )}
        />
      )}
    </section>
  );
}

interface EntryRowProps {
  readonly entry: FeedEntryRow;
  readonly place: string;
  readonly now: number;
  readonly current: boolean;
  readonly onOpen: () => void;
}

export function EntryRow({ entry, place, now, current, onOpen }: EntryRowProps) {
  return (
    <a
      className={entry.read ? "fe" : "fe new"}
      href={formatRoute({ screen: "feeds", path: [place], query: { entry: entry.id } })}
      aria-current={current ? "true" : undefined}
      onClick={(event) => {
        event.preventDefault();
        onOpen();
      }}
    >
      <span className="row f12 faint">
        <span className="cut grow">{entry.feedTitle}</span>
        {entry.starred && <Icon name="star" size="s" />}
        <time className="num" dateTime={new Date(entry.at).toISOString()}>
          {shortTime(entry.at, now)}
        </time>
      </span>
      <span className="t">{entry.title}</span>
      {entry.opening && entry.opening !== entry.title && <span className="o f12">{entry.opening}</span>}
      {entry.evidence && (
        <span className="row f12 e">
          <Icon
            name={entry.evidence.state === "done" ? "beliefs" : entry.evidence.state === "waiting" ? "clock" : "still"}
            size="s"
          />
          <span className="cut">{entry.evidence.note}</span>
        </span>
      )}
    </a>
  );
}

function titleOf(place: string): string {
  return place === "unread"
    ? words.unread
    : place === "starred"
      ? words.starred
      : place === "moved"
        ? words.moved
        : words.all;
}

import { useState } from "react";
import type { EntryFilter } from "../../../core/contract/index.ts";
import { Screen } from "../../components/Frame.tsx";
import { ErrorState, Skeleton } from "../../components/States.tsx";
import { useRoute } from "../../hooks/useRoute.ts";
import { feeds as words } from "../../words/feeds.ts";
import { Digest } from "../beliefs/Digest.tsx";
import { AddFeed } from "./AddFeed.tsx";
import { Article } from "./Article.tsx";
import { EntryList } from "./EntryList.tsx";
import { FeedColumn } from "./FeedColumn.tsx";
import { NoFeeds } from "./NoFeeds.tsx";
import { Queue } from "./Queue.tsx";
import { useEntries, useFeedList } from "./useFeeds.ts";
import "./feeds.css";

/** Feeds at the left, their entries, and the one being read. `#/feeds/FILTER?entry=ID`, FILTER: all, unread, starred or a feed's id. */
export function FeedsScreen() {
  const route = useRoute();
  const list = useFeedList();
  const [query, setQuery] = useState("");
  const [adding, setAdding] = useState(false);
  // A source that is opened from elsewhere names its entry alone: `#/feeds/entry/ID`.
  const alone = route.path[0] === "entry" ? (route.path[1] ?? null) : null;
  const place = alone ? "all" : (route.path[0] ?? "all");
  const filter = filterOf(place, query);
  const entries = useEntries(filter);
  const current = alone ?? route.query["entry"] ?? null;
  const feeds = list.data?.feeds ?? [];
  return (
    <Screen
      sideWidth={208}
      side={
        <FeedColumn
          list={list.data ?? null}
          place={place}
          query={query}
          onQuery={setQuery}
          onAdd={() => setAdding(true)}
        />
      }
    >
      <main className="main" data-region="sheet" tabIndex={-1}>
        {list.problem ? (
          <div className="centred">
            <ErrorState title={words.listFailed} problem={list.problem} onRetry={list.reload} />
          </div>
        ) : !list.data ? (
          <Skeleton lines={8} />
        ) : feeds.length === 0 ? (
          <NoFeeds onAdd={() => setAdding(true)} />
        ) : (
          <>
            <div className="body">
              <EntryList
                place={place}
                feed={feeds.find((feed) => feed.id === place) ?? null}
                filter={filter}
                query={query}
                entries={entries}
                current={current}
              />
              <Article key={current} id={current} feeds={feeds} onChange={entries.change} />
            </div>
            <div className="feeds-digest">
              <Digest />
            </div>
            <Queue />
          </>
        )}
      </main>
      {adding && (
        <AddFeed
          allowed={list.data?.allowed ?? false}
          folders={[...new Set(feeds.map((feed) => feed.folder).filter(Boolean))]}
          onClose={() => setAdding(false)}
        />
      )}
    </Screen>
  );
}

function filterOf(place: string, query: string): EntryFilter {
  const words = query.trim() ? { query: query.trim() } : {};
  if (place === "all") return words;
  if (place === "unread") return { ...words, unread: true };
  if (place === "starred") return { ...words, starred: true };
  if (place === "moved") return { ...words, moved: true };
  return { ...words, feedId: place };
}

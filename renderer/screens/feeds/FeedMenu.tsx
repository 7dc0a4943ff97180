import type { Feed } from "../../../core/contract/index.ts";
import { IconButton } from "../../components/Button.tsx";
import { Menu } from "../../components/Menu.tsx";
import { toast } from "../../components/toasts.ts";
import { act } from "../../hooks/useAction.ts";
import { feeds as words } from "../../words/feeds.ts";
import { standingOn } from "../beliefs/standing.ts";
import { exportList, importList } from "./lists.ts";

const INTERVALS = [
  { minutes: 15, label: "15 minutes" },
  { minutes: 60, label: "hour" },
  { minutes: 360, label: "6 hours" },
  { minutes: 1440, label: "day" },
];

/** What can be done with the feed that is shown, and with the list of all. */
export function FeedMenu({ feed }: { readonly feed: Feed | null }) {
  const update = (change: Partial<Feed>) => feed && void act("feeds.update", { id: feed.id, ...change });
  const remove = async () => {
    if (!feed) return;
    const standing = await standingOn("feed", feed.id);
    if (!(await act("feeds.remove", { id: feed.id }))) return;
    const text = [words.removed(feed.title), standing].filter(Boolean).join(" ");
    toast({ text, undo: () => void act("feeds.restore", { id: feed.id }) });
  };
  return (
    <Menu
      trigger={<IconButton icon="filter" label={words.more} />}
      groups={[
        {
          label: feed?.title ?? words.title,
          items: feed
            ? [
                ...(feed.url
                  ? [
                      {
                        label: words.refreshOne,
                        icon: "refresh" as const,
                        run: () => void act("feeds.refresh", { id: feed.id }),
                      },
                    ]
                  : []),
                {
                  label: feed.paused ? words.resume : words.pause,
                  icon: feed.paused ? ("play" as const) : ("pause" as const),
                  run: () => update({ paused: !feed.paused }),
                },
                { label: words.wholeArticles, checked: feed.fullText, run: () => update({ fullText: !feed.fullText }) },
                {
                  label: words.mayMove,
                  checked: feed.mayMoveBeliefs,
                  run: () => update({ mayMoveBeliefs: !feed.mayMoveBeliefs }),
                },
              ]
            : [],
        },
        {
          label: words.interval,
          items: feed?.url
            ? INTERVALS.map((interval) => ({
                label: interval.label,
                checked: feed.intervalMinutes === interval.minutes,
                run: () => update({ intervalMinutes: interval.minutes }),
              }))
            : [],
        },
        {
          items: [
            { label: words.importList, icon: "import", run: () => void importList() },
            { label: words.exportList, icon: "export", run: () => void exportList() },
          ],
        },
        { items: feed ? [{ label: words.remove, icon: "trash", danger: true, run: () => void remove() }] : [] },
      ]}
    />
  );
}

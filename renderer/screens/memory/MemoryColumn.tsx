import type { MemoryCounts } from "../../../core/contract/index.ts";
import { SearchField } from "../../components/Field.tsx";
import { ListColumn } from "../../components/Frame.tsx";
import type { IconName } from "../../components/Icon.tsx";
import { ListRow } from "../../components/ListRow.tsx";
import { count, plural } from "../../format/numbers.ts";
import { shortTime } from "../../format/times.ts";
import { memory as words } from "../../words/memory.ts";

export interface MemoryColumnProps {
  readonly counts: MemoryCounts | null;
  readonly place: string;
  readonly name: string | null;
  readonly query: string;
  readonly now: number;
  readonly onQuery: (query: string) => void;
}

const views = [
  ["everything", "memory"],
  ["said", "chat"],
  ["documents", "file"],
  ["feeds", "feeds"],
  ["pinned", "pin"],
  ["archived", "library"],
] as const satisfies readonly (readonly [keyof typeof words.views, IconName])[];

/** The search, the views with their numbers, topics and times; at the foot, what the last tidying did. */
export function MemoryColumn({ counts, place, name, query, now, onQuery }: MemoryColumnProps) {
  const to = (...path: string[]) => ({ screen: "memory", path, query: {} });
  const number = (value: number | undefined) => (value === undefined ? undefined : count(value));
  const tidied = counts?.tidied ?? null;
  const footer = tidied && (
    <p className="f12 faint memory-foot">
      {words.tidied(
        shortTime(tidied.at, now),
        plural(tidied.merged, "duplicate"),
        count(tidied.archived),
        count(tidied.forgotten),
      )}
    </p>
  );
  return (
    <ListColumn
      footer={footer}
      title={words.title}
      search={<SearchField label={words.search} value={query} onChange={onQuery} />}
    >
      <div className="memory-views">
        {views.map(([view, icon]) => (
          <ListRow
            key={view}
            to={to(view)}
            icon={icon}
            label={words.views[view]}
            count={number(counts?.[view])}
            current={place === view}
          />
        ))}
      </div>
      {counts && counts.topics.length > 0 && (
        <section aria-label={words.topics}>
          <h2 className="lab memory-group">{words.topics}</h2>
          {counts.topics.map(({ topic, count: n }) => (
            <ListRow
              key={topic}
              to={to("topic", topic)}
              icon="tag"
              label={topicName(topic)}
              count={count(n)}
              current={place === "topic" && name === topic}
            />
          ))}
        </section>
      )}
      <section aria-label={words.when}>
        <h2 className="lab memory-group">{words.when}</h2>
        <ListRow
          to={to("week")}
          icon="clock"
          label={words.thisWeek}
          count={number(counts?.thisWeek)}
          current={place === "week"}
        />
        <ListRow
          to={to("year")}
          icon="clock"
          label={words.thisYear}
          count={number(counts?.thisYear)}
          current={place === "year"}
        />
      </section>
    </ListColumn>
  );
}

/** `fish-passage` is shown as "Fish passage". */
export function topicName(slug: string): string {
  const text = slug.replace(/[-_]+/g, " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

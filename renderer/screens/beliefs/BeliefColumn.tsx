import type { BeliefView } from "../../../core/contract/index.ts";
import { SearchField } from "../../components/Field.tsx";
import { ListColumn } from "../../components/Frame.tsx";
import type { IconName } from "../../components/Icon.tsx";
import { ListRow } from "../../components/ListRow.tsx";
import { count } from "../../format/numbers.ts";
import type { BridgeResult } from "../../hooks/bridge.ts";
import { beliefs as words } from "../../words/beliefs.ts";

export interface BeliefColumnProps {
  readonly list: BridgeResult<"beliefs.list"> | null;
  /** A view, "topic", "snapshot", "log", or "" on a belief's own page. */
  readonly place: string;
  readonly topic: string | null;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

const icons: Readonly<Record<BeliefView, IconName>> = {
  all: "beliefs",
  moved: "arrow",
  disputed: "flag",
  pinned: "pin",
  fading: "fall",
  retired: "clock",
};
const shown: readonly BeliefView[] = ["all", "moved", "disputed", "pinned", "fading", "retired"];

/** Views, topics and what holds of all beliefs together. */
export function BeliefColumn({ list, place, topic, query, onQuery }: BeliefColumnProps) {
  return (
    <ListColumn title={words.title} search={<SearchField label={words.search} value={query} onChange={onQuery} />}>
      <div className="bl-gap" />
      {shown
        .filter((view) => view !== "retired" || (list?.counts.retired ?? 0) > 0)
        .map((view) => (
          <ListRow
            key={view}
            to={{ screen: "beliefs", ...(view === "all" ? {} : { query: { view } }) }}
            icon={icons[view]}
            label={words.views[view]}
            count={list && count(list.counts[view])}
            current={place === view && topic === null}
          />
        ))}
      {list && list.topics.length > 0 && (
        <>
          <h2 className="lab">{words.topics}</h2>
          {list.topics.map((each) => (
            <ListRow
              key={each.topic}
              to={{ screen: "beliefs", query: { topic: each.topic } }}
              icon="tag"
              label={each.title}
              count={count(each.count)}
              current={topic === each.topic}
            />
          ))}
        </>
      )}
      <h2 className="lab">{words.asAWhole}</h2>
      <ListRow
        to={{ screen: "beliefs", path: ["snapshot"] }}
        icon="file"
        label={words.snapshot}
        count={list?.snapshotVersion ? words.version(list.snapshotVersion) : undefined}
        current={place === "snapshot"}
      />
      <ListRow
        to={{ screen: "beliefs", path: ["log"] }}
        icon="list"
        label={words.allRevisions}
        count={list && count(list.revisions)}
        current={place === "log"}
      />
    </ListColumn>
  );
}

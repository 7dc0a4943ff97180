import { useEffect, useState } from "react";
import type { BeliefView } from "../../../core/contract/index.ts";
import { Screen } from "../../components/Frame.tsx";
import { navigate, useRoute } from "../../hooks/useRoute.ts";
import { AddEvidence } from "./AddEvidence.tsx";
import { BeliefColumn } from "./BeliefColumn.tsx";
import { BeliefList } from "./BeliefList.tsx";
import { BeliefPage } from "./BeliefPage.tsx";
import { LogPage } from "./LogPage.tsx";
import { SnapshotPage } from "./SnapshotPage.tsx";
import { type Filter, type Sort, useBeliefList } from "./useBeliefs.ts";
import "./beliefs.css";

const viewNames: readonly string[] = ["all", "moved", "disputed", "pinned", "fading", "retired"];

/** `#/beliefs?view=moved`, `#/beliefs?topic=eels`, `#/beliefs/ID`, `#/beliefs/snapshot`, `#/beliefs/log`. */
export function BeliefsScreen() {
  const route = useRoute();
  const [query, setQuery] = useState("");
  const [sort, setSort] = useState<Sort>("change");
  const [adding, setAdding] = useState(false);
  const place = route.path[0] ?? null;
  const named = route.query["view"] ?? "all";
  const view = (viewNames.includes(named) ? named : "all") as BeliefView;
  const topic = route.query["topic"] ?? null;
  const filter: Filter = { view, topic, query, sort };
  const list = useBeliefList(filter);
  // Words in the search field look through the list, wherever one was.
  useEffect(() => {
    if (query.trim() !== "" && place !== null) navigate({ screen: "beliefs" });
  }, [query, place]);
  return (
    <Screen
      sideWidth={204}
      side={
        <BeliefColumn
          list={list.data ?? null}
          place={place === null ? view : place === "snapshot" || place === "log" ? place : ""}
          topic={place === null ? topic : null}
          query={query}
          onQuery={setQuery}
        />
      }
    >
      {place === null ? (
        <BeliefList list={list} filter={filter} onSort={setSort} onAdd={() => setAdding(true)} />
      ) : place === "snapshot" ? (
        <SnapshotPage />
      ) : place === "log" ? (
        <LogPage />
      ) : (
        <BeliefPage key={place} id={place} />
      )}
      {adding && <AddEvidence beliefId={null} onClose={() => setAdding(false)} />}
    </Screen>
  );
}

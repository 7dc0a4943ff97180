import { useState } from "react";
import type { LibraryOverview } from "../../../core/contract/index.ts";
import { IconButton } from "../../components/Button.tsx";
import { SearchField } from "../../components/Field.tsx";
import { ListColumn } from "../../components/Frame.tsx";
import { ListRow } from "../../components/ListRow.tsx";
import { count } from "../../format/numbers.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { library as words } from "../../words/library.ts";
import { CollectionDialog } from "./CollectionDialog.tsx";

export interface LibraryColumnProps {
  readonly overview: LibraryOverview | null;
  readonly place: string;
  readonly id: string | null;
}

/** Views, collections and watched folders; typing in the field goes to the search. */
export function LibraryColumn({ overview, place, id }: LibraryColumnProps) {
  const [creating, setCreating] = useState(false);
  const to = (...path: string[]) => ({ screen: "library", path });
  const number = (value: number | undefined) => (value === undefined ? undefined : count(value));
  return (
    <ListColumn
      title={words.title}
      actions={<IconButton icon="plus" label={words.newCollection} onClick={() => setCreating(true)} />}
      search={
        <SearchField
          label={words.search}
          value=""
          onChange={(q) => navigate({ screen: "library", path: ["search"], query: { q } })}
        />
      }
    >
      <div className="library-views">
        <ListRow
          to={to("all")}
          icon="library"
          label={words.all}
          count={number(overview?.total)}
          current={place === "all"}
        />
        <ListRow
          to={to("recent")}
          icon="clock"
          label={words.recent}
          count={number(overview?.recent)}
          current={place === "recent"}
        />
        <ListRow
          to={to("need-you")}
          icon="alert"
          label={words.needYou}
          count={number(overview?.needYou)}
          current={place === "need-you"}
        />
      </div>
      {overview && overview.collections.length > 0 && (
        <section aria-label={words.collections}>
          <h2 className="lab library-group">{words.collections}</h2>
          {overview.collections.map((collection) => (
            <ListRow
              key={collection.id}
              to={to("collection", collection.id)}
              icon="folder"
              label={collection.name}
              count={count(collection.documents)}
              current={place === "collection" && id === collection.id}
            />
          ))}
        </section>
      )}
      {overview && overview.watched.length > 0 && (
        <section aria-label={words.watched}>
          <h2 className="lab library-group">{words.watched}</h2>
          {overview.watched.map((folder) => (
            <ListRow
              key={folder.id}
              to={to("watched", folder.id)}
              icon={folder.problem ? "alert" : "eye"}
              label={folder.name}
              count={count(folder.documents)}
              current={place === "watched" && id === folder.id}
            />
          ))}
        </section>
      )}
      {creating && <CollectionDialog onClose={() => setCreating(false)} />}
    </ListColumn>
  );
}

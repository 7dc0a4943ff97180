import { Button } from "../../components/Button.tsx";
import { EmptyState } from "../../components/States.tsx";
import { feeds as words } from "../../words/feeds.ts";
import { importList } from "./lists.ts";

export function NoFeeds({ onAdd }: { readonly onAdd: () => void }) {
  return (
    <div className="feeds-empty">
      <EmptyState
        title={words.emptyTitle}
        actions={
          <>
            <Button icon="plus" onClick={onAdd}>
              {words.add}
            </Button>
            <Button kind="quiet" onClick={() => void importList()}>
              {words.importList}
            </Button>
          </>
        }
      >
        {words.emptyBody}
      </EmptyState>
    </div>
  );
}

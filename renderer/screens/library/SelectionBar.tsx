import type { Collection } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { Menu } from "../../components/Menu.tsx";
import { count } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { library as words } from "../../words/library.ts";

export interface SelectionBarProps {
  readonly ids: readonly string[];
  readonly collections: readonly Collection[];
  readonly onRemove: () => void;
  readonly onClear: () => void;
}

/** Several documents at once: move, let them move beliefs, remove. */
export function SelectionBar({ ids, collections, onRemove, onClear }: SelectionBarProps) {
  const move = (collectionId: string | null) => void act("library.move", { ids: [...ids], collectionId });
  return (
    <div className="row library-selection" role="status">
      <span className="m num">{words.selected(count(ids.length))}</span>
      <span className="grow" />
      <Menu
        trigger={
          <Button kind="quiet" icon="folder">
            {words.move}
          </Button>
        }
        groups={[
          {
            items: collections.map((collection) => ({
              label: collection.name,
              icon: "folder" as const,
              run: () => move(collection.id),
            })),
          },
          { items: [{ label: words.noCollection, run: () => move(null) }] },
        ]}
      />
      <Button
        kind="quiet"
        icon="beliefs"
        onClick={() => void act("library.setMayMoveBeliefs", { ids: [...ids], value: true })}
      >
        {words.mayMove}
      </Button>
      <Button kind="quiet" icon="trash" onClick={onRemove}>
        {words.remove}
      </Button>
      <Button kind="quiet" onClick={onClear}>
        {words.cancel}
      </Button>
    </div>
  );
}

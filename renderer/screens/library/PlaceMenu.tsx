import type { LibraryOverview } from "../../../core/contract/index.ts";
import { IconButton } from "../../components/Button.tsx";
import { Menu } from "../../components/Menu.tsx";
import { toast } from "../../components/toasts.ts";
import { act } from "../../hooks/useAction.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { library as words } from "../../words/library.ts";

/** What can be done with the collection or watched folder that is open. */
export function PlaceMenu({
  overview,
  place,
  id,
}: {
  readonly overview: LibraryOverview | null;
  readonly place: string;
  readonly id: string | null;
}) {
  const collection = place === "collection" ? overview?.collections.find((entry) => entry.id === id) : undefined;
  const folder = place === "watched" ? overview?.watched.find((entry) => entry.id === id) : undefined;
  if (!collection && !folder) return null;
  const leave = () => navigate({ screen: "library", path: ["all"] });
  const remove = async (collectionId: string, name: string) => {
    if (!(await act("library.deleteCollection", { id: collectionId }))) return;
    toast({ text: words.deletedCollection(name) });
    leave();
  };
  return (
    <Menu
      trigger={<IconButton icon="more" label={words.more} />}
      groups={[
        {
          items: collection
            ? [
                {
                  label: words.collectionMoves,
                  checked: collection.mayMoveBeliefs,
                  run: () =>
                    void act("library.changeCollection", {
                      id: collection.id,
                      mayMoveBeliefs: !collection.mayMoveBeliefs,
                    }),
                },
                {
                  label: words.deleteCollection,
                  icon: "trash",
                  danger: true,
                  run: () => void remove(collection.id, collection.name),
                },
              ]
            : [
                {
                  label: words.unwatch,
                  icon: "eye",
                  run: () => void act("library.unwatch", { id: folder!.id }).then((done) => done && leave()),
                },
              ],
        },
      ]}
    />
  );
}

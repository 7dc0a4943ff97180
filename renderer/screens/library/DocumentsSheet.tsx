import { useState } from "react";
import type { LibraryDocument, LibraryOverview } from "../../../core/contract/index.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { SearchField } from "../../components/Field.tsx";
import { Sheet } from "../../components/Frame.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Menu } from "../../components/Menu.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/States.tsx";
import { VirtualList } from "../../components/VirtualList.tsx";
import { count } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { isLayerOpen, useShortcut } from "../../keyboard/useShortcut.ts";
import { library as words } from "../../words/library.ts";
import { chooseAndAdd, chooseAndWatch } from "./addPaths.ts";
import { DocumentRow, DocumentTable } from "./DocumentRow.tsx";
import { PlaceMenu } from "./PlaceMenu.tsx";
import { QueueStrip } from "./QueueStrip.tsx";
import { RemoveDialog } from "./RemoveDialog.tsx";
import { SelectionBar } from "./SelectionBar.tsx";
import { UnlockDialog } from "./UnlockDialog.tsx";
import type { DocumentPages } from "./useLibrary.ts";
import { usePaste } from "./usePaste.ts";
import { useSelection } from "./useSelection.ts";

export interface DocumentsSheetProps {
  readonly overview: LibraryOverview | null;
  readonly documents: DocumentPages;
  readonly place: string;
  readonly id: string | null;
  readonly name: string;
  readonly onName: (name: string) => void;
}

export function DocumentsSheet({ overview, documents, place, id, name, onName }: DocumentsSheetProps) {
  const [filtering, setFiltering] = useState(false);
  const [unlocking, setUnlocking] = useState<LibraryDocument | null>(null);
  const [removing, setRemoving] = useState<readonly string[] | null>(null);
  const selection = useSelection(documents.documents.map((document) => document.id));
  const collectionId = place === "collection" ? id : null;
  usePaste(collectionId);
  useShortcut({
    keys: "mod+a",
    run: () => {
      if (isLayerOpen()) return false;
      selection.all();
      return true;
    },
  });
  useShortcut({
    keys: "Delete",
    run: () => {
      if (selection.ids.size === 0 || isLayerOpen()) return false;
      setRemoving([...selection.ids]);
      return true;
    },
  });
  return (
    <Sheet
      title={titleOf(place, id, overview)}
      meta={documents.loading ? undefined : count(documents.total)}
      actions={
        <>
          <PlaceMenu overview={overview} place={place} id={id} />
          <Button kind="quiet" icon="filter" aria-expanded={filtering} onClick={() => setFiltering(!filtering)}>
            {words.filter}
          </Button>
          <Menu
            trigger={<Button icon="plus">{words.addFiles}</Button>}
            groups={[
              {
                items: [
                  { label: words.addFiles, icon: "file", run: () => void chooseAndAdd("files", collectionId) },
                  { label: words.addFolder, icon: "folder", run: () => void chooseAndAdd("folders", collectionId) },
                  { label: words.watchFolder, icon: "eye", run: () => void chooseAndWatch(collectionId) },
                ],
              },
            ]}
          />
        </>
      }
    >
      <section className="pane grow library-pane">
        {filtering && (
          <div className="library-filter">
            <SearchField label={words.anyName} value={name} onChange={onName} count={count(documents.total)} />
          </div>
        )}
        <div className="library-drop">
          <Icon name="import" />
          <span className="grow">
            <b className="m">{words.dropTitle}</b> {words.dropBody}
          </span>
          <Button kind="quiet" onClick={() => void chooseAndWatch(collectionId)}>
            {words.watchFolder}
          </Button>
        </div>
        {overview && (
          <QueueStrip
            queue={overview.queue}
            needYou={overview.needYou}
            onPause={() => void act("library.pause", {})}
            onResume={() => void act("library.resume", {})}
            onCancel={() => void act("library.cancel", {})}
          />
        )}
        {selection.ids.size > 1 && (
          <SelectionBar
            ids={[...selection.ids]}
            collections={overview?.collections ?? []}
            onRemove={() => setRemoving([...selection.ids])}
            onClear={selection.clear}
          />
        )}
        <Body documents={documents} place={place} filtered={name !== ""}>
          <DocumentTable count={documents.total}>
            <VirtualList
              label={words.all}
              role="rowgroup"
              items={documents.documents}
              itemKey={(document) => document.id}
              onNearEnd={documents.more}
              render={(document) => (
                <DocumentRow
                  document={document}
                  selected={selection.ids.has(document.id)}
                  onSelect={(event) => selection.click(document.id, event)}
                  onOpen={() => navigate({ screen: "library", path: ["document", document.id] })}
                  onUnlock={() => setUnlocking(document)}
                  onRetry={() => void act("library.retry", { ids: [document.id] })}
                  onOcr={() => void act("library.recognize", { ids: [document.id] })}
                  onMayMove={(value) => void act("library.setMayMoveBeliefs", { ids: [document.id], value })}
                />
              )}
            />
          </DocumentTable>
        </Body>
        {selection.ids.size === 1 && (
          <div className="library-one">
            <IconButton
              icon="trash"
              label={words.remove}
              keys="Delete"
              onClick={() => setRemoving([...selection.ids])}
            />
          </div>
        )}
      </section>
      {unlocking && <UnlockDialog document={unlocking} onClose={() => setUnlocking(null)} />}
      {removing && <RemoveDialog ids={removing} onClose={() => setRemoving(null)} onRemoved={selection.clear} />}
    </Sheet>
  );
}

interface BodyProps {
  readonly documents: DocumentPages;
  readonly place: string;
  readonly filtered: boolean;
  readonly children: React.ReactNode;
}

function Body({ documents, place, filtered, children }: BodyProps) {
  if (documents.problem)
    return <ErrorState title={words.listFailed} problem={documents.problem} onRetry={documents.reload} />;
  if (documents.loading) return <Skeleton lines={8} />;
  if (documents.documents.length > 0 || filtered) return children;
  const [title, body] =
    place === "need-you"
      ? [words.nothingNeeds, words.nothingNeedsBody]
      : place === "collection"
        ? [words.emptyCollection, words.emptyCollectionBody]
        : [words.emptyTitle, words.emptyBody];
  return (
    <div className="centred">
      <EmptyState title={title}>{body}</EmptyState>
    </div>
  );
}

function titleOf(place: string, id: string | null, overview: LibraryOverview | null): string {
  if (place === "collection")
    return overview?.collections.find((collection) => collection.id === id)?.name ?? words.collections;
  if (place === "watched") return overview?.watched.find((folder) => folder.id === id)?.name ?? words.watched;
  return place === "recent" ? words.recent : place === "need-you" ? words.needYou : words.all;
}

import { useState } from "react";
import type { LibraryDocument, Result } from "../../../core/contract/index.ts";
import { IconButton } from "../../components/Button.tsx";
import { Sheet } from "../../components/Frame.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/States.tsx";
import { count, plural } from "../../format/numbers.ts";
import { library as words } from "../../words/library.ts";
import { PageView } from "./PageView.tsx";
import { PassagePanel } from "./PassagePanel.tsx";
import { TextView } from "./TextView.tsx";
import { useDocument, usePassage } from "./useLibrary.ts";

export interface ViewerProps {
  readonly passageId: string | null;
  readonly documentId: string | null;
}

/** A document at a passage or from its beginning: the original page of a PDF, the text of everything else. */
export function Viewer({ passageId, documentId }: ViewerProps) {
  const passage = usePassage(passageId);
  const document = useDocument(documentId);
  const problem = passage.problem ?? document.problem;
  const open = passage.data?.document ?? document.data;
  if (passageId === null && documentId === null) {
    return (
      <Sheet title="">
        <div className="centred">
          <EmptyState title={words.pickHit} />
        </div>
      </Sheet>
    );
  }
  if (problem) {
    return (
      <Sheet title="">
        <div className="centred">
          <ErrorState
            title={words.viewerFailed}
            problem={problem}
            onRetry={passageId === null ? document.reload : passage.reload}
          />
        </div>
      </Sheet>
    );
  }
  if (!open) {
    return (
      <Sheet title="">
        <Skeleton lines={10} />
      </Sheet>
    );
  }
  return <OpenDocument document={open} passage={passage.data ?? null} />;
}

const zooms = [0.8, 1, 1.25, 1.5, 2];

function OpenDocument({
  document,
  passage,
}: {
  readonly document: LibraryDocument;
  readonly passage: Result<"library.passage"> | null;
}) {
  const paged = document.format === "pdf" && document.path !== null && document.pages !== null;
  const [view, setView] = useState<"page" | "text">(paged ? "page" : "text");
  const [page, setPage] = useState(passage?.passage.page ?? 1);
  const [zoom, setZoom] = useState(1);
  const pages = document.pages ?? 1;
  const meta =
    paged && view === "page" ? words.pageOf(count(page), count(pages)) : plural(document.passages, "passage");
  return (
    <Sheet
      title={document.name}
      meta={meta}
      actions={
        paged && (
          <>
            {view === "page" && (
              <>
                <IconButton
                  icon="left"
                  label={words.previousPage}
                  disabled={page <= 1}
                  onClick={() => setPage(page - 1)}
                />
                <IconButton
                  icon="right"
                  label={words.nextPage}
                  disabled={page >= pages}
                  onClick={() => setPage(page + 1)}
                />
                <select
                  className="library-zoom num"
                  aria-label={words.zoom}
                  value={zoom}
                  onChange={(event) => setZoom(Number(event.target.value))}
                >
                  {zooms.map((value) => (
                    <option key={value} value={value}>{`${Math.round(value * 100)} %`}</option>
                  ))}
                </select>
              </>
            )}
            <Segmented
              label={words.view}
              value={view}
              options={[
                { value: "page", label: words.asPage },
                { value: "text", label: words.asText },
              ]}
              onChange={setView}
            />
          </>
        )
      }
    >
      <section className="pane grow library-desk">
        {view === "page" ? (
          <PageView
            key={page}
            document={document}
            page={page}
            zoom={zoom}
            highlight={passage?.passage.page === page ? passage.passage.id : null}
          />
        ) : (
          <TextView document={document} passage={passage?.passage ?? null} />
        )}
      </section>
      <PassagePanel document={document} passage={passage} />
    </Sheet>
  );
}

import { useState } from "react";
import type { LibraryHit } from "../../../core/contract/index.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { SearchField } from "../../components/Field.tsx";
import { ListColumn } from "../../components/Frame.tsx";
import { Marked } from "../../components/Marked.tsx";
import { Menu } from "../../components/Menu.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/States.tsx";
import { count } from "../../format/numbers.ts";
import { formatRoute, navigate, useRoute } from "../../hooks/useRoute.ts";
import { library as words } from "../../words/library.ts";
import { useLibrarySearch, useOverview } from "./useLibrary.ts";

const types = [
  { label: "PDF", format: "pdf" },
  { label: "Word", format: "docx" },
  { label: "Excel", format: "xlsx" },
  { label: "Slides", format: "pptx" },
  { label: "Web pages", format: "html" },
  { label: "Mail", format: "eml" },
  { label: "Plain text", format: "txt" },
] as const;

/** The query lives in the address, so that back and forward walk through the hits. */
export function SearchColumn() {
  const { query } = useRoute();
  const [text, setText] = useState(query["q"] ?? "");
  const [collectionId, setCollectionId] = useState<string | null>(null);
  const [format, setFormat] = useState<string | null>(null);
  const search = useLibrarySearch(text, collectionId, format);
  const overview = useOverview();
  const collections = overview.data?.collections ?? [];
  const hits = search.data?.hits ?? [];
  const change = (q: string) => {
    setText(q);
    navigate({ screen: "library", path: ["search"], query: { ...query, q } }, { replace: true });
  };
  return (
    <ListColumn
      title={words.searchTitle}
      actions={
        <IconButton icon="left" label={words.back} onClick={() => navigate({ screen: "library", path: ["all"] })} />
      }
      search={
        <SearchField
          label={words.search}
          value={text}
          onChange={change}
          autoFocus
          count={search.data ? count(hits.length) : undefined}
        />
      }
      footer={hits.length > 0 ? <p className="f12 faint library-found">{words.foundBy}</p> : undefined}
    >
      <div className="row library-picks">
        <Menu
          align="start"
          trigger={
            <Button kind="quiet" size="s" icon="folder">
              {collections.find((entry) => entry.id === collectionId)?.name ?? words.anyCollection}
            </Button>
          }
          groups={[
            {
              items: [{ label: words.anyCollection, checked: collectionId === null, run: () => setCollectionId(null) }],
            },
            {
              items: collections.map((entry) => ({
                label: entry.name,
                checked: entry.id === collectionId,
                run: () => setCollectionId(entry.id),
              })),
            },
          ]}
        />
        <Menu
          align="start"
          trigger={
            <Button kind="quiet" size="s">
              {types.find((entry) => entry.format === format)?.label ?? words.anyType}
            </Button>
          }
          groups={[
            { items: [{ label: words.anyType, checked: format === null, run: () => setFormat(null) }] },
            {
              items: types.map((entry) => ({
                label: entry.label,
                checked: entry.format === format,
                run: () => setFormat(entry.format),
              })),
            },
          ]}
        />
      </div>
      {text.trim() === "" ? (
        <p className="dim library-hint">{words.searchStart}</p>
      ) : search.problem ? (
        <ErrorState title={words.searchFailed} problem={search.problem} onRetry={search.reload} />
      ) : search.loading && hits.length === 0 ? (
        <Skeleton lines={6} />
      ) : hits.length === 0 ? (
        <EmptyState title={words.searchEmpty(text.trim())}>{words.searchEmptyBody}</EmptyState>
      ) : (
        <Hits hits={hits} q={text} current={query["passage"] ?? null} />
      )}
    </ListColumn>
  );
}

function Hits({
  hits,
  q,
  current,
}: {
  readonly hits: readonly LibraryHit[];
  readonly q: string;
  readonly current: string | null;
}) {
  const documents = new Map<string, LibraryHit[]>();
  for (const hit of hits) documents.set(hit.documentId, [...(documents.get(hit.documentId) ?? []), hit]);
  return [...documents.values()].map((group) => (
    <section key={group[0]!.documentId} aria-label={group[0]!.documentName}>
      <h2 className="row f12 library-hit-title">
        <span className="m cut grow">{group[0]!.documentName}</span>
        <span className="faint num nowrap">{count(group.length)}</span>
      </h2>
      {group.map((hit) => {
        const part = around(hit);
        return (
          <a
            key={hit.passageId}
            className="library-hit"
            href={formatRoute({ screen: "library", path: ["search"], query: { q, passage: hit.passageId } })}
            aria-current={hit.passageId === current ? "true" : undefined}
          >
            <span className="f12 faint num">{hit.place}</span>
            <p className="src">
              <Marked text={part.text} mark={part.mark} />
            </p>
          </a>
        );
      })}
    </section>
  ));
}

const shown = 190;

/** The stretch of a passage around what matches, on one line. */
function around(hit: LibraryHit): { text: string; mark: [number, number] | null } {
  const [from, to] = hit.mark ?? [0, 0];
  const start = hit.text.length <= shown ? 0 : Math.max(0, Math.min(from - 30, hit.text.length - shown));
  const before = start > 0 ? "…" : "";
  const text = hit.text.slice(start, start + shown).replace(/\s/g, " ");
  const after = start + shown < hit.text.length ? "…" : "";
  if (!hit.mark) return { text: before + text + after, mark: null };
  const at = from - start + before.length;
  return { text: before + text + after, mark: [at, Math.min(before.length + text.length, at + to - from)] };
}

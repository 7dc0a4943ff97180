// biome-ignore-all lint/a11y/useSemanticElements: a virtual list cannot be a table element; rows and cells carry the roles
// biome-ignore-all lint/a11y/useFocusableInteractive: the name inside a row is the button that takes the focus
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys act on the selection through the sheet's shortcuts
import type { MouseEvent, ReactNode } from "react";
import type { LibraryDocument } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { Icon, type IconName } from "../../components/Icon.tsx";
import { Meter } from "../../components/Meter.tsx";
import { Switch } from "../../components/Switch.tsx";
import { bytes, count } from "../../format/numbers.ts";
import { library as words } from "../../words/library.ts";

const columns = ["name", "state", "pages", "passages", "size", "moves"] as const;

export function DocumentHead() {
  return (
    <div className="library-row library-head" role="row">
      {columns.map((column) => (
        <span key={column} role="columnheader" className={/pages|passages|size/.test(column) ? "r" : undefined}>
          {words.columns[column]}
        </span>
      ))}
    </div>
  );
}

/** The table of documents: head, and rows that exist only while in view. */
export function DocumentTable({ count: rows, children }: { readonly count: number; readonly children: ReactNode }) {
  return (
    <div className="library-table" role="table" aria-label={words.all} aria-rowcount={rows}>
      <DocumentHead />
      {children}
    </div>
  );
}

export interface DocumentRowProps {
  readonly document: LibraryDocument;
  readonly selected: boolean;
  readonly onSelect: (event: MouseEvent) => void;
  readonly onOpen: () => void;
  readonly onUnlock: () => void;
  readonly onRetry: () => void;
  readonly onOcr: () => void;
  readonly onMayMove: (value: boolean) => void;
}

export function DocumentRow({
  document,
  selected,
  onSelect,
  onOpen,
  onUnlock,
  onRetry,
  onOcr,
  onMayMove,
}: DocumentRowProps) {
  const ready = document.state === "ready";
  return (
    <div
      className="library-row"
      role="row"
      aria-selected={selected}
      onClick={onSelect}
      onDoubleClick={ready ? onOpen : undefined}
    >
      <span role="cell" className="row library-name">
        <Icon name={iconOf(document.format, document.name)} />
        {ready ? (
          <button type="button" className="library-open cut m" onClick={onOpen} title={document.name}>
            {document.name}
          </button>
        ) : (
          <span className="cut" title={document.name}>
            {document.name}
          </span>
        )}
      </span>
      <span role="cell" className="library-state">
        <State document={document} onUnlock={onUnlock} onRetry={onRetry} onOcr={onOcr} />
      </span>
      <span role="cell" className="r num dim">
        {document.pages === null ? "" : count(document.pages)}
      </span>
      <span role="cell" className="r num dim">
        {document.passages === 0 ? "" : count(document.passages)}
      </span>
      <span role="cell" className="r num dim">
        {bytes(document.bytes)}
      </span>
      <span role="cell">
        {ready && (
          <Switch label={`${words.mayMove}: ${document.name}`} checked={document.mayMoveBeliefs} onChange={onMayMove} />
        )}
      </span>
    </div>
  );
}

const stateIcons = {
  waiting: "clock",
  reading: "clock",
  ready: "check",
  failed: "alert",
  paused: "pause",
  cancelled: "x",
  duplicate: "copy",
} as const satisfies Record<LibraryDocument["state"], IconName>;

function State({
  document,
  onUnlock,
  onRetry,
  onOcr,
}: Pick<DocumentRowProps, "document" | "onUnlock" | "onRetry" | "onOcr">) {
  const { state, note, action, progress } = document;
  if (state === "reading" && progress && progress.total > 0) {
    const label = words.readingPart(progress.unit, count(progress.done), count(progress.total));
    return (
      <span className="library-progress">
        <span className="f12 num dim cut">{label}</span>
        <Meter value={progress.done / progress.total} label={label} />
      </span>
    );
  }
  const locked = action === "unlock";
  const bad = state === "failed" && !locked;
  const text = locked ? words.locked : state === "ready" ? (note ?? words.states.ready) : (note ?? words.states[state]);
  const icon = locked ? "key" : state === "ready" && note ? (action === "ocr" ? "scan" : "info") : stateIcons[state];
  return (
    <span className="row library-note">
      <span className={`row cut ${bad ? "bad" : locked || note ? "" : "faint"}`} title={note ?? undefined}>
        <Icon name={icon} size="s" />
        <span className="cut">{text}</span>
      </span>
      {locked && (
        <Button size="s" onClick={onUnlock}>
          {words.unlock}
        </Button>
      )}
      {action === "ocr" && (
        <Button size="s" onClick={onOcr}>
          {words.ocr}
        </Button>
      )}
      {action === "retry" && (
        <Button size="s" onClick={onRetry}>
          {words.retry}
        </Button>
      )}
    </span>
  );
}

function iconOf(format: string | null, name: string): IconName {
  const kind = format ?? name.split(".").at(-1)?.toLowerCase() ?? "";
  if (/^(?:xlsx|ods|csv|tsv)$/.test(kind)) return "table";
  if (/^(?:eml|mbox)$/.test(kind)) return "mail";
  return kind === "zip" ? "folder" : "file";
}

import { useMemo, useRef, useState } from "react";
import { Button } from "../../components/Button.tsx";
import { SearchField } from "../../components/Field.tsx";
import { Marked } from "../../components/Marked.tsx";
import { ErrorState, Skeleton } from "../../components/States.tsx";
import { toast } from "../../components/toasts.ts";
import { VirtualList, type VListHandle } from "../../components/VirtualList.tsx";
import { copyText } from "../../hooks/copyText.ts";
import { act } from "../../hooks/useAction.ts";
import { inspector as words } from "../../words/inspector.ts";
import { shared } from "../../words/shared.ts";
import { readable } from "./readable.ts";
import { useArtifact } from "./useArtifact.ts";

export interface ArtifactViewProps {
  readonly turnId: string;
  readonly artifactId: string;
  readonly title: string;
}

/** The whole text with line numbers; long ones are read as one scrolls. */
export function ArtifactView({ turnId, artifactId, title }: ArtifactViewProps) {
  const artifact = useArtifact(turnId, artifactId);
  const [find, setFind] = useState<string | null>(null);
  const list = useRef<VListHandle>(null);
  const lines = useMemo(
    () => readable(artifact.text, artifact.complete).split("\n"),
    [artifact.text, artifact.complete],
  );
  const rows = useMemo(() => lines.map((text, index) => ({ number: index + 1, text })), [lines]);
  const needle = find?.trim().toLowerCase() ?? "";
  const jump = async (text: string) => {
    setFind(text);
    if (text.trim() === "") return;
    const whole = readable(await artifact.all(), true).split("\n");
    const at = whole.findIndex((line) => line.toLowerCase().includes(text.trim().toLowerCase()));
    if (at !== -1) requestAnimationFrame(() => list.current?.scrollToIndex(at, { align: "center" }));
  };
  const save = async () => {
    const saved = await act("shell.saveText", { fileName: `${artifactId}.txt`, text: await artifact.all() });
    if (saved?.value.path) toast({ text: words.saved });
  };
  return (
    <div className="artifact">
      <header className="row">
        <span className="lab">{title}</span>
        {!artifact.loading && !artifact.problem && (
          <span className="f12 faint num cut">
            {words.size(lines.length, artifact.text.length, artifact.complete, artifact.totalChars)}
          </span>
        )}
        <span className="grow" />
        {find !== null && <SearchField autoFocus label={words.findIn} value={find} onChange={jump} />}
        <Button
          kind="quiet"
          size="s"
          icon="search"
          aria-pressed={find !== null}
          onClick={() => setFind(find === null ? "" : null)}
        >
          {words.find}
        </Button>
        <Button
          kind="quiet"
          size="s"
          icon="copy"
          onClick={async () => (await copyText(await artifact.all())) && toast({ text: shared.copied })}
        >
          {shared.copy}
        </Button>
        <Button kind="quiet" size="s" icon="export" onClick={save}>
          {words.saveAs}
        </Button>
      </header>
      {artifact.problem && artifact.text === "" ? (
        <div className="blk">
          <ErrorState title={words.outputGone} problem={artifact.problem} onRetry={artifact.more} />
        </div>
      ) : artifact.loading ? (
        <Skeleton lines={6} />
      ) : (
        <VirtualList
          handle={list}
          className="out"
          focusable
          label={title}
          items={rows}
          itemKey={(row) => String(row.number)}
          onNearEnd={artifact.more}
          render={(row) => (
            <div className="ln">
              <span className="no" aria-hidden="true">
                {row.number}
              </span>
              <code>
                <Marked text={row.text || " "} mark={markOf(row.text, needle)} />
              </code>
            </div>
          )}
        />
      )}
    </div>
  );
}

function markOf(text: string, needle: string): [number, number] | null {
  const at = needle === "" ? -1 : text.toLowerCase().indexOf(needle);
  return at === -1 ? null : [at, at + needle.length];
}

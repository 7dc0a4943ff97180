import { useEffect, useRef, useState } from "react";
import type { LibraryDocument, Result } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { ErrorState, Skeleton } from "../../components/States.tsx";
import { library as words } from "../../words/library.ts";
import { useTextPart } from "./useLibrary.ts";

export interface TextViewProps {
  readonly document: LibraryDocument;
  readonly passage: Result<"library.passage">["passage"] | null;
}

const windowChars = 40_000;

/** The extracted text around the passage; a long document is shown in part, and more on demand. */
export function TextView({ document, passage }: TextViewProps) {
  const [start, setStart] = useState(passage ? Math.max(0, passage.start - windowChars / 2) : 0);
  const part = useTextPart(document.id, start, windowChars);
  const mark = useRef<HTMLElement>(null);
  const { data } = part;
  useEffect(() => {
    if (data) mark.current?.scrollIntoView({ block: "center" });
  }, [data]);
  if (part.problem) return <ErrorState title={words.viewerFailed} problem={part.problem} onRetry={part.reload} />;
  if (!data) return <Skeleton lines={12} />;
  if (data.total === 0) return <p className="dim library-hint">{words.noText}</p>;
  const end = data.start + data.text.length;
  const from = passage ? Math.max(0, passage.start - data.start) : 0;
  const to = passage ? Math.max(from, Math.min(data.text.length, passage.end - data.start)) : 0;
  return (
    <article className="library-text src">
      {data.start > 0 && (
        <Button kind="quiet" icon="up" onClick={() => setStart(Math.max(0, data.start - windowChars))}>
          {words.earlier}
        </Button>
      )}
      <div className="library-words">
        {data.text.slice(0, from)}
        {to > from && <mark ref={mark}>{data.text.slice(from, to)}</mark>}
        {data.text.slice(to)}
      </div>
      {end < data.total && (
        <Button kind="quiet" icon="down" onClick={() => setStart(end)}>
          {words.later}
        </Button>
      )}
    </article>
  );
}

import { useEffect, useRef } from "react";
import type { LibraryDocument } from "../../../core/contract/index.ts";
import { ErrorState, Skeleton } from "../../components/States.tsx";
import { count } from "../../format/numbers.ts";
import { library as words } from "../../words/library.ts";
import { usePageImage } from "./useLibrary.ts";

export interface PageViewProps {
  readonly document: LibraryDocument;
  readonly page: number;
  readonly zoom: number;
  readonly highlight: string | null;
}

const baseWidth = 560;
/** Drawn finer than shown, so that it stays sharp on dense screens and when enlarged. */
const density = 2;

/** One page of the original as a picture, drawn in the parser process, with the passage marked on it. */
export function PageView({ document, page, zoom, highlight }: PageViewProps) {
  const drawn = usePageImage(document.id, page, baseWidth * density, highlight);
  const first = useRef<HTMLSpanElement>(null);
  const { data } = drawn;
  useEffect(() => {
    if (data) first.current?.scrollIntoView({ block: "center" });
  }, [data]);
  if (drawn.problem) return <ErrorState title={words.pageFailed} problem={drawn.problem} onRetry={drawn.reload} />;
  if (!data) return <Skeleton lines={12} />;
  const width = baseWidth * zoom;
  return (
    <div className="library-page" style={{ width, height: (width * data.height) / data.width }}>
      <img src={data.image} alt={words.pageOf(count(page), count(document.pages ?? page))} draggable={false} />
      {data.marks.map(([x, y, w, h], i) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: marks have no identity beyond their place
          key={i}
          ref={i === 0 ? first : undefined}
          className="library-mark"
          style={{ left: `${x * 100}%`, top: `${y * 100}%`, width: `${w * 100}%`, height: `${h * 100}%` }}
        />
      ))}
    </div>
  );
}

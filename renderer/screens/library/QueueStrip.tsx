import type { LibraryQueue } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { Meter } from "../../components/Meter.tsx";
import { count, duration } from "../../format/numbers.ts";
import { library as words } from "../../words/library.ts";

export interface QueueStripProps {
  readonly queue: LibraryQueue;
  readonly needYou: number;
  readonly onPause: () => void;
  readonly onResume: () => void;
  readonly onCancel: () => void;
}

/** One line for the whole queue while files are read or paused; nothing otherwise. */
export function QueueStrip({ queue, needYou, onPause, onResume, onCancel }: QueueStripProps) {
  const busy = queue.waiting + queue.reading > 0 || queue.scanning;
  if (!busy && queue.paused === 0) return null;
  const head = !busy
    ? words.pausedFiles(count(queue.paused))
    : queue.total === 0
      ? words.finding
      : words.reading(count(queue.done), count(queue.total));
  const notes = [
    busy && queue.remainingMs !== null ? words.left(duration(queue.remainingMs)) : "",
    needYou > 0 ? words.needYouCount(count(needYou)) : "",
  ].filter(Boolean);
  return (
    <div className="library-queue" role="status">
      <span className="num cut">
        <b className="m">{head}</b>
        {notes.length > 0 && <span className="faint"> · {notes.join(" · ")}</span>}
      </span>
      <Meter value={queue.total === 0 ? 0 : queue.done / queue.total} label={head} />
      <span className="row">
        {busy ? (
          <Button kind="quiet" icon="pause" onClick={onPause}>
            {words.pause}
          </Button>
        ) : (
          <Button kind="quiet" icon="play" onClick={onResume}>
            {words.resume}
          </Button>
        )}
        <Button kind="quiet" onClick={onCancel}>
          {words.cancel}
        </Button>
      </span>
    </div>
  );
}

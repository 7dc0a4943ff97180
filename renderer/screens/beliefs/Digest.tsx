import { useState } from "react";
import { Button } from "../../components/Button.tsx";
import { CredenceScale } from "../../components/CredenceScale.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { signed } from "../../format/numbers.ts";
import { formatRoute } from "../../hooks/useRoute.ts";
import { beliefs as words } from "../../words/beliefs.ts";
import { shared } from "../../words/shared.ts";
import { useDigest } from "./useBeliefs.ts";

/** Midnight at the beginning of yesterday, in the system's time zone. */
export function yesterday(now: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - 1).getTime();
}

/** One line: what changed since yesterday and what did it; the changes themselves on demand. */
export function Digest() {
  const [since] = useState(() => yesterday(Date.now()));
  const [open, setOpen] = useState(false);
  const digest = useDigest(since);
  const data = digest.data;
  if (!data) return null;
  return (
    <div className="row dig">
      <span className="grow cut">
        <b className="m">{words.sinceYesterday}</b> <span className="dim">{data.words}</span>
      </span>
      {data.moved.length > 0 && (
        <Button kind="quiet" size="s" onClick={() => setOpen(true)}>
          {words.showChanges}
        </Button>
      )}
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={words.sinceYesterday.replace(/:$/, "")}
        description={data.words}
        width={560}
        footer={<Button onClick={() => setOpen(false)}>{shared.close}</Button>}
      >
        <ul className="moved">
          {data.moved.map(({ belief, from }) => (
            <li key={belief.id} className="row">
              <a
                className="grow cut"
                href={formatRoute({ screen: "beliefs", path: [belief.id] })}
                onClick={() => setOpen(false)}
              >
                {belief.statement}
              </a>
              <CredenceScale value={belief.valence} before={from} uncertainty={belief.uncertainty} width={120} />
              <span className="num f12 nowrap">
                {from === null ? "" : `${signed(from)} → `}
                <b className="b">{signed(belief.valence)}</b>
              </span>
            </li>
          ))}
        </ul>
      </Dialog>
    </div>
  );
}

import type { LedgerEntry, PurposeState } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { bytes } from "../../format/numbers.ts";
import { dayHeading, hourMinute } from "../../format/times.ts";
import { useNow } from "../../hooks/useNow.ts";
import { privacy as words } from "../../words/privacy.ts";

export interface LedgerProps {
  readonly entries: readonly LedgerEntry[];
  readonly purposes: readonly PurposeState[];
  readonly onMore: (() => void) | null;
}

/** Requests by day, each with where it went, what for, and how much. */
export function Ledger({ entries, purposes, onMore }: LedgerProps) {
  const now = useNow(60_000);
  const days = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const day = dayHeading(entry.at, now);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  const { columns } = words;
  return (
    <div className="scroll">
      <table className="tbl ledger" aria-label={words.requests}>
        <colgroup>
          <col className="c-time" />
          <col className="c-host" />
          <col className="c-purpose" />
          <col />
          <col className="c-by" />
          <col className="c-bytes" />
          <col className="c-bytes" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{columns.time}</th>
            <th scope="col">{columns.to}</th>
            <th scope="col">{columns.purpose}</th>
            <th scope="col">{columns.what}</th>
            <th scope="col">{columns.by}</th>
            <th scope="col" className="r">
              {columns.sent}
            </th>
            <th scope="col" className="r">
              {columns.received}
            </th>
          </tr>
        </thead>
        {[...days].map(([day, rows]) => (
          <tbody key={day}>
            <tr className="day">
              <th scope="rowgroup" colSpan={7}>
                {day}
              </th>
            </tr>
            {rows.map((entry) => (
              <tr key={entry.id}>
                <td className="num faint">{hourMinute(entry.at)}</td>
                <td className="mono" title={entry.host}>
                  {entry.host}
                </td>
                <td>{purposes.find((purpose) => purpose.purpose === entry.purpose)?.title ?? entry.purpose}</td>
                <td className={entry.outcome === "refused" ? "bad" : "dim"} title={entry.what}>
                  {entry.outcome === "refused" ? words.refused(entry.what) : entry.what}
                </td>
                <td className="dim">{entry.agreedBy}</td>
                <td className="r num">{bytes(entry.bytesUp)}</td>
                <td className="r num faint">{bytes(entry.bytesDown)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {onMore && (
        <Button kind="quiet" size="s" className="more" onClick={onMore}>
          {words.older}
        </Button>
      )}
    </div>
  );
}

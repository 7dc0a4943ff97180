import { useState } from "react";
import type { EgressPurpose, LedgerEntry } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { Screen } from "../../components/Frame.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Menu } from "../../components/Menu.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/States.tsx";
import { bytes, count } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { privacy as words } from "../../words/privacy.ts";
import { Ledger } from "./Ledger.tsx";
import { Purposes } from "./Purposes.tsx";
import { useLedger, usePrivacy } from "./usePrivacy.ts";
import "./privacy.css";

/** What has left this machine, when, for what and by whose leave; and the switches for it. */
export function PrivacyScreen() {
  const overview = usePrivacy();
  const [purpose, setPurpose] = useState<EgressPurpose | null>(null);
  const ledger = useLedger(purpose);
  const data = overview.data;
  return (
    <Screen>
      <main className="main" data-region="sheet" tabIndex={-1}>
        {overview.problem ? (
          <div className="centred">
            <ErrorState title={words.failed} problem={overview.problem} onRetry={overview.reload} />
          </div>
        ) : !data ? (
          <Skeleton lines={6} />
        ) : (
          <>
            <header className="privacy-head">
              <div>
                <h1>{data.headline}</h1>
                <p className="dim">{data.detail}</p>
              </div>
              <div className="privacy-cut">
                <Button size="l" icon="plug" onClick={() => void act("privacy.cut", { cut: !data.cut })}>
                  {data.cut ? words.restore : words.cut}
                </Button>
                <p className="f12 faint">{data.cut ? words.isCut : words.cutNote}</p>
              </div>
            </header>
            <div className="body">
              <section className="privacy-ledger" aria-label={words.requests}>
                <div className="privacy-bar">
                  <b className="m">{words.requests}</b>
                  <span className="f12 faint num cut">
                    {words.totals(count(data.requestsEver), bytes(data.bytesDown), bytes(data.bytesUp))}
                  </span>
                  <span className="grow" />
                  <Menu
                    trigger={
                      <Button kind="quiet" size="s">
                        {data.purposes.find((one) => one.purpose === purpose)?.title ?? words.allPurposes}
                        <Icon name="down" size="s" />
                      </Button>
                    }
                    groups={[
                      { items: [{ label: words.allPurposes, checked: purpose === null, run: () => setPurpose(null) }] },
                      {
                        items: data.purposes.map((one) => ({
                          label: one.title,
                          checked: one.purpose === purpose,
                          run: () => setPurpose(one.purpose),
                        })),
                      },
                    ]}
                  />
                  <Button
                    kind="quiet"
                    size="s"
                    icon="export"
                    disabled={ledger.entries.length === 0}
                    onClick={() => void exportLedger(ledger.entries)}
                  >
                    {words.export}
                  </Button>
                </div>
                {ledger.problem ? (
                  <ErrorState title={words.failed} problem={ledger.problem} onRetry={ledger.reload} />
                ) : ledger.loading ? (
                  <Skeleton lines={6} />
                ) : ledger.entries.length === 0 ? (
                  <div className="privacy-none">
                    <EmptyState icon="privacy" title={purpose === null ? words.none : words.noneOfPurpose}>
                      {words.noneBody}
                    </EmptyState>
                  </div>
                ) : (
                  <Ledger
                    entries={ledger.entries}
                    purposes={data.purposes}
                    onMore={ledger.hasOlder ? ledger.more : null}
                  />
                )}
              </section>
              <Purposes purposes={data.purposes} />
            </div>
          </>
        )}
      </main>
    </Screen>
  );
}

/** The rows that are shown, as comma-separated values. */
async function exportLedger(entries: readonly LedgerEntry[]): Promise<void> {
  const cell = (value: unknown) => `"${String(value ?? "").replaceAll('"', '""')}"`;
  const rows = entries.map((entry) =>
    [
      new Date(entry.at).toISOString(),
      entry.host,
      entry.title,
      entry.what,
      entry.agreedBy,
      entry.outcome,
      entry.status,
      entry.bytesUp,
      entry.bytesDown,
    ]
      .map(cell)
      .join(","),
  );
  const text = [`time,host,purpose,what,agreed by,outcome,status,bytes sent,bytes received`, ...rows, ""].join("\r\n");
  await act("shell.saveText", { fileName: "credence-requests.csv", text });
}

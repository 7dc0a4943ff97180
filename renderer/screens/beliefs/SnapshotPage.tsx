import { useState } from "react";
import type { Snapshot } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { Sheet } from "../../components/Frame.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/States.tsx";
import { count } from "../../format/numbers.ts";
import { fullTime } from "../../format/times.ts";
import { act } from "../../hooks/useAction.ts";
import { useNow } from "../../hooks/useNow.ts";
import { beliefs as words } from "../../words/beliefs.ts";
import { compare, type Piece, paragraphs } from "./snapshotDiff.ts";
import { useSnapshots } from "./useBeliefs.ts";

/** What Credence thinks as a whole, its versions, and what each changed. */
export function SnapshotPage() {
  const snapshots = useSnapshots();
  const now = useNow(60_000);
  const [chosen, setChosen] = useState<number | null>(null);
  const [show, setShow] = useState<"changes" | "text">("changes");
  const versions = snapshots.data?.versions ?? [];
  const kept = versions.filter((each) => each.version !== null);
  const newest = kept[0] ?? null;
  const current = kept.find((each) => each.version === chosen) ?? newest;
  const before = current ? (kept[kept.indexOf(current) + 1] ?? null) : null;
  const set = (version: number) => void act("beliefs.useSnapshot", { version }).then(() => setChosen(null));
  const older = current !== newest ? current : before;
  return (
    <Sheet
      title={words.snapshot}
      meta={current && words.snapshotMeta(count(current.tokens))}
      actions={
        current && (
          <>
            <Segmented
              label={words.showing}
              value={show}
              onChange={setShow}
              options={[
                { value: "changes", label: words.changes },
                { value: "text", label: words.text },
              ]}
            />
            {older ? (
              <Button icon="undo" onClick={() => set(older.version!)}>
                {words.returnTo(older.version!)}
              </Button>
            ) : (
              <Button icon="refresh" onClick={() => void act("beliefs.rewriteSnapshot", {}).then(snapshots.reload)}>
                {words.rewrite}
              </Button>
            )}
          </>
        )
      }
    >
      {snapshots.problem && !snapshots.data ? (
        <div className="centred grow">
          <ErrorState title={words.snapshotFailed} problem={snapshots.problem} onRetry={snapshots.reload} />
        </div>
      ) : !snapshots.data ? (
        <div className="grow">
          <Skeleton lines={6} />
        </div>
      ) : !current ? (
        <div className="centred grow">
          <EmptyState icon="file" title={words.noSnapshot}>
            {words.noSnapshotDetail}
          </EmptyState>
        </div>
      ) : (
        <>
          <section className="pane grow">
            <div className="scroll grow">
              <Text current={current} before={show === "changes" ? before : null} />
            </div>
          </section>
          <aside className="pane bl verpane" aria-label={words.versions}>
            <h2 className="lab">{words.versions}</h2>
            <ul className="scroll grow">
              {versions.map((each) => (
                <li key={`${each.version ?? "refused"}-${each.at}`}>
                  <Version version={each} current={each === current} now={now} onChoose={setChosen} />
                </li>
              ))}
            </ul>
            <p className="f12 dim foot">{words.guards}</p>
          </aside>
        </>
      )}
    </Sheet>
  );
}

function Text({ current, before }: { readonly current: Snapshot; readonly before: Snapshot | null }) {
  const list = before ? paragraphs(compare(before.text, current.text)) : plainParagraphs(current.text);
  return (
    <article className="sn">
      <h3>
        {before ? words.versionCompared(current.version!, before.version!) : words.versionAlone(current.version!)}
      </h3>
      {list.map((pieces) => (
        <p key={pieces.map(({ kind, text }) => kind + text).join("")}>{pieces.map(markUp)}</p>
      ))}
    </article>
  );
}

function plainParagraphs(text: string): Piece[][] {
  return text.split(/\n{2,}/).map((paragraph) => [{ kind: "same", text: paragraph }]);
}

function markUp({ kind, text }: Piece) {
  const key = kind + text;
  if (kind === "added") return <ins key={key}>{text}</ins>;
  if (kind === "removed") return <del key={key}>{text}</del>;
  return <span key={key}>{text}</span>;
}

function Version(props: {
  readonly version: Snapshot;
  readonly current: boolean;
  readonly now: number;
  readonly onChoose: (version: number) => void;
}) {
  const { version, current } = props;
  const inner = (
    <>
      <b className="num">{version.version ?? "—"}</b>
      <span className="grow">
        <span className={version.version === null ? "dim line" : "line"}>{fullTime(version.at, props.now)}</span>
        <span className="f12 faint line">{version.change}</span>
      </span>
    </>
  );
  if (version.version === null) return <div className="vr">{inner}</div>;
  return (
    <button
      type="button"
      className={current ? "vr on" : "vr"}
      aria-current={current ? "true" : undefined}
      onClick={() => props.onChoose(version.version!)}
    >
      {inner}
    </button>
  );
}

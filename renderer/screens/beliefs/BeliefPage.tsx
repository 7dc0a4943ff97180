import { useState } from "react";
import type { BeliefRevision, BeliefSummary } from "../../../core/contract/index.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { CredenceScale, side } from "../../components/CredenceScale.tsx";
import { Sheet } from "../../components/Frame.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Menu } from "../../components/Menu.tsx";
import { Banner, ErrorState, Skeleton } from "../../components/States.tsx";
import { signed } from "../../format/numbers.ts";
import { fullTime } from "../../format/times.ts";
import { act } from "../../hooks/useAction.ts";
import { useNow } from "../../hooks/useNow.ts";
import { navigate } from "../../hooks/useRoute.ts";
import { useShortcut } from "../../keyboard/useShortcut.ts";
import { standing, beliefs as words } from "../../words/beliefs.ts";
import { AddEvidence } from "./AddEvidence.tsx";
import { tones } from "./BeliefRow.tsx";
import { DeleteDialog, DisputeDialog, EditDialog, Settling } from "./Dialogs.tsx";
import { EvidencePanel } from "./EvidencePanel.tsx";
import { History } from "./History.tsx";
import { RevisionRow } from "./RevisionRow.tsx";
import { UndoDialog } from "./UndoDialog.tsx";
import { useBelief } from "./useBeliefs.ts";

type Opened = "dispute" | "edit" | "delete" | "add" | null;

/** One belief: where it stands, how it came there, on what, and everything one may do about it. */
export function BeliefPage({ id }: { readonly id: string }) {
  const detail = useBelief(id);
  const now = useNow(60_000);
  const [opened, setOpened] = useState<Opened>(null);
  const [open, setOpen] = useState<string | null>(null);
  const [undoing, setUndoing] = useState<BeliefRevision | null>(null);
  const back = () => navigate({ screen: "beliefs" });
  const data = detail.data;
  const newest = data?.revisions.find((row) => row.arithmetic && !row.undone) ?? null;
  const shown = open ?? newest?.id ?? null;
  useShortcut({ keys: "escape", run: back, disabled: opened !== null || undoing !== null });
  useShortcut({ keys: "mod+z", run: () => newest && setUndoing(newest), disabled: newest === null });
  if (detail.problem && (!data || detail.problem.kind === "general.not-found")) {
    return (
      <Sheet title={words.title} before={<Back onBack={back} />}>
        <div className="centred grow">
          <ErrorState title={words.beliefFailed} problem={detail.problem} onRetry={detail.reload} />
        </div>
      </Sheet>
    );
  }
  if (!data) {
    return (
      <Sheet title={words.title} before={<Back onBack={back} />}>
        <div className="grow">
          <Skeleton lines={6} what={words.reading} />
        </div>
      </Sheet>
    );
  }
  const { belief, revisions } = data;
  const steps = revisions.filter((row) => row.kind === "evidence" && !row.undone).length;
  const refusals = revisions.filter((row) => row.kind === "refused").length;
  const topic = belief.topic.replaceAll("-", " ");
  return (
    <Sheet
      before={<Back onBack={back} />}
      title={<span className="faint cut">{topic.charAt(0).toUpperCase() + topic.slice(1)}</span>}
      actions={<Actions belief={belief} onOpen={setOpened} />}
      banner={
        data.dispute && (
          <Banner
            line
            icon="flag"
            title={words.disputedSince(fullTime(data.dispute.at, now))}
            action={
              <Button size="s" onClick={() => void act("beliefs.settle", { id })}>
                {words.settle}
              </Button>
            }
          >
            {data.dispute.reason}
          </Banner>
        )
      }
    >
      <section className="pane grow">
        <div className="scroll grow">
          <Heading belief={belief} />
          {data.dispute && (
            <div className="settling">
              <Settling by={data.settledBy} />
            </div>
          )}
          <History revisions={revisions} now={now} />
          <h2 className="lab revhead">
            {words.revisions} <span className="faint">{words.revisionsMeta(steps, refusals)}</span>
          </h2>
          <ul>
            {revisions.map((row) => (
              <RevisionRow
                key={row.id}
                row={row}
                now={now}
                open={shown === row.id}
                onToggle={() => setOpen(shown === row.id ? "" : row.id)}
                onUndo={setUndoing}
              />
            ))}
          </ul>
        </div>
      </section>
      <EvidencePanel evidence={data.evidence} now={now} onAdd={() => setOpened("add")} />
      {opened === "dispute" && (
        <DisputeDialog belief={belief} settledBy={data.settledBy} onClose={() => setOpened(null)} />
      )}
      {opened === "edit" && <EditDialog belief={belief} onClose={() => setOpened(null)} />}
      {opened === "delete" && <DeleteDialog belief={belief} onClose={() => setOpened(null)} />}
      {opened === "add" && <AddEvidence beliefId={id} onClose={() => setOpened(null)} />}
      {undoing && <UndoDialog row={undoing} onClose={() => setUndoing(null)} />}
    </Sheet>
  );
}

function Back({ onBack }: { readonly onBack: () => void }) {
  return <IconButton icon="left" label={words.back} keys="escape" onClick={onBack} />;
}

function Heading({ belief }: { readonly belief: BeliefSummary }) {
  const tone = tones[side(belief.valence)];
  return (
    <header className="bp">
      <h1>{belief.statement}</h1>
      <div className="kv num">
        <div>
          <CredenceScale
            value={belief.valence}
            uncertainty={belief.uncertainty}
            before={belief.before !== null && belief.before !== belief.valence ? belief.before : null}
            width={212}
            height={24}
          />
          <span className="ends">
            <span>{words.false}</span>
            <span>{words.true}</span>
          </span>
        </div>
        <Figure value={signed(belief.valence)} name={standing(belief)} tone={tone} />
        <Figure
          value={belief.confidence.toFixed(2)}
          name={
            belief.fading ? `${words.confidence}, fading from ${belief.fullConfidence.toFixed(2)}` : words.confidence
          }
        />
        <Figure value={`± ${belief.uncertainty.toFixed(2)}`} name={words.uncertainty} />
        <Figure value={`${belief.supports} / ${belief.contradicts}`} name={words.forAgainst} />
      </div>
    </header>
  );
}

function Figure({ value, name, tone = "" }: { readonly value: string; readonly name: string; readonly tone?: string }) {
  return (
    <div>
      <b className={tone}>{value}</b>
      <span>{name}</span>
    </div>
  );
}

function Actions({ belief, onOpen }: { readonly belief: BeliefSummary; readonly onOpen: (what: Opened) => void }) {
  const { id } = belief;
  return (
    <>
      {belief.disputed ? (
        <Button kind="quiet" icon="flag" onClick={() => void act("beliefs.settle", { id })}>
          {words.settle}
        </Button>
      ) : (
        <Button kind="quiet" icon="flag" onClick={() => onOpen("dispute")}>
          {words.dispute}
        </Button>
      )}
      <Button
        kind="quiet"
        icon="pin"
        aria-pressed={belief.pinned}
        onClick={() => void act("beliefs.pin", { id, pinned: !belief.pinned })}
      >
        {belief.pinned ? words.unpin : words.pin}
      </Button>
      <Button kind="quiet" icon="edit" onClick={() => onOpen("edit")}>
        {words.edit}
      </Button>
      <Menu
        trigger={
          <button type="button" className="btn ico quiet" aria-label={words.more}>
            <Icon name="more" />
          </button>
        }
        groups={[
          {
            items: [
              {
                label: words.keep,
                icon: "refresh",
                note: words.keepNote,
                disabled: !belief.fading,
                run: () => void act("beliefs.renew", { id }),
              },
            ],
          },
          { items: [{ label: words.remove, icon: "trash", danger: true, run: () => onOpen("delete") }] },
        ]}
      />
    </>
  );
}

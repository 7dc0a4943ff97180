import { useState } from "react";
import type { BeliefRevision } from "../../../core/contract/index.ts";
import { Sheet } from "../../components/Frame.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/States.tsx";
import { VirtualList } from "../../components/VirtualList.tsx";
import { count } from "../../format/numbers.ts";
import { useNow } from "../../hooks/useNow.ts";
import { beliefs as words } from "../../words/beliefs.ts";
import { RevisionRow } from "./RevisionRow.tsx";
import { UndoDialog } from "./UndoDialog.tsx";
import { useLog } from "./useBeliefs.ts";

const PAGE = 100;
const MOST = 500;

/** Every change of every belief, newest first. */
export function LogPage() {
  const [limit, setLimit] = useState(PAGE);
  const log = useLog(limit);
  const now = useNow(60_000);
  const [open, setOpen] = useState<string | null>(null);
  const [undoing, setUndoing] = useState<BeliefRevision | null>(null);
  return (
    <Sheet title={words.allRevisions} meta={log.data && words.logMeta(count(log.data.total))}>
      {log.problem && !log.data ? (
        <div className="centred grow">
          <ErrorState title={words.logFailed} problem={log.problem} onRetry={log.reload} />
        </div>
      ) : !log.data ? (
        <div className="grow">
          <Skeleton lines={8} />
        </div>
      ) : log.data.revisions.length === 0 ? (
        <div className="centred grow">
          <EmptyState icon="list" title={words.emptyLog}>
            {words.emptyLogDetail}
          </EmptyState>
        </div>
      ) : (
        <section className="pane grow">
          <VirtualList
            items={log.data.revisions}
            itemKey={(row) => row.id}
            label={words.allRevisions}
            className="grow"
            onNearEnd={() => setLimit((n) => Math.min(MOST, n + PAGE))}
            render={(row) => (
              <ul>
                <RevisionRow
                  row={row}
                  now={now}
                  withStatement
                  open={open === row.id}
                  onToggle={() => setOpen(open === row.id ? null : row.id)}
                  onUndo={setUndoing}
                />
              </ul>
            )}
          />
        </section>
      )}
      {undoing && <UndoDialog row={undoing} onClose={() => setUndoing(null)} />}
    </Sheet>
  );
}

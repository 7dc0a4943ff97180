import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "../components/Dialog.tsx";
import { fullTime } from "../format/times.ts";
import { backups as words } from "../words/backups.ts";
import { act } from "./useAction.ts";

export interface Restorable {
  readonly path: string;
  readonly createdAt: number | null;
}

/** Puts a backup in the place of the data: asks first, checks it, and quits so that the next start opens it. */
export function useRestore(): { restore: (backup: Restorable) => void; dialog: ReactNode } {
  const [chosen, setChosen] = useState<Restorable | null>(null);
  const [ready, setReady] = useState(false);
  const confirm = async () => {
    const backup = chosen;
    setChosen(null);
    if (backup && (await act("backups.restore", { path: backup.path }))) setReady(true);
  };
  const when = chosen?.createdAt == null ? words.thatFile : words.from(fullTime(chosen.createdAt, Date.now()));
  const dialog = (
    <>
      <ConfirmDialog
        open={chosen !== null}
        title={words.restoreTitle(when)}
        description={words.restoreBody}
        confirm={words.restore}
        onConfirm={confirm}
        onClose={() => setChosen(null)}
      />
      <ConfirmDialog
        open={ready}
        title={words.readyTitle}
        description={words.readyBody}
        keep={words.later}
        confirm={words.quitNow}
        onConfirm={() => void act("app.quit", {})}
        onClose={() => setReady(false)}
      />
    </>
  );
  return { restore: setChosen, dialog };
}

/** Lets the user choose a backup file. */
export async function chooseBackup(): Promise<Restorable | null> {
  const chosen = await act("shell.openFiles", { title: words.chooseTitle, kind: "any" });
  const path = chosen?.value.paths[0];
  return path ? { path, createdAt: null } : null;
}

import { Button } from "../../components/Button.tsx";
import { toast } from "../../components/toasts.ts";
import { bytes } from "../../format/numbers.ts";
import { fullTime } from "../../format/times.ts";
import { act } from "../../hooks/useAction.ts";
import { useCall } from "../../hooks/useCall.ts";
import { chooseBackup, useRestore } from "../../hooks/useRestore.tsx";
import { backups as words } from "../../words/backups.ts";
import { Setting, SettingGroup } from "./Setting.tsx";

const shown = 5;

/** The newest backups, making one, and going back to one. */
export function BackupSettings({ readOnly }: { readonly readOnly: boolean }) {
  const list = useCall("backups.list", {});
  const { restore, dialog } = useRestore();
  const make = async () => {
    if (!(await act("backups.create", {}))) return;
    toast({ text: words.made });
    list.reload();
  };
  const fromFile = async () => {
    const chosen = await chooseBackup();
    if (chosen) restore(chosen);
  };
  if (!list.data) return null;
  return (
    <SettingGroup title={words.title}>
      <Setting label={list.data.length === 0 ? words.none : words.title} note={words.note}>
        <span className="row">
          <Button kind="quiet" onClick={fromFile}>
            {words.fromFile}
          </Button>
          <Button disabled={readOnly} onClick={make}>
            {words.make}
          </Button>
        </span>
      </Setting>
      {list.data.slice(0, shown).map((backup) => (
        <div key={backup.path} className="setting">
          <span className="grow num dim" title={backup.path}>
            {words.row(fullTime(backup.createdAt, Date.now()), bytes(backup.bytes))}
          </span>
          <Button kind="quiet" onClick={() => restore(backup)}>
            {words.restore}
          </Button>
        </div>
      ))}
      {dialog}
    </SettingGroup>
  );
}

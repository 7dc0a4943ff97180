import type { EgressPurpose, PurposeState } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { Icon, type IconName } from "../../components/Icon.tsx";
import { Switch } from "../../components/Switch.tsx";
import { plural } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { useAppInfo } from "../../hooks/useAppInfo.ts";
import { privacy as words } from "../../words/privacy.ts";

const icons: Record<EgressPurpose, IconName> = {
  feeds: "feeds",
  "web-research": "globe",
  "feed-images": "eye",
  models: "import",
  mcp: "plug",
};

/** What requests may serve. Each is off until the user turns it on here or where it is first needed. */
export function Purposes({ purposes }: { readonly purposes: readonly PurposeState[] }) {
  const info = useAppInfo();
  return (
    <aside className="purposes" aria-label={words.agreed} data-region="panel" tabIndex={-1}>
      <h2 className="lab">{words.agreed}</h2>
      <ul className="scroll">
        {purposes.map((purpose) => (
          <li key={purpose.purpose}>
            <Icon name={icons[purpose.purpose]} />
            <div className="grow">
              <p className="m">{purpose.title}</p>
              <p className="f12 faint">{purpose.allowed ? words.on(plural(purpose.requests, "request")) : words.off}</p>
              <p className="f12 faint">{purpose.leaves}</p>
            </div>
            <Switch
              label={purpose.title}
              checked={purpose.allowed}
              onChange={(allowed) => void act("privacy.setPurpose", { purpose: purpose.purpose, allowed })}
            />
          </li>
        ))}
      </ul>
      <footer>
        <p className="f12 faint">{words.where}</p>
        {info && (
          <>
            <p className="mono cut" title={info.dataDir}>
              {info.dataDir}
            </p>
            <Button size="s" onClick={() => void act("shell.revealPath", { path: info.dataDir })}>
              {words.showFolder}
            </Button>
          </>
        )}
      </footer>
    </aside>
  );
}

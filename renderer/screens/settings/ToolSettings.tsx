import { useState } from "react";
import type { ToolInfo } from "../../../core/contract/index.ts";
import { Button } from "../../components/Button.tsx";
import { act } from "../../hooks/useAction.ts";
import { tools as words } from "../../words/tools.ts";
import { AddServer } from "./AddServer.tsx";
import { SearchEngine } from "./SearchEngine.tsx";
import { ServerRow } from "./ServerRow.tsx";
import { Setting, SettingGroup } from "./Setting.tsx";
import { useTools } from "./useTools.ts";

/** What answers may use beyond this machine's own: a search service, tools that ask, tools of other programs. */
export function ToolSettings({ searchEngine }: { readonly searchEngine: string | null }) {
  const { tools, servers } = useTools();
  const [adding, setAdding] = useState(false);
  const ruled = tools.data?.filter((tool) => tool.rule !== null) ?? [];
  return (
    <>
      <SettingGroup title={words.webSearch}>
        <SearchEngine key={searchEngine ?? ""} value={searchEngine} />
      </SettingGroup>
      {tools.data && (
        <SettingGroup title={words.answers}>
          {ruled.length === 0 ? (
            <p className="setting faint f12">{words.answersNone}</p>
          ) : (
            ruled.map(ruleRow(tools.reload))
          )}
        </SettingGroup>
      )}
      {servers.data && (
        <SettingGroup title={words.others}>
          {servers.data.length === 0 && <p className="setting faint f12">{words.othersNone}</p>}
          {servers.data.map((server) => (
            <ServerRow key={server.id} server={server} onChanged={servers.reload} />
          ))}
          <div className="setting">
            <Button icon="plus" onClick={() => setAdding(true)}>
              {words.add}
            </Button>
          </div>
        </SettingGroup>
      )}
      {adding && (
        <AddServer
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            servers.reload();
          }}
        />
      )}
    </>
  );
}

const ruleRow = (reload: () => void) => (tool: ToolInfo) => (
  <Setting
    key={tool.name}
    label={tool.name.replace(/_/g, " ")}
    note={tool.rule === "allow" ? words.always : words.never}
  >
    <Button
      onClick={async () => {
        if (await act("tools.forgetRule", { tool: tool.name })) reload();
      }}
    >
      {words.askAgain}
    </Button>
  </Setting>
);

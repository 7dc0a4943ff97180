import { useState } from "react";
import type { McpServer } from "../../../core/contract/index.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { ConfirmDialog } from "../../components/Dialog.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Menu } from "../../components/Menu.tsx";
import { Switch } from "../../components/Switch.tsx";
import { toast } from "../../components/toasts.ts";
import { plural } from "../../format/numbers.ts";
import { act } from "../../hooks/useAction.ts";
import { tools as words } from "../../words/tools.ts";

export interface ServerRowProps {
  readonly server: McpServer;
  readonly onChanged: () => void;
}

/** One tool server: where it is, how it stands, and how each of its tools is treated. */
export function ServerRow({ server, onChanged }: ServerRowProps) {
  const [removing, setRemoving] = useState(false);
  const { transport } = server;
  const where = transport.kind === "http" ? transport.url : [transport.command, ...transport.args].join(" ");
  const state = [words.states[server.state], server.tools.length > 0 ? plural(server.tools.length, "tool") : null];
  const remove = async () => {
    setRemoving(false);
    if (!(await act("mcp.remove", { id: server.id }))) return;
    toast({ text: words.removed(server.name) });
    onChanged();
  };
  return (
    <div className="server">
      <div className="row">
        <div className="grow">
          <p className="m">{server.name}</p>
          <p className="f12 faint">{state.filter(Boolean).join(" · ")}</p>
          <p className="mono faint cut" title={where}>
            {where}
          </p>
        </div>
        <Switch
          label={words.enable(server.name)}
          checked={server.enabled}
          onChange={async (enabled) => (await act("mcp.setEnabled", { id: server.id, enabled })) && onChanged()}
        />
        <IconButton icon="trash" label={words.remove} onClick={() => setRemoving(true)} />
      </div>
      {server.problem && (
        <p className="row f12 bad">
          <Icon name="alert" size="s" />
          <span>{server.problem}</span>
        </p>
      )}
      {server.tools.length > 0 && (
        <ul>
          {server.tools.map((tool) => (
            <li key={tool.name} className="row f12">
              <span className="grow cut" title={tool.description}>
                {tool.title || tool.name}
              </span>
              <Menu
                trigger={
                  <Button kind="quiet" size="s" aria-label={words.safetyOf(tool.title || tool.name)}>
                    {words.safety[tool.safety]}
                    <Icon name="down" size="s" />
                  </Button>
                }
                groups={[
                  {
                    items: (["safe", "sensitive", "destructive"] as const).map((safety) => ({
                      label: words.safety[safety],
                      checked: safety === tool.safety,
                      run: async () => {
                        if (await act("mcp.setSafety", { id: server.id, tool: tool.name, safety })) onChanged();
                      },
                    })),
                  },
                ]}
              />
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={removing}
        title={words.removeTitle(server.name)}
        description={words.removeBody}
        confirm={words.remove}
        danger
        onConfirm={remove}
        onClose={() => setRemoving(false)}
      />
    </div>
  );
}

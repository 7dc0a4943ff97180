import { useCall } from "../../hooks/useCall.ts";
import { useEvent } from "../../hooks/useEvent.ts";

/** Built-in tools with their standing answers, and the tool servers that were added. */
export function useTools() {
  const tools = useCall("tools.list", {});
  const servers = useCall("mcp.list", {});
  const { reload: reloadTools } = tools;
  const { reload: reloadServers } = servers;
  useEvent("tools.changed", () => {
    reloadTools();
    reloadServers();
  });
  useEvent("turn.approval.decided", reloadTools);
  return { tools, servers };
}

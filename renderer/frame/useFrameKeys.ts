import type { ShellCommand } from "../../core/contract/events/shell.ts";
import { dropPaths } from "../drop/registry.ts";
import { platform } from "../hooks/bridge.ts";
import { useEvent } from "../hooks/useEvent.ts";
import { navigate } from "../hooks/useRoute.ts";
import { matches } from "../keyboard/keys.ts";
import { focusNextRegion } from "../keyboard/regions.ts";
import { useShortcut } from "../keyboard/useShortcut.ts";
import { screens } from "../screens/index.ts";

/** Opens a new chat: the empty one that exists already, or one that the first message will make. */
export const newChat = () => navigate({ screen: "chat", path: ["new"] });

/** Shortcuts that act everywhere, and the menu items that do the same. */
export function useFrameKeys(): void {
  useShortcut({
    keys: screens.map((screen) => screen.keys),
    run: (event) => {
      const hit = screens.find((screen) => matches(screen.keys, event, platform() === "darwin"));
      if (hit) navigate({ screen: hit.id });
    },
  });
  useShortcut({ keys: "mod+n", run: newChat });
  useShortcut({ keys: "f6", run: () => focusNextRegion(1) });
  useShortcut({ keys: "shift+f6", run: () => focusNextRegion(-1) });
  useEvent("shell.files", (event) => {
    dropPaths(event.paths);
  });
  useEvent("shell.command", (event) => runCommand(event.command));
}

/** Menu items reach the window as commands; those that a screen handles arrive there as the key press they stand for. */
function runCommand(command: ShellCommand): void {
  const keys = commandKeys[command];
  if (command.startsWith("screen-")) navigate({ screen: command.slice("screen-".length) });
  else if (command === "new-chat") newChat();
  else if (keys) pressKeys(keys);
}

const commandKeys: Partial<Record<ShellCommand, { key: string; shiftKey?: boolean }>> = {
  palette: { key: "k" },
  "find-here": { key: "f" },
  "search-documents": { key: "f", shiftKey: true },
  "inspect-turn": { key: "i" },
  "evidence-panel": { key: "e" },
};

function pressKeys(press: { key: string; shiftKey?: boolean }): void {
  const mac = platform() === "darwin";
  const target = document.activeElement ?? document.body;
  target.dispatchEvent(
    new KeyboardEvent("keydown", { ...press, ctrlKey: !mac, metaKey: mac, bubbles: true, cancelable: true }),
  );
}

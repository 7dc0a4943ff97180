import type { TurnId } from "../../../core/contract/index.ts";
import { act } from "../../hooks/useAction.ts";
import { isLayerOpen, useShortcut } from "../../keyboard/useShortcut.ts";
import type { Find } from "./find/useFind.ts";
import type { FoundPanelState } from "./found/useFoundPanel.ts";
import type { MessageActions } from "./thread/useMessageActions.ts";

export interface ChatKeysOptions {
  /** The turn that runs here now. */
  readonly activeId: TurnId | null;
  readonly lastAnswerId: string | null;
  readonly actions: MessageActions;
  readonly panel: FoundPanelState;
  readonly find: Find;
}

/** Escape closes what is open, then stops the answer; the other keys are those of the header's buttons. */
export function useChatKeys({ activeId, lastAnswerId, actions, panel, find }: ChatKeysOptions): void {
  useShortcut({
    keys: "escape",
    inFields: true,
    run: () => {
      if (isLayerOpen()) return false;
      if (find.open) return find.close();
      if (!activeId) return false;
      void act("turns.stop", { turnId: activeId });
      return true;
    },
  });
  useShortcut({
    keys: "mod+i",
    disabled: lastAnswerId === null,
    run: () => lastAnswerId && actions.inspect(lastAnswerId, null),
  });
  useShortcut({ keys: "mod+e", run: panel.toggle });
  useShortcut({ keys: "mod+f", run: find.toggle });
}

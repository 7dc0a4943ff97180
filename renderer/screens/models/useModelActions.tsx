import { type ReactNode, useMemo, useState } from "react";
import { ConfirmDialog } from "../../components/Dialog.tsx";
import { toast } from "../../components/toasts.ts";
import { act } from "../../hooks/useAction.ts";
import type { InstalledModel } from "../../hooks/useModels.ts";
import { models as words } from "../../words/models.ts";
import type { ModelActions } from "./ModelCard.tsx";

/** What a card's menu does; removing asks first. */
export function useModelActions(): { actions: ModelActions; dialog: ReactNode } {
  const [removing, setRemoving] = useState<InstalledModel | null>(null);
  const actions = useMemo<ModelActions>(
    () => ({
      use: (model) => act("models.use", { id: model.id }),
      remove: setRemoving,
      reveal: (model) => act("shell.revealPath", { path: model.path }),
      unload: () => act("models.unload", {}),
    }),
    [],
  );
  const remove = async () => {
    if (!removing) return;
    setRemoving(null);
    if (await act("models.remove", { id: removing.id })) toast({ text: words.removed(removing.name) });
  };
  const dialog = (
    <ConfirmDialog
      open={removing !== null}
      title={words.removeTitle(removing?.name ?? "")}
      description={words.removeBody}
      confirm={words.remove}
      danger
      onConfirm={remove}
      onClose={() => setRemoving(null)}
    />
  );
  return { actions, dialog };
}

import { Toast } from "@base-ui/react/toast";
import { useShortcut } from "../keyboard/useShortcut.ts";
import { shared } from "../words/shared.ts";
import { Button, IconButton } from "./Button.tsx";
import { Icon } from "./Icon.tsx";
import { type ToastOptions, toastManager } from "./toasts.ts";

/** The toasts of the window; rendered once, above everything. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={toastManager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="toasts" aria-label={shared.notices}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts, close } = Toast.useToastManager<{ options: ToastOptions }>();
  const undoable = toasts.find((each) => each.data?.options.undo && each.transitionStatus !== "ending");
  useShortcut({
    keys: "mod+z",
    disabled: !undoable,
    run: (event) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) {
        if (event.target.value !== "") return false; // the field's own undo goes first
      }
      undoable?.data?.options.undo?.();
      if (undoable) close(undoable.id);
    },
  });
  return toasts.map((each) => {
    const options = each.data?.options;
    const finish = (run: () => void) => () => {
      run();
      close(each.id);
    };
    return (
      <Toast.Root key={each.id} toast={each} className="toast" swipeDirection={[]}>
        {options?.tone === "problem" && <Icon name="alert" className="bad" />}
        <Toast.Title className="grow" render={<p />} />
        {options?.action && (
          <Button kind="quiet" onClick={finish(options.action.run)}>
            {options.action.label}
          </Button>
        )}
        {options?.undo && (
          <Button kind="quiet" keys="mod+z" onClick={finish(options.undo)}>
            {shared.undo}
          </Button>
        )}
        <IconButton icon="x" label={shared.dismiss} onClick={() => close(each.id)} />
      </Toast.Root>
    );
  });
}

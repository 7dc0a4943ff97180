import { AlertDialog as BaseAlert } from "@base-ui/react/alert-dialog";
import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactNode, type RefObject, useRef } from "react";
import { shared } from "../words/shared.ts";
import { Button } from "./Button.tsx";

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons, in reading order; the safe one first. */
  readonly footer?: ReactNode;
  /** Takes the focus when it opens; the first control does otherwise. */
  readonly focus?: RefObject<HTMLElement | null>;
  readonly width?: number;
  /** An alert needs an answer: a click outside does not close it. */
  readonly alert?: boolean;
}

/** A modal dialog: traps the focus, Escape closes, the focus returns to where it was. */
export function Dialog({ open, onClose, title, description, children, footer, focus, width, alert }: DialogProps) {
  const Kind = (alert ? BaseAlert : Base) as typeof Base;
  return (
    <Kind.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Kind.Portal>
        <Kind.Backdrop className="scrim" />
        <Kind.Viewport className="dialog-view">
          <Kind.Popup
            className="dialog"
            initialFocus={focus}
            style={width === undefined ? undefined : ({ "--dialog-width": `${width}px` } as Record<string, string>)}
          >
            <div className="top">
              <Kind.Title>{title}</Kind.Title>
              {description && <Kind.Description className="dim">{description}</Kind.Description>}
            </div>
            {children && <div className="mid">{children}</div>}
            {footer && <div className="ft">{footer}</div>}
          </Kind.Popup>
        </Kind.Viewport>
      </Kind.Portal>
    </Kind.Root>
  );
}

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  readonly confirm: string;
  readonly keep?: string;
  readonly danger?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot simply be undone; the focus starts on the safe button. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const safe = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      alert
      open={props.open}
      onClose={props.onClose}
      title={props.title}
      description={props.description}
      focus={safe}
      footer={
        <>
          <Button ref={safe} onClick={props.onClose}>
            {props.keep ?? shared.cancel}
          </Button>
          <Button kind={props.danger ? "danger" : "primary"} onClick={props.onConfirm}>
            {props.confirm}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}

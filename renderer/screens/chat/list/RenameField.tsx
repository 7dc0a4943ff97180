import { useEffect, useRef } from "react";
import { chat as words } from "../../../words/chat.ts";

export interface RenameFieldProps {
  readonly title: string;
  /** Null when nothing changed. */
  readonly onDone: (title: string | null) => void;
}

/** A title being written: Enter or leaving keeps it, Escape does not. */
export function RenameField({ title, onDone }: RenameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const finish = (keep: boolean) => {
    if (done.current) return;
    done.current = true;
    const next = field.current?.value.trim() ?? "";
    onDone(keep && next !== "" && next !== title ? next : null);
  };
  return (
    <span className="field rename">
      <input
        ref={field}
        defaultValue={title}
        maxLength={200}
        aria-label={words.titleField}
        onBlur={() => finish(true)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") finish(true);
          if (event.key === "Escape") {
            event.stopPropagation();
            finish(false);
          }
        }}
      />
    </span>
  );
}

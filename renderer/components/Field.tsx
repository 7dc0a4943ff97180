import { type ComponentPropsWithRef, type ReactNode, useId } from "react";
import { shared } from "../words/shared.ts";
import { Icon, type IconName } from "./Icon.tsx";

export interface TextFieldProps extends Omit<ComponentPropsWithRef<"input">, "onChange" | "value"> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly icon?: IconName;
  readonly hideLabel?: boolean;
  readonly hint?: ReactNode;
  readonly problem?: string | null;
  /** Shown at the right end, inside. */
  readonly after?: ReactNode;
}

export function TextField(props: TextFieldProps) {
  const { label, value, onChange, icon, hideLabel, hint, problem, after, className, ...rest } = props;
  const id = useId();
  const note = problem ?? hint;
  const field = (
    <span className={["field", className].filter(Boolean).join(" ")}>
      {icon && <Icon name={icon} size="s" />}
      <input
        {...rest}
        id={id}
        value={value}
        aria-label={hideLabel ? label : undefined}
        aria-invalid={problem ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {after}
    </span>
  );
  if (hideLabel && !note) return field;
  return (
    <div className="labelled">
      {!hideLabel && (
        <label className="lab" htmlFor={id}>
          {label}
        </label>
      )}
      {field}
      {note && (
        <p id={`${id}-note`} className={`f12 ${problem ? "bad" : "faint"}`}>
          {note}
        </p>
      )}
    </div>
  );
}

export interface SearchFieldProps extends Omit<TextFieldProps, "icon" | "hideLabel" | "after" | "type"> {
  readonly count?: string;
}

/** A search field; Escape empties it before anything else hears the key. */
export function SearchField({ count, value, onChange, label, ...rest }: SearchFieldProps) {
  return (
    <TextField
      {...rest}
      label={label}
      hideLabel
      icon="search"
      type="search"
      placeholder={rest.placeholder ?? label}
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={onChange}
      onKeyDown={(event) => {
        if (event.key === "Escape" && value !== "" && !event.nativeEvent.isComposing) {
          event.preventDefault();
          event.stopPropagation();
          onChange("");
        }
        rest.onKeyDown?.(event);
      }}
      after={
        value !== "" && (
          <>
            {count !== undefined && <span className="f12 num">{count}</span>}
            <button type="button" className="clear" aria-label={shared.clearSearch} onClick={() => onChange("")}>
              <Icon name="x" size="s" />
            </button>
          </>
        )
      }
    />
  );
}

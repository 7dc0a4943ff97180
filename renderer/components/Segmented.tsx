import { Icon, type IconName } from "./Icon.tsx";
import { moveInGroup } from "./roving.ts";

export interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly icon?: IconName }[];
  readonly onChange: (value: Value) => void;
  /** As wide as its place, parts of equal width. */
  readonly fill?: boolean;
  readonly disabled?: boolean;
}

/** One choice of a few, all visible. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
  fill,
  disabled,
}: SegmentedProps<Value>) {
  return (
    <div
      className={fill ? "seg fill" : "seg"}
      role="radiogroup"
      aria-label={label}
      onKeyDown={(event) => moveInGroup(event, '[role="radio"]')}
    >
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: a button with the radio role keeps one tab stop and its own look
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          data-checked={option.value === value ? "" : undefined}
          tabIndex={option.value === value ? 0 : -1}
          disabled={disabled}
          onClick={() => option.value !== value && onChange(option.value)}
        >
          {option.icon && <Icon name={option.icon} size="s" />}
          {option.label}
        </button>
      ))}
    </div>
  );
}

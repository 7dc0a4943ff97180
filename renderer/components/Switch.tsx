import { Switch as Base } from "@base-ui/react/switch";

export interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

/** On or off, at once. The label is for readers aloud; show words beside it. */
export function Switch({ label, checked, onChange, disabled }: SwitchProps) {
  return (
    <Base.Root
      className="sw"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onCheckedChange={(next) => onChange(next)}
    >
      <Base.Thumb />
    </Base.Root>
  );
}

import { IconButton } from "../../components/Button.tsx";

export interface StepperProps {
  readonly value: number;
  /** Allowed values, ascending. */
  readonly steps: readonly number[];
  readonly show: (value: number) => string;
  readonly less: string;
  readonly more: string;
  readonly onChange: (value: number) => void;
}

/** A value that goes up and down in steps. */
export function Stepper({ value, steps, show, less, more, onChange }: StepperProps) {
  const lower = [...steps].reverse().find((step) => step < value);
  const higher = steps.find((step) => step > value);
  return (
    <div className="stepper">
      <IconButton
        icon="left"
        label={less}
        disabled={lower === undefined}
        onClick={() => lower !== undefined && onChange(lower)}
      />
      <output className="num m">{show(value)}</output>
      <IconButton
        icon="right"
        label={more}
        disabled={higher === undefined}
        onClick={() => higher !== undefined && onChange(higher)}
      />
    </div>
  );
}

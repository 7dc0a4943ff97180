import { percent } from "../format/numbers.ts";

export interface MeterProps {
  /** Between 0 and 1; more is drawn full and in the failure colour. */
  readonly value: number;
  /** What is measured: "53 percent of the budget used". */
  readonly label: string;
  readonly width?: number;
  readonly className?: string;
}

export function Meter({ value, label, width, className }: MeterProps) {
  const classes = ["meter", value > 1 ? "over" : "", className ?? ""].filter(Boolean).join(" ");
  return (
    <span className={classes} role="img" aria-label={label} style={width === undefined ? undefined : { width }}>
      <i style={{ width: percent(Math.min(1, Math.max(0, value)), 2).replace(" ", "") }} />
    </span>
  );
}

import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon.tsx";

export interface ChipProps {
  readonly tone?: "plain" | "outline" | "accent" | "for" | "against" | "bad" | "mono";
  readonly icon?: IconName;
  readonly children: ReactNode;
}

const tones = {
  plain: "",
  outline: "plain",
  accent: "acc",
  for: "for",
  against: "against",
  bad: "bad",
  mono: "plain mono",
};

/** A short label. `for` and `against` are for beliefs only. */
export function Chip({ tone = "plain", icon, children }: ChipProps) {
  return (
    <span className={`chip ${tones[tone]}`.trim()}>
      {icon && <Icon name={icon} size="s" />}
      {children}
    </span>
  );
}

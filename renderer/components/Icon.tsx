import { iconShapes } from "./icon-shapes.tsx";

export type IconName = keyof typeof iconShapes;

export interface IconProps {
  readonly name: IconName;
  /** 14, 16 or 20 pixels. */
  readonly size?: "s" | "m" | "l";
  readonly className?: string;
}

/** A decorative line icon; whoever shows it says its meaning in words. */
export function Icon({ name, size = "m", className }: IconProps) {
  const classes = ["i", size === "m" ? "" : size, className ?? ""].filter(Boolean).join(" ");
  return (
    <svg className={classes} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {iconShapes[name]}
    </svg>
  );
}

/** The mark: an axis with its dot on the side of what is held true. */
export function Mark({ size = 26 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 26 26" role="img" aria-label="Credence" className="logo">
      <circle cx="13" cy="13" r="11.2" className="ring" />
      <path d="M5.6 13H13.2M9.4 10v6" className="axis" />
      <circle cx="16.8" cy="13" r="3.2" className="dot" />
    </svg>
  );
}

import type { ComponentPropsWithRef, ReactNode } from "react";
import { Icon, type IconName } from "./Icon.tsx";
import { Kbd } from "./Kbd.tsx";
import { Tooltip } from "./Tooltip.tsx";

export interface ButtonProps extends Omit<ComponentPropsWithRef<"button">, "children"> {
  readonly kind?: "plain" | "primary" | "quiet" | "danger";
  readonly size?: "s" | "m" | "l";
  readonly icon?: IconName;
  /** The shortcut that does the same, shown in the button. */
  readonly keys?: string;
  readonly children?: ReactNode;
}

const kinds = { plain: "", primary: "pri", quiet: "quiet", danger: "danger" };
const sizes = { s: "sm", m: "", l: "big" };

export function Button({ kind = "plain", size = "m", icon, keys, className, children, ...rest }: ButtonProps) {
  const classes = ["btn", kinds[kind], sizes[size], className].filter(Boolean).join(" ");
  return (
    <button type="button" {...rest} className={classes}>
      {icon && <Icon name={icon} size={size === "s" ? "s" : "m"} />}
      {children}
      {keys && <Kbd keys={keys} />}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "children" | "aria-label"> {
  readonly icon: IconName;
  /** Its name, read aloud and shown as a tooltip. */
  readonly label: string;
  readonly keys?: string;
  readonly pressed?: boolean;
}

/** A quiet button that shows only an icon. */
export function IconButton({ icon, label, keys, pressed, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} keys={keys}>
      <button
        type="button"
        {...rest}
        className={["btn ico quiet", className].filter(Boolean).join(" ")}
        aria-label={label}
        aria-pressed={pressed}
      >
        <Icon name={icon} />
      </button>
    </Tooltip>
  );
}

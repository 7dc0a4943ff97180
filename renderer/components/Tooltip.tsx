import { cloneElement, type ReactElement } from "react";

export interface TooltipProps {
  readonly text: string;
  readonly keys?: string;
  readonly children: ReactElement<Record<string, unknown>>;
}

/**
 * A short name with its shortcut, after a moment's hover or on focus. The child carries its own accessible name; the
 * words are drawn by the one `TooltipLayer` of the window, so that a list of a thousand buttons costs nothing.
 */
export function Tooltip({ text, keys, children }: TooltipProps) {
  return cloneElement(children, { "data-tip": text, "data-tip-keys": keys });
}

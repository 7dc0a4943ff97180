import type { KeyboardEvent } from "react";

/** Arrow keys, Home and End inside a group of buttons with one tab stop: moves focus and clicks what it reaches. */
export function moveInGroup(event: KeyboardEvent<HTMLElement>, selector: string): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const here = items.indexOf(document.activeElement as HTMLElement);
  if (here === -1) return;
  const to: Record<string, number> = {
    ArrowRight: here + 1,
    ArrowDown: here + 1,
    ArrowLeft: here - 1,
    ArrowUp: here - 1,
    Home: 0,
    End: items.length - 1,
  };
  const target = to[event.key];
  if (target === undefined) return;
  event.preventDefault();
  const next = items[(target + items.length) % items.length];
  next?.focus();
  next?.click();
}

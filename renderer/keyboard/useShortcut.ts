/** One listener for the whole window. The newest registered shortcut wins, so an open dialog goes before its screen. */
import { useEffect, useRef } from "react";
import { platform } from "../hooks/bridge.ts";
import { isComposing, isTyping, matches } from "./keys.ts";

export interface Shortcut {
  /** One combination or several that do the same. */
  readonly keys: string | readonly string[];
  /** Returns false to let the key go on to the next shortcut or the page. */
  readonly run: (event: KeyboardEvent) => unknown;
  /** Also while a field has focus. Combinations with `mod` and function keys always do; single letters never should. */
  readonly inFields?: boolean;
  readonly disabled?: boolean;
}

interface Registered {
  current: Shortcut;
}
const registered: Registered[] = [];

function handle(event: KeyboardEvent): void {
  if (event.defaultPrevented || isComposing(event)) return;
  const mac = platform() === "darwin";
  const typing = isTyping(event.target);
  for (const { current } of [...registered].reverse()) {
    if (current.disabled) continue;
    const keys = typeof current.keys === "string" ? [current.keys] : current.keys;
    const hit = keys.find((combination) => matches(combination, event, mac));
    if (!hit) continue;
    if (typing && !current.inFields && !hit.includes("mod+") && !/^(shift\+)?f\d/i.test(hit)) continue;
    if (current.run(event) === false) continue;
    event.preventDefault();
    return;
  }
}

/** Registers a shortcut while the component is mounted. */
export function useShortcut(shortcut: Shortcut): void {
  const entry = useRef<Registered>({ current: shortcut });
  useEffect(() => {
    entry.current.current = shortcut;
  });
  useEffect(() => {
    const mine = entry.current;
    if (registered.length === 0) window.addEventListener("keydown", handle);
    registered.push(mine);
    return () => {
      registered.splice(registered.indexOf(mine), 1);
      if (registered.length === 0) window.removeEventListener("keydown", handle);
    };
  }, []);
}

/** Whether a modal layer (dialog, menu) is open: screens leave their single-letter keys alone then. */
export function isLayerOpen(): boolean {
  return (
    document.querySelector('[role="dialog"][data-open], [role="alertdialog"][data-open], [role="menu"][data-open]') !==
    null
  );
}

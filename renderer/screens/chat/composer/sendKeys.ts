import { isComposing } from "../../../keyboard/keys.ts";

export interface SendPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing?: boolean;
  readonly keyCode?: number;
}

/** What Enter means in the composer. Nothing is ever sent while an input method composes. */
export function onEnter(press: SendPress, sendWithEnter: boolean): "send" | "newline" | "none" {
  if (press.key !== "Enter" || isComposing(press)) return "none";
  const mod = press.ctrlKey || press.metaKey;
  if (mod && !press.shiftKey && !press.altKey) return "send";
  if (press.shiftKey || press.altKey || mod) return "newline";
  return sendWithEnter ? "send" : "newline";
}

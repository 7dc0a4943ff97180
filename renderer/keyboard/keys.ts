/** Key combinations as text: `mod+k`, `mod+shift+f`, `escape`, `j`. `mod` is Command on macOS and Control elsewhere. */

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const named: Record<string, string> = { " ": "space", Esc: "escape" };

/** Whether a key press is the combination. Shift is ignored for characters that need it on some layouts (`?`). */
export function matches(combination: string, press: KeyPress, mac: boolean): boolean {
  const parts = combination.toLowerCase().split("+");
  const wanted = parts[parts.length - 1] === "" ? "+" : parts[parts.length - 1];
  const has = (name: string) => parts.includes(name) && wanted !== name;
  const key = (named[press.key] ?? press.key).toLowerCase();
  if (key !== wanted) return false;
  const mod = mac ? press.metaKey : press.ctrlKey;
  const other = mac ? press.ctrlKey : press.metaKey;
  if (mod !== has("mod") || other !== has("ctrl")) return false;
  if (press.altKey !== has("alt")) return false;
  return press.shiftKey === has("shift") || (wanted.length === 1 && !/[a-z0-9]/.test(wanted));
}

const macSigns: Record<string, string> = { mod: "⌘", shift: "⇧", alt: "⌥", ctrl: "⌃" };
const signs: Record<string, string> = {
  enter: "↵",
  escape: "Esc",
  up: "↑",
  down: "↓",
  arrowup: "↑",
  arrowdown: "↓",
  space: "Space",
};

/** The combination as the user reads it: `⌘K` on macOS, `Ctrl K` elsewhere. */
export function showKeys(combination: string, mac: boolean): string {
  const shown = combination.split("+").map((part) => {
    const name = part.toLowerCase();
    if (mac && macSigns[name]) return macSigns[name];
    if (name === "mod") return "Ctrl";
    return signs[name] ?? (part.length === 1 ? part.toUpperCase() : part[0]!.toUpperCase() + part.slice(1));
  });
  return mac ? shown.join("") : shown.join(" ");
}

/** True while an input method composes: such a key press belongs to it, whatever the key (229 in older engines). */
export function isComposing(event: { isComposing?: boolean; keyCode?: number }): boolean {
  return event.isComposing === true || event.keyCode === 229;
}

/** Whether typing goes into a field, so that single letters must not act. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "range"].includes(target.type);
}

import { platform } from "../hooks/bridge.ts";
import { showKeys } from "../keyboard/keys.ts";

/** A key combination as this system writes it. */
export function Kbd({ keys }: { readonly keys: string }) {
  return <kbd className="kbd">{showKeys(keys, platform() === "darwin")}</kbd>;
}

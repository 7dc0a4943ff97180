import { toast } from "../components/toasts.ts";
import { asProblem, type BridgeMethod, type BridgeParams, type BridgeResult, call } from "./bridge.ts";

/**
 * Runs a method for a click and shows a failure as a toast. Resolves with the result, or null when it failed, so that
 * the caller needs no catch: `const made = await act("conversations.create", {}); if (made) ...`.
 */
export async function act<Name extends BridgeMethod>(
  method: Name,
  params: BridgeParams<Name>,
): Promise<{ readonly value: BridgeResult<Name> } | null> {
  try {
    return { value: await call(method, params) };
  } catch (thrown) {
    toast({ text: asProblem(thrown).message, tone: "problem" });
    return null;
  }
}

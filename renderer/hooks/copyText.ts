import { toast } from "../components/toasts.ts";
import { asProblem, call } from "./bridge.ts";

/** Puts text on the clipboard; says so when the system refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await call("shell.copyText", { text });
    return true;
  } catch (thrown) {
    toast({ text: asProblem(thrown).message, tone: "problem" });
    return false;
  }
}

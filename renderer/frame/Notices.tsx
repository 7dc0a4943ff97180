import { toast } from "../components/toasts.ts";
import { useEvent } from "../hooks/useEvent.ts";

/** What the core has to say on its own account. */
export function Notices() {
  useEvent("notice", (event) => {
    toast({ text: event.text, tone: event.level === "problem" ? "problem" : "plain" });
  });
  return null;
}

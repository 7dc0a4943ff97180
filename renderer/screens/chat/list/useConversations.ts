import { useDeferredValue, useEffect, useRef } from "react";
import { useCall } from "../../../hooks/useCall.ts";
import { useEvent } from "../../../hooks/useEvent.ts";

/** The conversations that match a search, renewed when the core says that some changed. */
export function useConversations(query: string) {
  const settled = useDeferredValue(query.trim());
  const list = useCall("conversations.list", settled === "" ? {} : { query: settled });
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  // A streaming turn changes its conversation many times a second; the list need not.
  useEvent("conversations.changed", () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      list.reload();
    }, 60);
  });
  useEffect(() => () => void (timer.current && clearTimeout(timer.current)), []);
  return list;
}

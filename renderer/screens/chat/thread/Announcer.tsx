import { useEffect, useRef, useState } from "react";
import { useActiveTurn } from "../../../turns/useTurn.ts";
import { newSentences } from "./sentences.ts";

/** Reads a streaming answer aloud by whole sentences, for those who hear the window. */
export function Announcer({ conversationId }: { readonly conversationId: string }) {
  const turn = useActiveTurn(conversationId);
  const [said, setSaid] = useState("");
  const done = useRef({ turnId: "", length: 0 });
  useEffect(() => {
    if (!turn) return;
    if (done.current.turnId !== turn.turnId) done.current = { turnId: turn.turnId, length: 0 };
    const { text, length } = newSentences(turn.answer, done.current.length, turn.ended !== null);
    if (length === done.current.length) return;
    done.current.length = length;
    setSaid(text);
  }, [turn]);
  return (
    <p className="vh" aria-live="polite" aria-atomic="true">
      {said}
    </p>
  );
}

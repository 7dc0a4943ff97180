import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Thread } from "../thread/useThread.ts";
import { highlightMatches } from "./highlightMatches.ts";

export interface Find {
  readonly open: boolean;
  readonly text: string;
  readonly setText: (text: string) => void;
  /** 1-based place among the matches; 0 when there are none. */
  readonly at: number;
  readonly count: number;
  /** Older messages are still being looked through. */
  readonly searching: boolean;
  readonly next: () => void;
  readonly previous: () => void;
  readonly toggle: () => void;
  readonly close: () => void;
}

/** Messages that hold the text, oldest first. */
export function findMatches(messages: Thread["messages"], text: string): readonly string[] {
  const needle = text.trim().toLowerCase();
  if (needle === "") return [];
  return messages.filter((each) => each.content.toLowerCase().includes(needle)).map((each) => each.id);
}

/** Find in one conversation, the whole of it: older pages are read while the bar is open. */
export function useFind(
  thread: Thread,
  initial: string | null,
  wanted: string | null,
  goTo: (messageId: string) => void,
): Find {
  const [open, setOpen] = useState(initial !== null && initial !== "");
  const [text, setText] = useState(initial ?? "");
  const [current, setCurrent] = useState<string | null>(null);
  const go = useRef(goTo);
  go.current = goTo;
  const matches = useMemo(() => (open ? findMatches(thread.messages, text) : []), [open, thread.messages, text]);
  const searching =
    (open && text.trim() !== "" && thread.hasOlder) ||
    (wanted !== null && thread.hasOlder && !thread.messages.some((each) => each.id === wanted));

  const { loadOlder, messages } = thread;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each loaded page asks for the next
  useEffect(() => {
    if (searching && messages.length > 0) void loadOlder(500);
  }, [searching, messages, loadOlder]);

  const jumped = useRef(false);
  useEffect(() => {
    if (wanted === null || jumped.current || !messages.some((each) => each.id === wanted)) return;
    jumped.current = true;
    requestAnimationFrame(() => go.current(wanted));
  }, [wanted, messages]);

  useEffect(() => highlightMatches(open ? text.trim() : ""), [open, text]);

  // The newest match first: that is where one is.
  const shown = current !== null && matches.includes(current) ? current : (matches[matches.length - 1] ?? null);
  useEffect(() => {
    if (shown) go.current(shown);
  }, [shown]);

  const step = (by: 1 | -1) => {
    if (matches.length === 0) return;
    const at = shown ? matches.indexOf(shown) : 0;
    setCurrent(matches[(at + by + matches.length) % matches.length] ?? null);
  };
  const close = useCallback(() => setOpen(false), []);
  const toggle = useCallback(() => setOpen((before) => !before), []);
  return {
    open,
    text,
    setText,
    at: shown ? matches.indexOf(shown) + 1 : 0,
    count: matches.length,
    searching,
    next: () => step(1),
    previous: () => step(-1),
    toggle,
    close,
  };
}

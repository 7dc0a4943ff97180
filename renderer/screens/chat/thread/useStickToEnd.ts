import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { VListHandle } from "virtua";

const near = 48;

/** Keeps the end of a list in view while it is there, and leaves it alone once the user scrolls up. */
export function useStickToEnd(list: RefObject<VListHandle | null>, onAtEnd: (atEnd: boolean) => void) {
  const stuck = useRef(true);
  const tell = useRef(onAtEnd);
  tell.current = onAtEnd;

  const set = useCallback((next: boolean) => {
    if (stuck.current === next) return;
    stuck.current = next;
    tell.current(next);
  }, []);

  const pin = useCallback(() => {
    const handle = list.current;
    if (handle && stuck.current) handle.scrollTo(handle.scrollSize);
  }, [list]);

  // The list's total height follows its rows as they are measured and grow; each change may move the end away.
  useEffect(() => {
    let size = -1;
    let viewport = -1;
    let frame = 0;
    const watch = () => {
      const handle = list.current;
      if (handle && (handle.scrollSize !== size || handle.viewportSize !== viewport)) {
        size = handle.scrollSize;
        viewport = handle.viewportSize;
        pin();
      }
      frame = requestAnimationFrame(watch);
    };
    frame = requestAnimationFrame(watch);
    return () => cancelAnimationFrame(frame);
  }, [list, pin]);

  const last = useRef(0);
  return {
    /** Only a scroll upwards lets go; growth below must not. */
    onScroll: useCallback(() => {
      const handle = list.current;
      if (!handle) return;
      const offset = handle.scrollOffset;
      const atEnd = offset + handle.viewportSize >= handle.scrollSize - near;
      if (atEnd) set(true);
      else if (offset < last.current - 1) set(false);
      last.current = offset;
    }, [list, set]),
    atEnd: useCallback(() => stuck.current, []),
    toEnd: useCallback(() => {
      set(true);
      pin();
    }, [pin, set]),
    release: useCallback(() => set(false), [set]),
  };
}

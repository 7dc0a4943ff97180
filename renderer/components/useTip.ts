import { useEffect, useState } from "react";

export interface Tip {
  readonly target: Element;
  readonly text: string;
  readonly keys: string | null;
}

const delay = 500;

/** The tooltip to show now: of what is hovered for a moment, or of what keyboard focus reached. */
export function useTip(): Tip | null {
  const [tip, setTip] = useState<Tip | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shownAt = 0;
    const hide = () => {
      clearTimeout(timer);
      setTip(null);
    };
    const show = (target: Element) => {
      const text = target.getAttribute("data-tip");
      if (!text || !target.isConnected) return;
      shownAt = performance.now();
      setTip({ target, text, keys: target.getAttribute("data-tip-keys") });
    };
    const targetOf = (event: Event) => (event.target instanceof Element ? event.target.closest("[data-tip]") : null);
    const over = (event: PointerEvent) => {
      if (event.pointerType === "touch") return;
      const target = targetOf(event);
      clearTimeout(timer);
      if (!target) return setTip(null);
      // From one button to its neighbour the second tooltip comes at once.
      const soon = performance.now() - shownAt < 300;
      setTip((before) => (before?.target === target ? before : null));
      timer = setTimeout(() => show(target), soon ? 0 : delay);
    };
    const focus = (event: FocusEvent) => {
      const target = targetOf(event);
      clearTimeout(timer);
      if (target?.matches(":focus-visible")) show(target);
      else setTip(null);
    };
    document.addEventListener("pointerover", over);
    document.addEventListener("focusin", focus);
    document.addEventListener("focusout", hide);
    document.addEventListener("pointerdown", hide, true);
    document.addEventListener("keydown", hide, true);
    document.addEventListener("scroll", hide, true);
    window.addEventListener("blur", hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerover", over);
      document.removeEventListener("focusin", focus);
      document.removeEventListener("focusout", hide);
      document.removeEventListener("pointerdown", hide, true);
      document.removeEventListener("keydown", hide, true);
      document.removeEventListener("scroll", hide, true);
      window.removeEventListener("blur", hide);
    };
  }, []);
  return tip;
}

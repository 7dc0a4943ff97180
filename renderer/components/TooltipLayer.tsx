import { useLayoutEffect, useRef } from "react";
import { Kbd } from "./Kbd.tsx";
import { placeTip } from "./placeTip.ts";
import { useTip } from "./useTip.ts";

/** The one tooltip of the window. */
export function TooltipLayer() {
  const tip = useTip();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!tip || !box.current) return;
    const { left, top } = placeTip(tip.target.getBoundingClientRect(), box.current.getBoundingClientRect(), {
      width: window.innerWidth,
      height: window.innerHeight,
    });
    box.current.style.left = `${left}px`;
    box.current.style.top = `${top}px`;
  }, [tip]);
  if (!tip) return null;
  return (
    <div ref={box} className="tip" role="presentation">
      {tip.text}
      {tip.keys && <Kbd keys={tip.keys} />}
    </div>
  );
}

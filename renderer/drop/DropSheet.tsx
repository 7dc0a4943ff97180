import { useSyncExternalStore } from "react";
import { Icon } from "../components/Icon.tsx";
import { frame } from "../words/frame.ts";
import { dropTakers, watchDrops } from "./registry.ts";
import { useFileDrop } from "./useFileDrop.ts";

/** Covers the window while files are dragged over it and says what dropping them does. */
export function DropSheet() {
  const dragged = useFileDrop();
  const takers = useSyncExternalStore(watchDrops, dropTakers);
  if (dragged === null || takers.length === 0) return null;
  return (
    <div className="drop-sheet" role="status">
      <Icon name="import" size="l" className="acc" />
      <b>{dragged > 0 ? frame.dropTitle(dragged) : frame.dropAny}</b>
      <span className="f12 dim">{takers.map((taker) => taker.hint).join(" ")}</span>
    </div>
  );
}

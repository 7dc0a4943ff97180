import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";
import { Kbd } from "./Kbd.tsx";

export interface TooltipProps {
  readonly text: string;
  readonly keys?: string;
  readonly children: ReactElement<Record<string, unknown>>;
}

/** A short name with its shortcut, after a moment's hover or on focus. The child carries its own accessible name. */
export function Tooltip({ text, keys, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className="tip-pos" sideOffset={6}>
          <Base.Popup className="tip">
            {text}
            {keys && <Kbd keys={keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export const TooltipProvider = Base.Provider;

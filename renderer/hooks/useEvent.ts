import { useEffect, useRef } from "react";
import { type BridgeEvent, type BridgeEventOf, listen } from "./bridge.ts";

/** Runs `handler` for every event of one type while the component is mounted; the handler may change between renders. */
export function useEvent<Type extends BridgeEvent["type"]>(
  type: Type,
  handler: (event: BridgeEventOf<Type>) => void,
): void {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(
    () =>
      listen((event) => {
        if (event.type === type) latest.current(event as BridgeEventOf<Type>);
      }),
    [type],
  );
}

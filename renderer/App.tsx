import { CSPProvider } from "@base-ui/react/csp-provider";
import { useEffect } from "react";
import { Toasts } from "./components/Toasts.tsx";
import { TooltipLayer } from "./components/TooltipLayer.tsx";
import { DropSheet } from "./drop/DropSheet.tsx";
import { Background } from "./frame/Background.tsx";
import { Frame } from "./frame/Frame.tsx";
import { StartGate } from "./frame/StartGate.tsx";
import { watchEngine } from "./hooks/useEngineState.ts";
import { useTheme } from "./hooks/useTheme.ts";

/** The window: everything that is there on every screen, and the gate that waits for the core. */
export function App() {
  useTheme();
  useEffect(watchEngine, []);
  return (
    <CSPProvider disableStyleElements>
      <StartGate>
        <Frame />
      </StartGate>
      <Background />
      <DropSheet />
      <Toasts />
      <TooltipLayer />
    </CSPProvider>
  );
}

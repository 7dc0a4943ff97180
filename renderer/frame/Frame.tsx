import { Suspense } from "react";
import { useRoute } from "../hooks/useRoute.ts";
import { Palette } from "../palette/Palette.tsx";
import { useOwnCommands } from "../palette/useOwnCommands.ts";
import { screens } from "../screens/index.ts";
import { Boundary } from "./Boundary.tsx";
import { Notices } from "./Notices.tsx";
import { Rail } from "./Rail.tsx";
import { useFrameKeys } from "./useFrameKeys.ts";

/** Rail and screen. An unknown address shows the first screen. */
export function Frame() {
  const route = useRoute();
  const screen = screens.find((each) => each.id === route.screen) ?? screens[0];
  useFrameKeys();
  useOwnCommands();
  if (!screen) return null;
  return (
    <div className="app">
      <Rail current={screen.id} />
      <Boundary key={screen.id}>
        <Suspense fallback={<div className="screen noside" aria-busy="true" />}>
          <screen.Component />
        </Suspense>
      </Boundary>
      <Notices />
      <Palette />
    </div>
  );
}

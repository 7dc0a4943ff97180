import type { ComponentType, LazyExoticComponent } from "react";
import type { IconName } from "../components/Icon.tsx";

/** One screen as the rail, the palette and the shortcuts know it. */
export interface ScreenEntry {
  /** First part of its address: `#/library/...`. */
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly place: "top" | "foot";
  /** `mod+3`: fixed, whichever other screens exist. */
  readonly keys: string;
  /** Reads its place with `useRoute`; rendered inside the frame, right of the rail. */
  readonly Component: LazyExoticComponent<ComponentType>;
  /** A hook that runs as long as the window, whichever screen is shown: registers drops, listens to events. */
  readonly useBackground?: () => void;
  /** A hook: true puts a dot on the rail. */
  readonly usePip?: () => boolean;
}

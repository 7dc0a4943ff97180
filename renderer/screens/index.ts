/** The table of screens, in the order of the rail. A screen that is not in it does not exist for the user. */
import { lazy } from "react";
import { useFeedListDrop } from "../drop/useFeedListDrop.ts";
import { useModelDrop } from "../drop/useModelDrop.ts";
import { useTurnPip } from "../turns/useTurn.ts";
import { useLibraryDrop } from "./library/useLibraryDrop.ts";
import type { ScreenEntry } from "./types.ts";

export type { ScreenEntry } from "./types.ts";

export const screens: readonly ScreenEntry[] = [
  {
    id: "chat",
    label: "Chat",
    icon: "chat",
    place: "top",
    keys: "mod+1",
    usePip: useTurnPip,
    Component: lazy(() => import("./chat/ChatScreen.tsx").then((module) => ({ default: module.ChatScreen }))),
  },
  {
    id: "beliefs",
    label: "Beliefs",
    icon: "beliefs",
    place: "top",
    keys: "mod+2",
    Component: lazy(() => import("./beliefs/BeliefsScreen.tsx").then((module) => ({ default: module.BeliefsScreen }))),
  },
  {
    id: "library",
    label: "Library",
    icon: "library",
    place: "top",
    keys: "mod+3",
    useBackground: useLibraryDrop,
    Component: lazy(() => import("./library/LibraryScreen.tsx").then((module) => ({ default: module.LibraryScreen }))),
  },
  {
    id: "feeds",
    label: "Feeds",
    icon: "feeds",
    place: "top",
    keys: "mod+4",
    useBackground: useFeedListDrop,
    Component: lazy(() => import("./feeds/FeedsScreen.tsx").then((module) => ({ default: module.FeedsScreen }))),
  },
  {
    id: "memory",
    label: "Memory",
    icon: "memory",
    place: "top",
    keys: "mod+5",
    Component: lazy(() => import("./memory/MemoryScreen.tsx").then((module) => ({ default: module.MemoryScreen }))),
  },
  {
    id: "models",
    label: "Models",
    icon: "models",
    place: "foot",
    keys: "mod+6",
    useBackground: useModelDrop,
    Component: lazy(() => import("./models/ModelsScreen.tsx").then((module) => ({ default: module.ModelsScreen }))),
  },
  {
    id: "privacy",
    label: "Privacy",
    icon: "privacy",
    place: "foot",
    keys: "mod+7",
    Component: lazy(() => import("./privacy/PrivacyScreen.tsx").then((module) => ({ default: module.PrivacyScreen }))),
  },
  {
    id: "settings",
    label: "Settings",
    icon: "settings",
    place: "foot",
    keys: "mod+,",
    Component: lazy(() =>
      import("./settings/SettingsScreen.tsx").then((module) => ({ default: module.SettingsScreen })),
    ),
  },
];

import { useEffect } from "react";
import { newChat } from "../frame/useFrameKeys.ts";
import { chooseModels } from "../hooks/useModels.ts";
import { changeSettings } from "../hooks/useSettings.ts";
import { screens } from "../screens/index.ts";
import { palette as words } from "../words/palette.ts";
import { ownSources } from "./ownSources.ts";
import { registerCommands, registerPaletteSource } from "./registry.ts";

/** The sources of the palette, and what the frame itself can do. */
export function useOwnCommands(): void {
  useEffect(() => {
    const sources = ownSources
      .filter((source) => screens.some((screen) => screen.id === source.id))
      .map(registerPaletteSource);
    const commands = registerCommands("frame", () => [
      { id: "do:new", icon: "plus", label: words.newChat, keys: "mod+n", run: newChat },
      { id: "do:model", icon: "import", label: words.importModel, words: "gguf install", run: chooseModels },
      {
        id: "do:light",
        icon: "eye",
        label: words.light,
        words: "theme colour",
        run: () => void changeSettings({ theme: "light" }),
      },
      {
        id: "do:dark",
        icon: "eye",
        label: words.dark,
        words: "theme colour night",
        run: () => void changeSettings({ theme: "dark" }),
      },
      {
        id: "do:system",
        icon: "eye",
        label: words.system,
        words: "theme colour automatic",
        run: () => void changeSettings({ theme: "system" }),
      },
    ]);
    return () => {
      for (const off of sources) off();
      commands();
    };
  }, []);
}

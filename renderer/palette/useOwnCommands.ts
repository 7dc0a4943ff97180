import { useEffect } from "react";
import { count } from "../format/numbers.ts";
import { newChat } from "../frame/useFrameKeys.ts";
import { call } from "../hooks/bridge.ts";
import { chooseModels } from "../hooks/useModels.ts";
import { navigate } from "../hooks/useRoute.ts";
import { changeSettings } from "../hooks/useSettings.ts";
import { chat } from "../words/chat.ts";
import { palette as words } from "../words/palette.ts";
import { registerCommands, registerPaletteSource } from "./registry.ts";

/** Chats to find, and what the frame itself can do. */
export function useOwnCommands(): void {
  useEffect(() => {
    const sources = registerPaletteSource({
      id: "chats",
      async search(query) {
        const list = await call("conversations.list", query ? { query } : {});
        return [...list]
          .sort((a, b) => b.updatedAt - a.updatedAt)
          .slice(0, 5)
          .map((each) => ({
            id: `chat:${each.id}`,
            icon: "chat",
            label: each.title || chat.untitled,
            note: words.chatNote(chat.turns(each.turns, count(each.turns))),
            run: () => navigate({ screen: "chat", path: [each.id] }),
          }));
      },
    });
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
      sources();
      commands();
    };
  }, []);
}

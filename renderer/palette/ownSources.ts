/** Where the palette looks: chats, beliefs, documents, feed entries, memories. A source whose screen is absent is skipped. */
import { count, plural, signed } from "../format/numbers.ts";
import { shortTime } from "../format/times.ts";
import { call } from "../hooks/bridge.ts";
import { navigate } from "../hooks/useRoute.ts";
import { chat } from "../words/chat.ts";
import { palette as words } from "../words/palette.ts";
import type { PaletteSource } from "./registry.ts";

const best = 4;

const chats: PaletteSource = {
  id: "chat",
  async search(query) {
    const list = await call("conversations.list", query ? { query } : {});
    return [...list]
      .sort((a, b) => b.updatedAt - a.updatedAt)
      .slice(0, query ? best : 6)
      .map((each) => ({
        id: `chat:${each.id}`,
        icon: "chat",
        label: each.title || chat.untitled,
        note: words.chatNote(chat.turns(each.turns, count(each.turns))),
        run: () => navigate({ screen: "chat", path: [each.id] }),
      }));
  },
};

const beliefs: PaletteSource = {
  id: "beliefs",
  async search(query) {
    if (!query) return [];
    const { beliefs: list } = await call("beliefs.list", { query, limit: best });
    return list.map((each) => ({
      id: `belief:${each.id}`,
      icon: "beliefs",
      label: each.statement,
      note: words.beliefNote(signed(each.valence)),
      run: () => navigate({ screen: "beliefs", path: [each.id] }),
    }));
  },
};

const documents: PaletteSource = {
  id: "library",
  async search(query) {
    if (!query) return [];
    const { documents: list } = await call("library.list", { name: query, limit: best });
    return list.map((each) => ({
      id: `document:${each.id}`,
      icon: "file",
      label: each.name,
      note: each.pages === null ? plural(each.passages, "passage") : plural(each.pages, "page"),
      run: () => navigate({ screen: "library", path: ["document", each.id] }),
    }));
  },
};

const entries: PaletteSource = {
  id: "feeds",
  async search(query) {
    if (!query) return [];
    const { entries: list } = await call("feeds.entries", { filter: { query }, limit: best });
    return list.map((each) => ({
      id: `entry:${each.id}`,
      icon: "feeds",
      label: each.title,
      note: words.entryNote(shortTime(each.at, Date.now())),
      run: () => navigate({ screen: "feeds", path: ["all"], query: { entry: each.id } }),
    }));
  },
};

const memories: PaletteSource = {
  id: "memory",
  async search(query) {
    if (!query) return [];
    const { entries: list } = await call("memory.list", { query, view: "said", limit: best });
    return list.map((each) => ({
      id: `memory:${each.id}`,
      icon: "memory",
      label: each.text.slice(0, 120),
      note: words.memoryNote,
      run: () => navigate({ screen: "memory", path: [each.id] }),
    }));
  },
};

export const ownSources: readonly PaletteSource[] = [chats, beliefs, documents, entries, memories];

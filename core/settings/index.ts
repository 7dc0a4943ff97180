/** The user's settings: read tolerantly (a damaged value falls back to its default), written one by one. */
import { type Handlers, Settings } from "../contract/index.ts";
import type { WritableDatabase } from "../storage/index.ts";

const DEFAULTS: Settings = {
  theme: "system",
  firstStartDone: false,
  contextLimit: null,
  maxIterations: 12,
  sendWithEnter: true,
  textSize: 1,
};

export interface SettingsStore {
  get(): Settings;
  /** Stores the given fields and returns the whole. Fields that are left out keep their value. */
  set(change: Partial<Settings>): Settings;
}

export function createSettings(deps: {
  readonly db: WritableDatabase;
  readonly onChanged?: (settings: Settings) => void;
}): SettingsStore {
  const { db } = deps;

  function get(): Settings {
    const settings: Record<string, unknown> = { ...DEFAULTS };
    for (const { key, value } of db.read<{ key: string; value: string }>("SELECT key, value FROM settings").all()) {
      const field = Settings.shape[key as keyof Settings];
      if (!field) continue;
      const parsed = field.safeParse(parseJson(value));
      if (parsed.success) settings[key] = parsed.data;
    }
    return Settings.parse(settings);
  }

  return {
    get,
    set(change) {
      db.transaction(() => {
        for (const [key, value] of Object.entries(change)) {
          if (value === undefined) continue;
          db.write(
            "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
          ).run(key, JSON.stringify(value));
        }
      });
      const settings = get();
      deps.onChanged?.(settings);
      return settings;
    },
  };
}

export function settingsHandlers(store: SettingsStore): Pick<Handlers, "settings.get" | "settings.set"> {
  return {
    "settings.get": () => store.get(),
    "settings.set": (change) => store.set(change),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

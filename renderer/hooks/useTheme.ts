import { useLayoutEffect } from "react";
import { call } from "./bridge.ts";
import { useSettings } from "./useSettings.ts";

const dark = "(prefers-color-scheme: dark)";

/** Puts theme and text size on the document, and follows the system while the setting says so. */
export function useTheme(): void {
  const settings = useSettings();
  const theme = settings?.theme ?? "system";
  const textSize = settings?.textSize ?? 1;

  useLayoutEffect(() => {
    const root = document.documentElement;
    const media = window.matchMedia(dark);
    const apply = () => {
      root.dataset["theme"] = theme === "system" ? (media.matches ? "dark" : "light") : theme;
    };
    apply();
    media.addEventListener("change", apply);
    return () => media.removeEventListener("change", apply);
  }, [theme]);

  useLayoutEffect(() => {
    if (settings) call("shell.setTheme", { theme }).catch(() => undefined); // the window itself is themed either way
  }, [settings, theme]);

  useLayoutEffect(() => {
    document.documentElement.style.setProperty("--text-size", String(textSize));
  }, [textSize]);
}

/** Where the window is: `#/chat/ID?find=word`. The hash survives a reload and gives back and forward for free. */
import { useSyncExternalStore } from "react";

export interface Route {
  readonly screen: string;
  /** What follows the screen: `["ID", "turn"]`. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(safeDecode);
  return {
    screen: parts[0] ?? "chat",
    path: parts.slice(1),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

export function formatRoute(route: {
  screen: string;
  path?: readonly string[];
  query?: Record<string, string>;
}): string {
  const path = [route.screen, ...(route.path ?? [])].map(encodeURIComponent).join("/");
  const search = new URLSearchParams(route.query ?? {}).toString();
  return `#/${path}${search ? `?${search}` : ""}`;
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Goes to a place; `replace` leaves no entry to go back to. */
export function navigate(
  route: { screen: string; path?: readonly string[]; query?: Record<string, string> },
  options: { replace?: boolean } = {},
): void {
  const hash = formatRoute(route);
  if (hash === window.location.hash) return;
  if (options.replace) {
    window.history.replaceState(null, "", hash);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    window.location.hash = hash;
  }
}

const subscribe = (onChange: () => void) => {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
};
let cachedHash: string | null = null;
let cachedRoute: Route = parseRoute("");
const snapshot = () => {
  if (window.location.hash !== cachedHash) {
    cachedHash = window.location.hash;
    cachedRoute = parseRoute(cachedHash);
  }
  return cachedRoute;
};

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, snapshot);
}

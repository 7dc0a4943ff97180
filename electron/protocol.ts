import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";
import { protocol, type Session } from "electron";
import { pageHeaders } from "./security.ts";

export const appOrigin = "credence://app";
export const appUrl = `${appOrigin}/`;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".ttf": "font/ttf",
  ".wasm": "application/wasm",
  ".bcmap": "application/octet-stream",
  ".pfb": "application/octet-stream",
};

/** Must run before the app is ready. The scheme is a secure origin of its own, and cannot be fetched from script. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: "credence", privileges: { standard: true, secure: true, codeCache: true } },
  ]);
}

/** The file inside `folder` that an address of the app names, or null when it names none. Never leaves `folder`. */
export function fileFor(address: string, folder: string): string | null {
  let url: URL;
  let path: string;
  try {
    url = new URL(address);
    path = decodeURIComponent(url.pathname);
  } catch {
    return null;
  }
  if (url.protocol !== "credence:" || url.host !== "app" || path.includes("\0")) return null;
  const file = normalize(join(folder, path === "/" ? "index.html" : path));
  return file.startsWith(folder + sep) && extname(file) in types ? file : null;
}

/** Serves the window's own files, and nothing else, under `credence://app/`. */
export function serveApp(session: Session, folder: string): void {
  session.protocol.handle("credence", async (request) => {
    const file = request.method === "GET" ? fileFor(request.url, folder) : null;
    if (!file) return new Response("Not found", { status: 404, headers: pageHeaders("text/plain; charset=utf-8") });
    try {
      const body = await readFile(file);
      return new Response(new Uint8Array(body), { headers: pageHeaders(types[extname(file)]!) });
    } catch {
      return new Response("Not found", { status: 404, headers: pageHeaders("text/plain; charset=utf-8") });
    }
  });
}

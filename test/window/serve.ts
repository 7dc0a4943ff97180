/** Serves the built window on loopback with the product's own content policy, for tests and pictures in a browser. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { build as bundle } from "esbuild";
import { build } from "vite";

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".ttf": "font/ttf",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".mjs": "text/javascript",
};
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; worker-src 'self'; connect-src 'none'; object-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'";
const root = new URL("../..", import.meta.url).pathname;

export async function buildWindow(outDir: string): Promise<void> {
  await build({ configFile: join(root, "vite.config.ts"), logLevel: "warn", build: { outDir, minify: false } });
}

export async function serveWindow(folder: string): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
    const file = normalize(join(folder, path === "/" ? "index.html" : path));
    try {
      const body = file.startsWith(folder) ? await readFile(file) : null;
      if (!body) throw new Error("outside");
      response.writeHead(200, {
        "Content-Type": types[extname(file)] ?? "application/octet-stream",
        "Content-Security-Policy": policy,
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** The scripted core as one script that puts `window.credence` there before the page starts. */
export async function bridgeScript(scene: string): Promise<string> {
  const result = await bundle({
    stdin: {
      contents: `import * as scenes from "./scenes.ts"; import { createScriptedCore } from "./scripted-core.ts"; window.credence = createScriptedCore(${scene}); window.__core = window.credence;`,
      resolveDir: join(root, "test/window"),
      loader: "ts",
    },
    bundle: true,
    write: false,
    format: "iife",
    target: "chrome130",
  });
  return result.outputFiles[0]!.text;
}

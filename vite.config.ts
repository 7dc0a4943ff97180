import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The window's pages. Everything is a file of its own under the app's origin, as its content policy asks. */
export default defineConfig({
  root: fileURLToPath(new URL("renderer", import.meta.url)),
  base: "/",
  publicDir: fileURLToPath(new URL("renderer/public", import.meta.url)),
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL("dist/renderer", import.meta.url)),
    emptyOutDir: true,
    target: "chrome130",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 4000,
  },
});

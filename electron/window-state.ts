import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

export const minimumSize = { width: 960, height: 640 } as const;
const initialSize = { width: 1280, height: 820 } as const;

const Rectangle = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
});
export type Rectangle = z.infer<typeof Rectangle>;

/** What the shell keeps between starts. The theme is here as well, to paint the first frame before the core is up. */
export const WindowState = z.object({
  bounds: Rectangle.nullable().catch(null),
  maximized: z.boolean().catch(false),
  theme: z.enum(["system", "light", "dark"]).catch("system"),
});
export type WindowState = z.infer<typeof WindowState>;

/** The state as stored; anything unreadable counts as none. */
export function readWindowState(file: string): WindowState {
  try {
    return WindowState.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return { bounds: null, maximized: false, theme: "system" };
  }
}

/** Stores the state whole or not at all. A full disk or a folder without write permission costs only the state. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  } catch {
    // Losing where the window stood is no reason to stop.
  }
}

/** Bounds to open with: as stored if enough of the title bar is on a screen that still exists, else centred by default. */
export function placeWindow(
  stored: Rectangle | null,
  workAreas: readonly Rectangle[],
): Partial<Rectangle> & { width: number; height: number } {
  if (!stored) return initialSize;
  const width = Math.max(stored.width, minimumSize.width);
  const height = Math.max(stored.height, minimumSize.height);
  const reachable = workAreas.some((area) => {
    const overlap = Math.min(stored.x + width, area.x + area.width) - Math.max(stored.x, area.x);
    return overlap >= 120 && stored.y >= area.y - 8 && stored.y <= area.y + area.height - 40;
  });
  return reachable ? { x: stored.x, y: stored.y, width, height } : { width, height };
}

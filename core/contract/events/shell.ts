import { z } from "zod";

/** What a menu item asks the window to do; the window handles the same shortcuts itself where it sees the key first. */
export const ShellCommand = z.enum([
  "palette",
  "new-chat",
  "find-here",
  "search-documents",
  "inspect-turn",
  "evidence-panel",
  "screen-chat",
  "screen-beliefs",
  "screen-library",
  "screen-feeds",
  "screen-memory",
  "screen-models",
  "screen-privacy",
  "screen-settings",
]);
export type ShellCommand = z.infer<typeof ShellCommand>;

/** What the desktop shell tells its window, beside the core's events. */
export const ShellEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("shell.command"), command: ShellCommand }),
  /** Files given to the app from outside: a second start with arguments, "Open with", a drop on the dock icon. */
  z.object({ type: z.literal("shell.files"), paths: z.array(z.string()) }),
]);
export type ShellEvent = z.infer<typeof ShellEvent>;

import { z } from "zod";
import { defineMethods } from "./define.ts";

/** An error as data, for results that carry one (errors of the call itself reject instead). */
export const ErrorDataSchema = z.object({
  kind: z.string(),
  message: z.string(),
  facts: z.record(z.string(), z.unknown()),
  retry: z.enum(["now", "later", "never"]),
});

/**
 * What the desktop shell does for its window, beside the core's own methods. The core does not know these, and the
 * command line does not have them.
 */
export const shellMethods = defineMethods({
  /** Answers once the core is up or has failed to start. A failed start is shown, not thrown: the window explains it. */
  "app.startup": {
    params: z.object({}),
    result: z.discriminatedUnion("state", [
      z.object({ state: z.literal("ready") }),
      z.object({ state: z.literal("failed"), error: ErrorDataSchema, dataDir: z.string() }),
    ]),
  },
  /** Tries to start the core again after a failed start ("Try again"). */
  "app.retryStartup": { params: z.object({}), result: z.null() },
  "app.quit": { params: z.object({}), result: z.null() },
  /** The system's dialog for choosing files or folders; an empty list when the user closed it. */
  "shell.openFiles": {
    params: z.object({
      title: z.string().max(120).optional(),
      kind: z.enum(["any", "models", "documents", "subscriptions", "conversations"]).optional(),
      choose: z.enum(["files", "folders"]).optional(),
      multiple: z.boolean().optional(),
    }),
    result: z.object({ paths: z.array(z.string()) }),
  },
  /** Writes `text` where the user says in the system's save dialog; `path` is null when the user closed it. */
  "shell.saveText": {
    params: z.object({ fileName: z.string().min(1).max(200), text: z.string() }),
    result: z.object({ path: z.string().nullable() }),
  },
  /** Shows a file in the system's file manager. Never opens it. */
  "shell.revealPath": { params: z.object({ path: z.string().min(1) }), result: z.null() },
  /** Opens an https: address in the system's browser. Refused without a click or key press just before. */
  "shell.openExternal": { params: z.object({ url: z.string().min(1).max(4096) }), result: z.null() },
  /** Puts text on the clipboard. */
  "shell.copyText": { params: z.object({ text: z.string() }), result: z.null() },
  /** Colours of what the system draws (title bar, scroll bars, dialogs) follow the window's theme. */
  "shell.setTheme": { params: z.object({ theme: z.enum(["system", "light", "dark"]) }), result: z.null() },
});

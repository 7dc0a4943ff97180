import { writeFile } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import { app, BrowserWindow, clipboard, dialog, nativeTheme, shell, type WebContents } from "electron";
import type { z } from "zod";
import { CredenceError, type shellMethods } from "../core/contract/index.ts";
import { openLink } from "./security.ts";

type ShellTable = typeof shellMethods;
export type ShellHandlers = {
  [Name in keyof ShellTable]: (
    params: z.output<ShellTable[Name]["params"]>,
    contents: WebContents,
  ) => Promise<z.output<ShellTable[Name]["result"]>>;
};

const filters: Readonly<Record<string, Electron.FileFilter[]>> = {
  models: [{ name: "Language models (GGUF)", extensions: ["gguf"] }],
  subscriptions: [{ name: "Subscriptions (OPML)", extensions: ["opml", "xml"] }],
  conversations: [{ name: "Conversations", extensions: ["json", "zip", "md", "txt"] }],
};

export interface ShellPorts {
  startup(): Promise<z.output<ShellTable["app.startup"]["result"]>>;
  retryStartup(): void;
  themeChosen(theme: "system" | "light" | "dark"): void;
}

/** What the shell does for its window. */
export function shellHandlers(ports: ShellPorts): ShellHandlers {
  const windowOf = (contents: WebContents) => BrowserWindow.fromWebContents(contents);
  return {
    "app.startup": () => ports.startup(),
    async "app.retryStartup"() {
      ports.retryStartup();
      return null;
    },
    async "app.quit"() {
      app.quit();
      return null;
    },
    async "shell.openFiles"(params, contents) {
      const folders = params.choose === "folders";
      const options: Electron.OpenDialogOptions = {
        properties: [
          folders ? "openDirectory" : "openFile",
          ...(params.multiple ? (["multiSelections"] as const) : []),
        ],
        ...(params.title ? { title: params.title } : {}),
        ...(!folders && params.kind && filters[params.kind]
          ? { filters: [...filters[params.kind]!, { name: "All files", extensions: ["*"] }] }
          : {}),
      };
      const window = windowOf(contents);
      const chosen = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
      return { paths: chosen.canceled ? [] : chosen.filePaths };
    },
    async "shell.saveText"(params, contents) {
      const options = { defaultPath: join(app.getPath("documents"), safeFileName(params.fileName)) };
      const window = windowOf(contents);
      const chosen = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
      if (chosen.canceled || !chosen.filePath) return { path: null };
      try {
        await writeFile(chosen.filePath, params.text);
      } catch (cause) {
        throw new CredenceError(
          "shell.file-not-written",
          { path: chosen.filePath, why: whyNotWritten(cause) },
          { cause },
        );
      }
      return { path: chosen.filePath };
    },
    async "shell.revealPath"(params) {
      if (!isLocalPath(params.path)) {
        throw new CredenceError("general.invalid-request", {
          method: "shell.revealPath",
          problem: "path: not a path on this machine",
        });
      }
      shell.showItemInFolder(params.path);
      return null;
    },
    async "shell.openExternal"(params, contents) {
      await openLink(contents, params.url);
      return null;
    },
    async "shell.copyText"(params) {
      clipboard.writeText(params.text);
      return null;
    },
    async "shell.setTheme"(params) {
      nativeTheme.themeSource = params.theme;
      ports.themeChosen(params.theme);
      return null;
    },
  };
}

/** An absolute path on a disk of this machine: looking at a network share would send the user's name to its server. */
export function isLocalPath(path: string): boolean {
  return isAbsolute(path) && !/^[\\/]{2}/.test(path) && !path.includes("\0");
}

/** A file name that every system accepts, from a title that may hold anything. */
export function safeFileName(name: string): string {
  const cleaned = basename(name.replace(/[\\/:*?"<>|\u0000-\u001f]/g, "-")).replace(/^\.+|[. ]+$/g, "");
  return cleaned || "Credence export.txt";
}

function whyNotWritten(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  if (code === "ENOSPC") return "the disk is full";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "there is no permission to write there";
  return "the system refused it";
}

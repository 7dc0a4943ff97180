/** The desktop shell: one window onto one core. What it knows of Credence's subject is the contract's table of methods. */
import { createHash } from "node:crypto";
import { accessSync, constants, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { app, session } from "electron";
import type { BridgeEvent } from "../core/contract/index.ts";
import { profileFolder } from "../core/platform/index.ts";
import { commandArguments, hasDisplay, readArguments } from "./arguments.ts";
import { type CoreHolder, holdCore } from "./core.ts";
import { answerCalls, pushEvent } from "./ipc.ts";
import { installMenu } from "./menu.ts";
import { windowDir } from "./paths.ts";
import { appOrigin, registerAppScheme, serveApp } from "./protocol.ts";
import { guardContents, guardSession, silenceChromium } from "./security.ts";
import { shellHandlers } from "./shell-methods.ts";
import { type MainWindow, openMainWindow } from "./window.ts";

const closeLimitMs = 8000;

const argv = process.argv.slice(app.isPackaged ? 1 : 2);
const launch = readArguments(argv, process.cwd());
const dataDir = profileFolder(launch.dataDir, process.env);

/** Chromium's own files lie in the profile; for a profile that cannot be written, beside it, so that we can say so. */
function windowFolder(profile: string): string {
  const folder = join(profile, "window");
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    const name = createHash("sha256").update(profile).digest("hex").slice(0, 12);
    const elsewhere = join(tmpdir(), `credence-window-${name}`);
    mkdirSync(elsewhere, { recursive: true, mode: 0o700 });
    return elsewhere;
  }
}

function start(stateDir: string): void {
  registerAppScheme();
  guardContents();
  const core = holdCore(dataDir);
  // Electron's own answer to a stray error is a dialog with a stack; ours is a line in the log.
  process.on("uncaughtException", (thrown) => core.failed("main.exception", thrown));
  process.on("unhandledRejection", (thrown) => core.failed("main.rejection", thrown));

  let main: MainWindow | null = null;
  let waitingFiles = [...launch.files];
  const push = (event: BridgeEvent) => {
    if (main && !main.window.isDestroyed()) pushEvent(main.window.webContents, event);
  };
  const giveFiles = (files: readonly string[]) => {
    if (files.length === 0) return;
    if (main && !main.window.isDestroyed() && !main.window.webContents.isLoading())
      push({ type: "shell.files", paths: [...files] });
    else waitingFiles.push(...files);
  };
  const open = () => {
    main = openMainWindow(stateDir, core.note);
    main.window.webContents.on("did-finish-load", () => {
      const files = waitingFiles;
      waitingFiles = [];
      giveFiles(files);
    });
  };

  app.on("second-instance", (_event, _argv, _cwd, data) => {
    main?.focus();
    const files = (data as { files?: unknown }).files;
    if (Array.isArray(files)) giveFiles(files.filter((file): file is string => typeof file === "string"));
  });
  app.on("open-file", (event, path) => {
    event.preventDefault();
    giveFiles([path]);
  });
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin") app.quit();
  });
  closeCoreBeforeQuitting(core);

  void app.whenReady().then(() => {
    guardSession(session.defaultSession, (url) => url.startsWith(`${appOrigin}/`));
    serveApp(session.defaultSession, windowDir);
    const shell = shellHandlers({
      startup: core.startup,
      retryStartup: core.retry,
      themeChosen: (theme) => main?.setTheme(theme),
    });
    answerCalls({
      core: (method, params) => core.call(method, params),
      shell: (method, params, contents) => shell[method](params as never, contents),
      checkResults: !app.isPackaged || process.env["CREDENCE_CHECK_RESULTS"] === "1",
      failed: core.failed,
    });
    installMenu({ developer: !app.isPackaged, send: (command) => push({ type: "shell.command", command }) });
    open();
    core.on(push);
    core.start();
    app.on("activate", () => {
      if (!main || main.window.isDestroyed()) open();
      else main.focus();
    });
  });
}

/** Quitting waits until running turns are stored and the database is closed, but not for ever. */
function closeCoreBeforeQuitting(core: CoreHolder): void {
  let state: "open" | "closing" | "closed" = "open";
  app.on("before-quit", (event) => {
    if (state === "closed") return;
    event.preventDefault();
    if (state === "closing") return;
    state = "closing";
    const limit = new Promise<void>((done) => setTimeout(done, closeLimitMs).unref());
    void Promise.race([core.close(), limit]).finally(() => {
      state = "closed";
      app.quit();
    });
  });
}

/** The command line that this start asks for: a command's name, or a chat because no window can open here. */
async function commandAsked(): Promise<readonly string[] | null> {
  if (launch.command) return launch.command;
  if (launch.word && /^[a-z]+$/.test(launch.word)) {
    const { isCommand } = await import("./command-line.ts");
    if (isCommand(launch.word)) return commandArguments(argv);
  }
  if (hasDisplay(process.platform, process.env)) return null;
  process.stderr.write("There is no display here, so Credence opens in this terminal.\n");
  return ["chat", ...commandArguments(argv)];
}

const command = await commandAsked();
if (command) {
  const { run, runHeadless } = await import("./command-line.ts");
  if (process.platform === "linux" && !launch.command) runHeadless(command);
  else void run(command);
} else {
  const stateDir = windowFolder(dataDir);
  app.setPath("userData", stateDir);
  app.setPath("sessionData", stateDir);
  silenceChromium();
  if (app.requestSingleInstanceLock({ files: launch.files })) start(stateDir);
  else app.exit(0);
}

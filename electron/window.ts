import { join } from "node:path";
import { app, BrowserWindow, nativeTheme, screen } from "electron";
import { installContextMenu } from "./menu.ts";
import { preloadFile } from "./paths.ts";
import { appUrl } from "./protocol.ts";
import { minimumSize, placeWindow, readWindowState, type WindowState, writeWindowState } from "./window-state.ts";

/** The window's background before its page has painted: the tokens' `bg`, so that nothing flashes. */
const background = { light: "#f2f0eb", dark: "#131412" } as const;
const titleBar = {
  light: { color: "#f2f0eb", symbolColor: "#1f1e1a" },
  dark: { color: "#131412", symbolColor: "#e9e7e0" },
} as const;
const titleBarHeight = 44;
const saveDelayMs = 400;
const crashLimit = 3;

export interface MainWindow {
  readonly window: BrowserWindow;
  focus(): void;
  setTheme(theme: WindowState["theme"]): void;
}

const tone = () => (nativeTheme.shouldUseDarkColors ? "dark" : "light");

/** Opens the one window, where it stood last time, hidden until its first frame is there. */
export function openMainWindow(
  stateDir: string,
  log: (event: string, facts: Record<string, unknown>) => void,
): MainWindow {
  const file = join(stateDir, "state.json");
  let state = readWindowState(file);
  nativeTheme.themeSource = state.theme;
  const window = new BrowserWindow({
    ...placeWindow(
      state.bounds,
      screen.getAllDisplays().map((display) => display.workArea),
    ),
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    title: "Credence",
    show: false,
    backgroundColor: background[tone()],
    autoHideMenuBar: true,
    ...(process.platform === "darwin"
      ? { titleBarStyle: "hiddenInset" as const, trafficLightPosition: { x: 18, y: 16 } }
      : {}),
    ...(process.platform === "win32"
      ? { titleBarStyle: "hidden" as const, titleBarOverlay: { ...titleBar[tone()], height: titleBarHeight } }
      : {}),
    webPreferences: {
      preload: preloadFile,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      navigateOnDragDrop: false,
      devTools: !app.isPackaged,
      v8CacheOptions: "code",
    },
  });
  if (state.maximized) window.maximize();
  window.once("ready-to-show", () => window.show());
  installContextMenu(window);

  let timer: NodeJS.Timeout | null = null;
  const save = () => {
    timer = null;
    if (window.isDestroyed()) return;
    state = { ...state, bounds: window.getNormalBounds(), maximized: window.isMaximized() };
    writeWindowState(file, state);
  };
  const saveSoon = () => {
    timer ??= setTimeout(save, saveDelayMs);
  };
  for (const event of ["resize", "move", "maximize", "unmaximize"] as const) window.on(event as "resize", saveSoon);
  window.on("close", () => {
    if (timer) clearTimeout(timer);
    save();
  });

  const repaint = () => {
    if (window.isDestroyed()) return;
    window.setBackgroundColor(background[tone()]);
    if (process.platform === "win32") window.setTitleBarOverlay({ ...titleBar[tone()], height: titleBarHeight });
  };
  nativeTheme.on("updated", repaint);
  window.on("closed", () => nativeTheme.off("updated", repaint));

  // A page that dies comes back by itself: everything it showed is stored. One that keeps dying stays down.
  let crashes = 0;
  window.webContents.on("render-process-gone", (_event, details) => {
    log("window.gone", { reason: details.reason, exitCode: details.exitCode });
    if (details.reason === "clean-exit" || ++crashes > crashLimit) return;
    window.webContents.reload();
  });

  void window.loadURL(appUrl).catch((thrown) => log("window.load", { detail: String(thrown) }));
  return {
    window,
    focus() {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    setTheme(theme) {
      state = { ...state, theme };
      writeWindowState(file, state);
    },
  };
}

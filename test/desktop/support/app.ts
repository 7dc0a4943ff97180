import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron, type ElectronApplication, type Page } from "playwright";
import type { BridgeEvent, BridgeMethod, BridgeParams, BridgeResult } from "../../../core/contract/bridge.ts";
import { ChatScreen } from "./chat-screen.ts";

export interface LaunchOptions {
  readonly executable: string;
  readonly dataDir: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Passes the first-start screen, for tests that are about something else. */
  readonly firstStartDone?: boolean;
}

/** The packaged app, running. Tests see the window as a user does; what is inside goes through `evaluate` in few places. */
export class RunningApp {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly chat: ChatScreen;
  /** What the page wrote to its console as an error, and what it threw. */
  readonly complaints: string[] = [];

  constructor(electron: ElectronApplication, page: Page) {
    this.electron = electron;
    this.page = page;
    this.chat = new ChatScreen(page);
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
  }

  get pid(): number {
    return this.electron.process().pid!;
  }

  /** Calls a method as the window does. */
  async call<Name extends BridgeMethod>(method: Name, params: BridgeParams<Name>): Promise<BridgeResult<Name>> {
    const answer = await this.page.evaluate(
      ([name, given]) =>
        window.credence.call(name as never, given as never).then(
          (value) => ({ value }),
          (error) => ({ error }),
        ),
      [method, params] as const,
    );
    if ("error" in answer) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.value as BridgeResult<Name>;
  }

  /** Calls a method that is expected to fail; the error as the window catches it. */
  callError(method: string, params: unknown): Promise<{ kind: string; message: string } | null> {
    return this.page.evaluate(
      ([name, given]) =>
        window.credence.call(name as never, given as never).then(
          () => null,
          (error) => error,
        ),
      [method, params] as const,
    );
  }

  /** Collects events in the page from now on; read them with `events`. */
  async listen(): Promise<void> {
    await this.page.evaluate(() => {
      const seen: BridgeEvent[] = [];
      (window as unknown as { seen: BridgeEvent[] }).seen = seen;
      window.credence.on((event) => seen.push(event));
    });
  }

  events(): Promise<BridgeEvent[]> {
    return this.page.evaluate(() => (window as unknown as { seen: BridgeEvent[] }).seen);
  }

  /** The engine's process id, or null while there is none. */
  enginePid(): Promise<number | null> {
    return this.electron.evaluate(({ app }) => {
      const metric = app
        .getAppMetrics()
        .find((each) => each.name === "Credence engine" || each.serviceName === "Credence engine");
      return metric?.pid ?? null;
    });
  }

  /** Quits as a user does, and waits for the process to be gone. */
  async quit(): Promise<void> {
    const gone = this.exited();
    await this.electron.evaluate(({ app }) => app.quit()).catch(() => {});
    await gone;
  }

  /** Ends the app in the middle of whatever it does. */
  async kill(): Promise<void> {
    const gone = this.exited();
    process.kill(this.pid, "SIGKILL");
    await gone;
  }

  exited(): Promise<void> {
    const child = this.electron.process();
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => child.once("exit", () => resolve()));
  }
}

const running = new Set<RunningApp>();
const folders: string[] = [];

/** A folder of its own for a test, removed afterwards. Its name holds what paths may hold: a space, letters beyond ASCII. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "credence tëst-"));
  folders.push(folder);
  return folder;
}

export async function launch(options: LaunchOptions): Promise<RunningApp> {
  const electron = await _electron.launch({
    executablePath: options.executable,
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--data-dir",
      options.dataDir,
      ...(options.args ?? []),
    ],
    env: {
      ...(process.env as Record<string, string>),
      CREDENCE_CHECK_RESULTS: "1",
      CREDENCE_MODELS_DIR: "",
      ...options.env,
    },
    timeout: 60_000,
  });
  const app = new RunningApp(electron, await electron.firstWindow({ timeout: 60_000 }));
  running.add(app);
  electron.on("close", () => running.delete(app));
  await app.page.waitForLoadState("domcontentloaded");
  if (options.firstStartDone) {
    await app.call("app.startup", {});
    await app.call("settings.set", { firstStartDone: true });
    await app.page.reload();
  }
  return app;
}

/** Ends what a test left behind; for `afterEach`. */
export async function cleanUp(): Promise<void> {
  for (const app of [...running]) await app.kill().catch(() => {});
  running.clear();
  for (const folder of folders.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

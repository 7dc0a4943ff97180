import { app, powerMonitor } from "electron";
import type { z } from "zod";
import type { App } from "../core/app.ts";
import {
  asCredenceError,
  type BridgeEvent,
  type MethodName,
  type Params,
  type shellMethods,
} from "../core/contract/index.ts";
import { fileLog } from "../core/platform/index.ts";
import { electronChildHost } from "./child-host.ts";
import { childEntries, nativePaths, shippedModelDirs } from "./paths.ts";

type Startup = z.output<(typeof shellMethods)["app.startup"]["result"]>;

/** The core's life as the shell sees it: started once the window is on its way, started again on request, closed once. */
export interface CoreHolder {
  start(): void;
  retry(): void;
  startup(): Promise<Startup>;
  call(method: MethodName, params: unknown): Promise<unknown>;
  on(listener: (event: BridgeEvent) => void): void;
  close(): Promise<void>;
  note(event: string, facts: Record<string, unknown>): void;
  failed(what: string, thrown: unknown): void;
}

async function startCore(dataDir: string): Promise<App> {
  // Loaded only now, so that the window's own process starts while the core's code is read.
  const [{ createApp }, native] = await Promise.all([import("../core/app.ts"), nativePaths()]);
  return createApp({
    dataDir,
    modelDirs: shippedModelDirs(),
    childHost: electronChildHost(childEntries),
    native,
    onBattery: () => powerMonitor.isOnBatteryPower(),
    warmUp: true,
  });
}

export function holdCore(dataDir: string): CoreHolder {
  const log = fileLog(dataDir, () => Date.now());
  const listeners: ((event: BridgeEvent) => void)[] = [];
  let starting: Promise<App> | null = null;
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let closed = false;
  /** True only after a start that failed: a second core beside a living one would lock it out of its profile. */
  let mayStart = true;

  const failed = (what: string, thrown: unknown) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    log.error(what, { detail: error.message, stack: error.stack, version: app.getVersion() });
  };
  const start = () => {
    if (closed || !mayStart) return;
    mayStart = false;
    starting = startCore(dataDir);
    starting.then(
      (core) =>
        core.on((event) => {
          for (const listener of listeners) listener(event);
        }),
      (thrown) => {
        mayStart = true;
        failed("start", thrown);
      },
    );
    begin();
  };
  const running = async (): Promise<App> => {
    await begun;
    return starting!;
  };

  return {
    start,
    retry: start,
    async startup() {
      try {
        await running();
        return { state: "ready" };
      } catch (thrown) {
        return { state: "failed", error: asCredenceError(thrown).toData(), dataDir };
      }
    },
    async call(method, params) {
      return (await running()).call(method, params as Params<typeof method>);
    },
    on(listener) {
      listeners.push(listener);
    },
    async close() {
      closed = true;
      if (!starting) return;
      const core = await starting.catch(() => null);
      await core?.close().catch((thrown) => failed("close", thrown));
    },
    note: (event, facts) => log.warn(event, facts),
    failed,
  };
}

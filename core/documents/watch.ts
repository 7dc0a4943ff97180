import { type FSWatcher, watch } from "chokidar";
import type { Clock, Log } from "../platform/index.ts";
import { isCandidate, isOpenFolder } from "./walk.ts";

export interface WatchDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Files that appeared or changed, gathered for a moment. */
  readonly onFiles: (watchedId: string, paths: readonly string[]) => void;
  readonly onProblem: (watchedId: string, problem: string | null) => void;
}

/** Changes come in bursts (a folder copied in, a program saving twice); they are handed on together. */
const gatherMs = 400;

/** Watches folders for new and changed files. A file that goes away keeps its text in the library: drives get unplugged. */
export class FolderWatch {
  readonly #deps: WatchDeps;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #pending = new Map<string, Set<string>>();
  readonly #timers = new Map<string, () => void>();

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  start(id: string, folder: string): void {
    if (this.#watchers.has(id)) return;
    const watcher = watch(folder, {
      ignoreInitial: false,
      followSymlinks: false,
      // A file still being written is picked up once its size has settled.
      awaitWriteFinish: { stabilityThreshold: 300, pollInterval: 100 },
      ignored: (path, stats) => {
        if (path === folder) return false;
        const name = path.split(/[\\/]/).at(-1) ?? "";
        return stats?.isFile() ? !isCandidate(name) : stats?.isDirectory() ? !isOpenFolder(name) : false;
      },
    });
    watcher.on("add", (path) => this.#note(id, path));
    watcher.on("change", (path) => this.#note(id, path));
    watcher.on("error", (thrown) => {
      this.#deps.log.warn("documents.watch", { detail: (thrown as { code?: string }).code ?? "unknown" });
      this.#deps.onProblem(id, "This folder cannot be watched now. Check that it exists and that you may read it.");
    });
    this.#watchers.set(id, watcher);
  }

  #note(id: string, path: string): void {
    const paths = this.#pending.get(id) ?? new Set<string>();
    paths.add(path);
    this.#pending.set(id, paths);
    if (this.#timers.has(id)) return;
    this.#timers.set(
      id,
      this.#deps.clock.after(gatherMs, () => {
        this.#timers.delete(id);
        this.#pending.delete(id);
        this.#deps.onFiles(id, [...paths]);
      }),
    );
  }

  async stop(id: string): Promise<void> {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
    this.#pending.delete(id);
    const watcher = this.#watchers.get(id);
    this.#watchers.delete(id);
    await watcher?.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#watchers.keys()].map((id) => this.stop(id)));
  }
}

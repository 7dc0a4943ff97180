import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type AppEventOf,
  CredenceError,
  type LibraryDocument,
  type LibraryOverview,
  type LibraryQueue,
  type WatchedFolder,
} from "../contract/index.ts";
import type { PassageIndex } from "../memory/index.ts";
import { installedLanguages, type Parser } from "../parsing/index.ts";
import { type Clock, contentId, type Log } from "../platform/index.ts";
import type { WritableDatabase } from "../storage/index.ts";
import { ChangeNotes } from "./changes.ts";
import { Collections } from "./collections.ts";
import { EvidenceFeed } from "./evidence.ts";
import type { BeliefPort, CitationCount, EvidencePort } from "./ports.ts";
import { ReadingQueue } from "./queue.ts";
import { Removal } from "./removal.ts";
import { DocumentStore, type NewDocument } from "./store.ts";
import { DocumentTexts } from "./texts.ts";
import { type WalkReport, walk } from "./walk.ts";
import { FolderWatch } from "./watch.ts";

export interface LibraryDeps {
  readonly db: WritableDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly parser: Parser;
  readonly index: PassageIndex;
  /** Files read at the same time. */
  readonly readers: number;
  readonly onChanged: (event: Omit<AppEventOf<"library.changed">, "type">) => void;
  readonly evidence?: EvidencePort;
  readonly beliefs?: BeliefPort;
  readonly citations?: CitationCount;
  /** Where language data for text recognition lies, if anywhere. */
  readonly ocrFolder?: string;
}

const addBatch = 200;
const tickMs = 15_000;
const watchAfterMs = 2_000;
const lookAgainMs = 5_000;

/** The user's documents: what is in them, how far they are read, and what may be done with them. */
export class Library {
  readonly #deps: LibraryDeps;
  readonly store: DocumentStore;
  readonly texts: DocumentTexts;
  readonly collections: Collections;
  readonly removal: Removal;
  readonly queue: ReadingQueue;
  readonly #changes: ChangeNotes;
  readonly #evidence: EvidenceFeed;
  readonly #watch: FolderWatch;
  readonly #problems = new Map<string, string>();
  readonly #stop = new AbortController();
  #stopTick = () => {};
  #stopWatchStart = () => {};
  #scanning = 0;
  #languages: string[] = [];
  #lookAgainAt = 0;

  constructor(deps: LibraryDeps) {
    this.#deps = deps;
    const { db, clock, log, index, parser } = deps;
    this.store = new DocumentStore(db, clock, () => this.ocrLanguages().length > 0);
    this.texts = new DocumentTexts(db);
    this.collections = new Collections(db, clock);
    this.removal = new Removal({
      db,
      clock,
      store: this.store,
      texts: this.texts,
      index,
      beliefs: deps.beliefs ?? null,
    });
    this.#changes = new ChangeNotes(clock, (ids) => deps.onChanged({ ids, queue: this.queueState() }));
    this.queue = new ReadingQueue({
      db,
      store: this.store,
      parser,
      index,
      clock,
      log,
      readers: deps.readers,
      onChanged: (id) => this.#changes.note(id),
      onRead: () => this.#evidence.drain(),
    });
    this.#evidence = new EvidenceFeed(db, this.texts, deps.evidence ?? null);
    this.#watch = new FolderWatch({
      clock,
      log,
      onFiles: (id, paths) =>
        void this.#addWatched(id, paths).catch((thrown) => log.warn("documents.watched", { detail: String(thrown) })),
      onProblem: (id, problem) => {
        if (problem === null) this.#problems.delete(id);
        else this.#problems.set(id, problem);
        this.#changes.noteAll();
      },
    });
  }

  /**
   * Takes up what the last run left and begins to read. Beside another Credence on the same profile (`recover: false`)
   * nothing of its unfinished work is touched and no folder is watched twice.
   */
  async start(options: { recover: boolean }): Promise<void> {
    if (options.recover) {
      await this.removal.purge();
      this.store.recover();
      // Commands that end at once need not look through folders first.
      this.#stopWatchStart = this.#deps.clock.after(watchAfterMs, () => {
        for (const folder of this.collections.watched()) this.#watch.start(folder.id, folder.path);
      });
    }
    this.queue.start();
    this.#tick();
  }

  #tick(): void {
    this.#stopTick = this.#deps.clock.after(tickMs, () => {
      this.#evidence.drain();
      // Another process on the same profile may have added files.
      this.queue.pump();
      this.#tick();
    });
  }

  /** Files are known by name when this returns; they are read in the background. Throws when a path named by hand is not there. */
  async add(
    paths: readonly string[],
    collectionId: string | null,
    watchedId: string | null = null,
  ): Promise<{ added: number; unchanged: number; skipped: number; ids: string[] }> {
    if (collectionId !== null) this.collections.get(collectionId);
    const report: WalkReport = { skipped: 0, closed: [] };
    const ids: string[] = [];
    let unchanged = 0;
    let batch: NewDocument[] = [];
    const flush = async () => {
      const result = this.store.addBatch(batch);
      ids.push(...result.added, ...result.unchanged);
      unchanged += result.unchanged.length;
      this.queue.announce(result.added.length);
      for (const id of result.added) this.#changes.note(id);
      batch = [];
      await new Promise<void>((done) => setImmediate(done));
    };
    this.#scanning++;
    try {
      for await (const file of walk(paths, report, this.#stop.signal)) {
        batch.push({
          id: contentId("doc", file.path),
          name: file.name,
          path: file.path,
          collectionId,
          watchedId,
          bytes: file.bytes,
          modifiedAt: file.modifiedAt,
        });
        if (batch.length >= addBatch) await flush();
      }
    } finally {
      this.#scanning--;
      await flush();
      this.queue.pump();
    }
    return { added: ids.length - unchanged, unchanged, skipped: report.skipped, ids };
  }

  addText(title: string, text: string, collectionId: string | null): LibraryDocument {
    if (collectionId !== null) this.collections.get(collectionId);
    const id = contentId("doc", "pasted", title, text);
    const { added } = this.store.addBatch([
      { id, name: title, path: null, collectionId, watchedId: null, bytes: Buffer.byteLength(text), modifiedAt: null },
    ]);
    this.store.keepPasted(id, text);
    // Someone waits for it, perhaps behind thousands of files.
    this.store.first(id);
    this.queue.announce(added.length);
    this.#changes.note(id);
    this.queue.pump();
    return this.store.get(id);
  }

  async #addWatched(watchedId: string, paths: readonly string[]): Promise<void> {
    const folder = this.collections.watched().find((entry) => entry.id === watchedId);
    if (!folder || this.#stop.signal.aborted) return;
    for (const path of paths) await this.add([path], folder.collectionId, watchedId).catch(() => undefined);
  }

  async watch(path: string, collectionId: string | null): Promise<WatchedFolder> {
    const folder = resolve(path);
    const found = await stat(folder).catch(() => null);
    if (!found) throw new CredenceError("documents.not-readable", { path: folder, reason: "missing" });
    if (!found.isDirectory())
      throw new CredenceError("general.invalid-request", {
        method: "library.watch",
        problem: "only folders can be watched",
      });
    const id = this.collections.addWatched(folder, collectionId);
    this.#watch.start(id, folder);
    this.#changes.noteAll();
    return this.watched().find((entry) => entry.id === id)!;
  }

  async unwatch(id: string): Promise<void> {
    await this.#watch.stop(id);
    this.#problems.delete(id);
    this.collections.removeWatched(id);
    this.#changes.noteAll();
  }

  watched(): WatchedFolder[] {
    return this.collections.watched().map((folder) => ({ ...folder, problem: this.#problems.get(folder.id) ?? null }));
  }

  overview(): LibraryOverview {
    const counts = this.store.counts();
    return {
      total: counts.total,
      recent: counts.recent,
      needYou: counts.needYou,
      collections: this.collections.list(),
      watched: this.watched(),
      queue: this.queueState(),
    };
  }

  queueState(): LibraryQueue {
    return { ...this.queue.state(), scanning: this.#scanning > 0 };
  }

  async remove(ids: readonly string[]): Promise<number> {
    this.queue.stop(ids);
    const removed = await this.removal.remove(ids);
    // A copy of what is gone is no copy any more.
    const copies = this.store.requeue(this.store.copiesOf(removed), ["duplicate"]);
    this.queue.announce(copies.length);
    this.#changes.noteAll();
    this.queue.pump();
    return removed.length;
  }

  async restore(ids: readonly string[]): Promise<number> {
    const restored = await this.removal.restore(ids);
    this.#changes.noteAll();
    this.queue.pump();
    return restored.length;
  }

  setMayMoveBeliefs(ids: readonly string[], value: boolean): void {
    this.#deps.db
      .write("UPDATE documents SET moves_beliefs = ? WHERE id IN (SELECT value FROM json_each(?))")
      .run(value ? 1 : 0, JSON.stringify(ids));
    if (value) this.#evidence.drain();
    this.#changes.noteAll();
  }

  /** Moves documents to a collection; the index learns it in the background. */
  async move(ids: readonly string[], collectionId: string | null): Promise<void> {
    if (collectionId !== null) this.collections.get(collectionId);
    this.#deps.db
      .write("UPDATE documents SET collection_id = ? WHERE id IN (SELECT value FROM json_each(?))")
      .run(collectionId, JSON.stringify(ids));
    this.#changes.noteAll();
    for (const id of ids) await this.removal.reindex(id);
  }

  async deleteCollection(id: string): Promise<void> {
    const members = this.collections.delete(id);
    this.#changes.noteAll();
    for (const member of members) await this.removal.reindex(member);
  }

  /** Called when the ingest queue has room again. */
  offerEvidence(): void {
    this.#evidence.drain();
  }

  /** Languages that text recognition can read; looked up again after a while, for files may be put there any time. */
  ocrLanguages(): string[] {
    const { ocrFolder, clock } = this.#deps;
    if (ocrFolder === undefined) return [];
    if (clock.monotonic() >= this.#lookAgainAt) {
      this.#languages = installedLanguages(ocrFolder);
      this.#lookAgainAt = clock.monotonic() + lookAgainMs;
    }
    return this.#languages;
  }

  /** Reads scanned pages. Throws `documents.ocr-not-installed` when there is no language data. */
  recognize(ids: readonly string[]): void {
    const { ocrFolder } = this.#deps;
    if (ocrFolder === undefined || this.ocrLanguages().length === 0)
      throw new CredenceError("documents.ocr-not-installed", { language: "eng" });
    this.queue.retry(ids, { ocr: { folder: ocrFolder } });
  }

  changed(): void {
    this.#evidence.drain();
    this.#changes.noteAll();
  }

  citations(passageId: string): number | null {
    return this.#deps.citations?.(passageId) ?? null;
  }

  standingOn(passageIds: readonly string[]) {
    return this.#deps.beliefs?.standingOn(passageIds) ?? [];
  }

  /** Resolves when nothing waits and nothing is read. */
  idle(): Promise<void> {
    return this.queue.idle();
  }

  /** Resolves when this document is neither waiting nor read, however that ended. */
  async settled(id: string): Promise<void> {
    for (;;) {
      const state = this.store.row(id)?.state;
      if ((state !== "waiting" && state !== "reading") || this.#stop.signal.aborted) return;
      if (!(await this.queue.next())) return;
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#stopTick();
    this.#stopWatchStart();
    await this.#watch.close();
    await this.queue.close();
    this.#changes.close();
    if (this.#deps.db.writable) await this.removal.purge();
  }
}

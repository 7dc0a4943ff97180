/**
 * What indexing costs beside embedding: a text is put and embedded through the product's index, and the same pieces are
 * embedded alone, in turns, by the same model in the same run. Also how long the main loop was held up meanwhile.
 * 50 MB take hours on a small machine; the ratio is the same from a megabyte on.
 *
 *   npm run bench -- ingest-text [--mb 1] [--json]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { installedPaths } from "../../core/cli/paths.ts";
import { createPassageIndex, type IndexItem, inlineReader, threadReader } from "../../core/memory/index.ts";
import { createModels } from "../../core/models/index.ts";
import { silentLog, systemClock } from "../../core/platform/index.ts";
import { nodeChildHost } from "../../core/platform/node-child-host.ts";
import { Connection, migrate, migrations } from "../../core/storage/index.ts";
import { SyntheticLibrary } from "./retrieval/synthetic.ts";

const { values } = parseArgs({ options: { mb: { type: "string" }, json: { type: "boolean" } } });
const megabytes = Number(values.mb ?? 1);
if (!(megabytes > 0)) {
  console.error("--mb is a number above 0.");
  process.exit(2);
}
/** Pieces that go to the embedder between two looks at the clock, alone and through the index in turns. */
const turn = 64;

const paths = installedPaths();
const folder = mkdtempSync(join(tmpdir(), "credence-ingest-"));
const db = new Connection(join(folder, "credence.db"));
migrate(db, migrations);
const models = createModels({
  db,
  clock: systemClock,
  log: silentLog,
  childHost: nodeChildHost(paths.entries),
  dataDir: folder,
  modelDirs: paths.modelDirs,
  contextLimit: () => null,
});
try {
  const embedder = await models.embedder();
  if (!embedder) throw new Error("No embedding model is installed: run npm start once, or node models/fetch.ts.");
  const index = createPassageIndex({
    db,
    clock: systemClock,
    log: silentLog,
    embedder: async () => embedder,
    reader: threadReader({ path: db.path, log: silentLog }, inlineReader(db)),
  });
  const library = new SyntheticLibrary(100_000, 384);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let bytes = 0;
  let alone = 0;
  let through = 0;
  let pieces = 0;
  await embedder.embed(library.items(0, 8).map((item) => item.text));
  while (bytes < megabytes * 1e6) {
    const items: readonly IndexItem[] = library.items(pieces, pieces + turn);
    bytes += items.reduce((sum, item) => sum + item.text.length, 0);
    pieces += turn;
    let started = performance.now();
    await embedder.embed(
      items.map((item) => `${item.title}\n${item.text}`),
      { background: true },
    );
    alone += performance.now() - started;
    started = performance.now();
    index.put(items);
    await index.settled();
    through += performance.now() - started;
  }
  delay.disable();
  const row = {
    MB: Number((bytes / 1e6).toFixed(2)),
    pieces,
    "embedding alone s": Number((alone / 1000).toFixed(1)),
    "through the index s": Number((through / 1000).toFixed(1)),
    ratio: Number((through / alone).toFixed(3)),
    "main loop p99 ms": Number((delay.percentile(99) / 1e6).toFixed(1)),
    "main loop max ms": Number((delay.max / 1e6).toFixed(1)),
    waiting: index.pending(),
  };
  if (values.json) console.log(JSON.stringify(row));
  else console.table([row]);
  await index.close();
} finally {
  await models.close();
  db.close();
  rmSync(folder, { recursive: true, force: true });
}

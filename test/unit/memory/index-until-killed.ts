/** Indexes passages until whoever started it kills it; says so once some, not all, have their vectors. */
import { createPassageIndex, inlineReader } from "../../../core/memory/index.ts";
import { silentLog, systemClock } from "../../../core/platform/index.ts";
import { Connection } from "../../../core/storage/index.ts";
import { HashEmbedder } from "./hash-embedder.ts";

const [path, count] = process.argv.slice(2) as [string, string];
const db = new Connection(path);
const embedder = new HashEmbedder();
const slow = {
  ...embedder,
  id: embedder.id,
  dimensions: embedder.dimensions,
  maxTokens: embedder.maxTokens,
  countTokens: (texts: readonly string[]) => embedder.countTokens(texts),
  async embed(texts: readonly string[]) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return embedder.embed(texts);
  },
};
let batches = 0;
const index = createPassageIndex({
  db,
  clock: systemClock,
  log: silentLog,
  embedder: async () => slow,
  reader: inlineReader(db),
  onProgress: () => {
    batches++;
    if (batches === 3) process.send?.("some are done");
  },
});
for (let n = 0; n < Number(count); n += 20) {
  index.put(
    Array.from({ length: 20 }, (_, i) => ({
      id: `p${n + i}`,
      kind: "document" as const,
      sourceId: "d",
      collectionId: null,
      text: `Passage ${n + i} about eels number ${(n + i) * 7}`,
      title: "",
      place: "",
      at: n + i,
      strength: null,
    })),
  );
}
await index.settled();
process.send?.("all are done");
setInterval(() => {}, 1000);

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRuleScorer } from "../../../core/beliefs/scorer/rules.ts";
import { type EvidenceOffer, Library } from "../../../core/documents/index.ts";
import { createPassageIndex, inlineReader } from "../../../core/memory/index.ts";
import { silentLog, systemClock } from "../../../core/platform/index.ts";
import { hostileDocuments } from "../../fixtures/documents/cases/index.ts";
import { inlineParser } from "../../support/inline-parser.ts";
import { migratedDatabase } from "../../support/profile.ts";

describe("documents that give orders", () => {
  it("are text like any other: kept as written, found by their words, and offered for weighing only where the user allows it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "credence-hostile-"));
    const db = migratedDatabase();
    const index = createPassageIndex({
      db,
      clock: systemClock,
      log: silentLog,
      embedder: async () => null,
      reader: inlineReader(db),
    });
    const offers: EvidenceOffer[] = [];
    const library = new Library({
      db,
      clock: systemClock,
      log: silentLog,
      parser: inlineParser(),
      index,
      readers: 1,
      onChanged: () => {},
      evidence: { hasRoom: () => true, offer: (offer) => void offers.push(offer) },
    });
    await library.start({ recover: true });
    for (const { file, bytes } of hostileDocuments) writeFileSync(join(folder, file), bytes);
    await library.add([folder], null);
    await library.idle();
    for (const { file, order, hidden } of hostileDocuments) {
      const document = library.store.list({ name: file }, 0, 1).documents[0]!;
      expect([file, document.state]).toEqual([file, "ready"]);
      const text = library.texts.slice(document.id, 0, document.characters);
      expect([file, text.includes(order)]).toEqual([file, !hidden]);
    }
    expect(offers).toEqual([]);
    await library.close();
    await index.close();
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(hostileDocuments.map((document) => [document.name, document.order] as const))(
    "do not pass the gate of evidence: %s",
    async (_, order) => {
      const scorer = createRuleScorer({ embedder: async () => null });
      const score = await scorer.score(order, { topics: [], signal: new AbortController().signal });
      expect(score.allowed).toBe(false);
    },
  );
});

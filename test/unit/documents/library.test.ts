import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CredenceError, type StandingBelief } from "../../../core/contract/index.ts";
import {
  attachPort,
  type EvidenceOffer,
  Library,
  type LibraryDeps,
  readFromLibrary,
  searchLibrary,
} from "../../../core/documents/index.ts";
import { createPassageIndex, inlineReader, type OwnedPassageIndex } from "../../../core/memory/index.ts";
import type { Parser } from "../../../core/parsing/index.ts";
import { silentLog, systemClock } from "../../../core/platform/index.ts";
import type { Connection } from "../../../core/storage/index.ts";
import { pdf } from "../../fixtures/documents/build/pdf.ts";
import { inlineParser } from "../../support/inline-parser.ts";
import { migratedDatabase, temporaryFolder } from "../../support/profile.ts";

let folder: { path: string; remove: () => void };
let db: Connection;
let index: OwnedPassageIndex;
let library: Library;

function make(change: Partial<LibraryDeps> = {}): Library {
  return new Library({
    db,
    clock: systemClock,
    log: silentLog,
    parser: inlineParser(),
    index,
    readers: 2,
    onChanged: () => {},
    ...change,
  });
}

beforeEach(async () => {
  folder = temporaryFolder();
  db = migratedDatabase();
  index = createPassageIndex({
    db,
    clock: systemClock,
    log: silentLog,
    embedder: async () => null,
    reader: inlineReader(db),
  });
  library = make();
  await library.start({ recover: true });
});

afterEach(async () => {
  await library.close();
  await index.close();
  db.close();
  folder.remove();
});

function write(name: string, content: string | Buffer): string {
  const path = join(folder.path, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
  return path;
}

async function add(paths: string[], collectionId: string | null = null) {
  const result = await library.add(paths, collectionId);
  await library.idle();
  return result;
}

const states = () =>
  Object.fromEntries(
    library.store.list({ sort: "name" }, 0, 100).documents.map((document) => [document.name, document.state]),
  );
const find = async (query: string) =>
  (await searchLibrary(library, index, { query, limit: 10 })).map((hit) => [hit.documentName, hit.place]);

describe("the library", () => {
  it("reads a folder with all that is in it, leaves pictures and hidden files out, and finds their words", async () => {
    write("a.txt", "The weir was built in 1904.");
    write("deep/er/b.md", "# Eels\n\nThey pass at night.");
    write("photo.jpg", "x");
    write(".hidden/c.txt", "nobody");
    write("node_modules/d.txt", "nobody");
    const result = await add([folder.path]);
    expect(result).toMatchObject({ added: 2, unchanged: 0, skipped: 1 });
    expect(states()).toEqual({ "a.txt": "ready", "b.md": "ready" });
    expect(await find("eels at night")).toEqual([["b.md", "§ Eels"]]);
  });

  it("keeps the reason of what it could not read and goes on with the rest", async () => {
    write(
      "a.pdf",
      pdf([{ texts: [{ x: 60, y: 700, text: "Secret" }] }], { passwords: { user: "sesame", owner: "o" } }),
    );
    write("b.txt", "Readable.");
    write("c.dat", Buffer.from("\x7fELF\x02\x01\x01\0\0\0\0", "latin1"));
    await add([folder.path]);
    expect(states()).toEqual({ "a.pdf": "failed", "b.txt": "ready", "c.dat": "failed" });
    const locked = library.store.list({ name: "a.pdf" }, 0, 1).documents[0]!;
    expect(locked.action).toBe("unlock");
    library.queue.retry([locked.id], { password: "sesame" });
    await library.idle();
    expect(library.store.get(locked.id)).toMatchObject({ state: "ready", note: null, pages: 1 });
    expect(await find("Secret")).toEqual([["a.pdf", "p. 1"]]);
  });

  it("knows a copy by its bytes, and reads it when the original goes", async () => {
    write("one.txt", "The same words in both files.");
    await add([folder.path]);
    write("two.txt", "The same words in both files.");
    await add([folder.path]);
    expect(states()).toEqual({ "one.txt": "ready", "two.txt": "duplicate" });
    await library.remove([library.store.list({ name: "one" }, 0, 1).documents[0]!.id]);
    await library.idle();
    expect(states()).toEqual({ "two.txt": "ready" });
    expect(await find("same words")).toEqual([["two.txt", "line 1"]]);
  });

  it("reads again only what changed, and keeps the passages that did not", async () => {
    const long = Array.from(
      { length: 40 },
      (_, i) => `Sentence number ${i} speaks of the river and its banks at some length.`,
    ).join(" ");
    const path = write("a.txt", `${long}\n\nVanished closing.`);
    write("b.txt", "Untouched.");
    await add([folder.path]);
    const id = library.store.list({ name: "a.txt" }, 0, 1).documents[0]!.id;
    const before = library.store.writer.passageIds(id);
    expect(await add([folder.path])).toMatchObject({ added: 0, unchanged: 2 });
    writeFileSync(path, `${long}\n\nFresh harvest.`);
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    expect(await add([folder.path])).toMatchObject({ added: 1, unchanged: 1 });
    const after = library.store.writer.passageIds(id);
    expect(after.filter((passage) => before.includes(passage)).length).toBeGreaterThan(0);
    expect(await find("vanished closing")).toEqual([]);
    expect((await find("fresh harvest")).length).toBe(1);
  });

  it("pauses, resumes and cancels without losing what it knew", async () => {
    library.queue.pause(null);
    const gate = blockingParser();
    library = await restarted({ parser: gate.parser });
    for (let i = 0; i < 6; i++) write(`${i}.txt`, `File ${i}.`);
    await library.add([folder.path], null);
    library.queue.pause(null);
    gate.open();
    await library.idle();
    expect(Object.values(states())).toEqual(Array(6).fill("paused"));
    expect(library.queueState().allPaused).toBe(true);
    const [first] = library.store.list({ name: "0.txt" }, 0, 1).documents;
    library.queue.cancel([first!.id]);
    library.queue.resume(null);
    await library.idle();
    expect(states()).toEqual({
      "0.txt": "cancelled",
      "1.txt": "ready",
      "2.txt": "ready",
      "3.txt": "ready",
      "4.txt": "ready",
      "5.txt": "ready",
    });
  });

  it("goes on where it was when the program ends in the middle", async () => {
    const gate = blockingParser();
    library = await restarted({ parser: gate.parser });
    for (let i = 0; i < 5; i++) write(`${i}.txt`, `File ${i} tells of eels.`);
    await library.add([folder.path], null);
    expect(Object.values(states()).filter((state) => state === "reading")).toHaveLength(2);
    // As after kill -9: nothing was told, a new Library finds the rows.
    const killed = library;
    library = make();
    await library.start({ recover: true });
    await library.idle();
    expect(Object.values(states())).toEqual(Array(5).fill("ready"));
    expect((await find("eels")).length).toBe(5);
    await killed.close();
  });

  it("clears what a reading left that was cut off while it stored", async () => {
    write("a.txt", "Whole text about eels.");
    await add([folder.path]);
    const { id } = library.store.list({}, 0, 1).documents[0]!;
    library.store.writer.beginStoring(id);
    index.put([
      {
        id: "stray",
        kind: "document",
        sourceId: id,
        collectionId: null,
        text: "stray words of a broken reading",
        title: "",
        place: "",
        at: 1,
        strength: null,
      },
    ]);
    db.write("UPDATE documents SET state = 'reading' WHERE id = ?").run(id);
    library = await restarted({});
    await library.idle();
    expect(await find("stray words")).toEqual([]);
    expect((await find("eels")).length).toBe(1);
  });

  it("shows the beliefs that stand on a document, removes every trace, and can undo it until it is purged", async () => {
    const belief: StandingBelief = { beliefId: "b", statement: "Eels pass at night", valence: 0.4, confidence: 0.5 };
    const forgotten: string[][] = [];
    library = await restarted({
      beliefs: {
        standingOn: (ids) => (ids.length > 0 ? [belief] : []),
        forget: (ids) => void forgotten.push([...ids]),
      },
    });
    write("a.txt", "Eels pass at night.");
    await add([folder.path]);
    const { id } = library.store.list({}, 0, 1).documents[0]!;
    expect(await library.removal.preview([id])).toEqual({ documents: 1, passages: 1, beliefs: [belief] });
    await library.remove([id]);
    expect(await find("eels")).toEqual([]);
    expect(library.store.counts().total).toBe(0);
    await library.restore([id]);
    expect((await find("eels")).length).toBe(1);
    await library.remove([id]);
    await library.removal.purge();
    expect(forgotten).toEqual([[id]]);
    for (const table of ["documents", "document_texts", "document_passages", "passages"])
      expect(db.read(`SELECT * FROM ${table}`).all()).toEqual([]);
  });

  it("offers the passages worth weighing only of documents that may move beliefs, as far as there is room", async () => {
    const offers: EvidenceOffer[] = [];
    let room = 1;
    library = await restarted({
      evidence: {
        hasRoom: () => room > 0,
        offer: (offer) => {
          room--;
          offers.push(offer);
        },
      },
    });
    const finding =
      "The study measured 118 tagged eels and found that 71 percent passed within twelve hours of a rise, because flow increased by 14 cubic metres.";
    write("quiet/a.txt", finding);
    write("loud/b.txt", finding.replace("118", "97"));
    write("loud/c.txt", finding.replace("118", "21"));
    await add([join(folder.path, "quiet")]);
    expect(offers).toEqual([]);
    const collection = library.collections.create("Weir", true);
    await add([join(folder.path, "loud")], collection.id);
    expect(offers).toHaveLength(1);
    expect(offers[0]!.from).toBe("Weir");
    expect(offers[0]!.title).toMatch(/^[bc]\.txt, line 1$/);
    room = 5;
    library.setMayMoveBeliefs([library.store.list({ name: "a.txt" }, 0, 1).documents[0]!.id], true);
    expect(offers.map((offer) => offer.title).sort()).toEqual(["a.txt, line 1", "b.txt, line 1", "c.txt, line 1"]);
  });

  it("reads a stretch by page or by name, and nothing outside the scope", async () => {
    write(
      "report.pdf",
      pdf([{ texts: [{ x: 60, y: 700, text: "First page." }] }, { texts: [{ x: 60, y: 700, text: "Second page." }] }]),
    );
    const collection = library.collections.create("Weir", false);
    await add([folder.path], collection.id);
    const ask = { document: "report", length: 1000, scope: null };
    expect(readFromLibrary(library, { ...ask, page: 2 })).toMatchObject({
      name: "report.pdf",
      text: "Second page.",
      place: "page 2",
    });
    expect(readFromLibrary(library, { ...ask, start: 6, length: 4 })?.text).toBe("page");
    expect(readFromLibrary(library, { ...ask, scope: [collection.id] })).not.toBeNull();
    expect(readFromLibrary(library, { ...ask, scope: ["other"] })).toBeNull();
  });

  it("keeps a collection's documents when it is deleted, and finds them outside it", async () => {
    const collection = library.collections.create("Weir", false);
    write("a.txt", "Eels pass at night.");
    await add([folder.path], collection.id);
    const inside = () => searchLibrary(library, index, { query: "eels", collectionIds: [collection.id], limit: 5 });
    expect(await inside()).toHaveLength(1);
    await library.deleteCollection(collection.id);
    expect(await inside()).toEqual([]);
    expect(await find("eels")).toHaveLength(1);
  });

  it("picks up new and changed files of a watched folder", async () => {
    write("w/a.txt", "First.");
    await library.watch(join(folder.path, "w"), null);
    const until = async (done: () => boolean) => {
      for (let i = 0; i < 200 && !done(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
      await library.idle();
    };
    await until(() => states()["a.txt"] === "ready");
    write("w/b.txt", "Second of the eels.");
    await until(() => states()["b.txt"] === "ready");
    expect(states()).toEqual({ "a.txt": "ready", "b.txt": "ready" });
    rmSync(join(folder.path, "w", "b.txt"));
    expect(await find("eels")).toHaveLength(1);
    await expect(library.watch(join(folder.path, "none"), null)).rejects.toThrow(CredenceError);
  });

  it("offers to read a scan only when language data is installed, and says so otherwise", async () => {
    const scan = pdf([{ content: "q 400 0 0 400 60 300 cm BI /W 2 /H 2 /BPC 8 /CS /G ID \0\xff\xff\0 EI Q" }]);
    write("scan.pdf", scan);
    const ocrFolder = join(folder.path, ".ocr");
    library = await restarted({ ocrFolder });
    await add([folder.path]);
    const { id } = library.store.list({ name: "scan" }, 0, 1).documents[0]!;
    expect(library.store.get(id)).toMatchObject({
      state: "ready",
      action: null,
      note: "No text layer: the pages are pictures, perhaps a scan.",
    });
    expect(() => library.recognize([id])).toThrow(/Put the file eng\.traineddata into the folder ocr/);
    write(".ocr/eng.traineddata", "not really");
    library = await restarted({ ocrFolder });
    expect(library.store.get(id).action).toBe("ocr");
    expect(library.ocrLanguages()).toEqual(["eng"]);
  });

  it("takes pasted text", async () => {
    const document = library.addText("Note", "Eels pass the weir at night.", null);
    await library.idle();
    expect(library.store.get(document.id)).toMatchObject({ state: "ready", path: null, format: "txt", passages: 1 });
    expect(await find("eels")).toEqual([["Note", "line 1"]]);
  });

  it("keeps a message too long for the model as a document, and has read it when it says so", async () => {
    const { documentId, title } = await attachPort(library).attach({
      text: `Minutes of the river forum\n${"Eels pass the weir at night. ".repeat(500)}`,
    });
    expect(title).toBe("Pasted: Minutes of the river forum");
    expect(library.store.get(documentId).state).toBe("ready");
  });

  async function restarted(change: Partial<LibraryDeps>): Promise<Library> {
    await library.close();
    const next = make(change);
    await next.start({ recover: true });
    return next;
  }
});

/** A parser whose jobs wait until the gate opens or their signal stops them. */
function blockingParser(): { parser: Parser; open(): void } {
  const inner = inlineParser();
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    open,
    parser: {
      ...inner,
      async run(kind, params, options = {}) {
        await Promise.race([
          gate,
          new Promise<never>((_, reject) =>
            options.signal?.addEventListener("abort", () => reject(new CredenceError("general.cancelled", {})), {
              once: true,
            }),
          ),
        ]);
        return inner.run(kind, params, options);
      },
    },
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../app.ts";
import { asCredenceError, CredenceError, type LibraryDocument, type LibraryQueue } from "../../contract/index.ts";
import { type Command, type CommandContext, EXIT } from "../command.ts";

const ingest: Command = {
  name: "ingest",
  usage: "PATH... [--collection NAME] [--password WORD] [--move-beliefs]",
  summary: "Adds files and folders to the library and reads them. Stopped in the middle, it goes on where it was.",
  options: { collection: { type: "string" }, password: { type: "string" }, "move-beliefs": { type: "boolean" } },
  async run(context) {
    const app = await context.app();
    const collectionId = await collectionFor(app, context);
    const ids: string[] = [];
    const missing: { file: string; error: ReturnType<ReturnType<typeof asCredenceError>["toData"]> }[] = [];
    let skipped = 0;
    for await (const path of context.inputs()) {
      try {
        const result = await app.call("library.add", { paths: [path], collectionId });
        ids.push(...result.ids);
        skipped += result.skipped;
      } catch (thrown) {
        missing.push({ file: path, error: asCredenceError(thrown).toData() });
      }
    }
    if (ids.length === 0 && missing.length === 0)
      throw usage("ingest", "there is no file; name files or folders after the command");
    const password = context.options["password"];
    const documents = await settle(
      app,
      context,
      [...new Set(ids)],
      typeof password === "string" ? password : undefined,
    );
    return printIngested(context, documents, missing, skipped);
  },
};

function usage(method: string, problem: string): CredenceError {
  return new CredenceError("general.invalid-request", { method, problem });
}

async function collectionFor(app: App, context: CommandContext): Promise<string | null> {
  const name = context.options["collection"];
  const mayMoveBeliefs = context.options["move-beliefs"] === true;
  if (typeof name !== "string") return null;
  const { collections } = await app.call("library.overview", {});
  const known = collections.find((collection) => collection.name.toLowerCase() === name.toLowerCase());
  if (!known) return (await app.call("library.createCollection", { name, mayMoveBeliefs })).id;
  if (mayMoveBeliefs && !known.mayMoveBeliefs)
    await app.call("library.changeCollection", { id: known.id, mayMoveBeliefs });
  return known.id;
}

const unsettled = new Set<LibraryDocument["state"]>(["waiting", "reading"]);

/** Waits until these documents are read, however they end; tries the locked ones again with the password given. */
async function settle(
  app: App,
  context: CommandContext,
  ids: readonly string[],
  password: string | undefined,
): Promise<LibraryDocument[]> {
  await drained(app, context, ids);
  const all = () => Promise.all(ids.map((id) => app.call("library.get", { id })));
  const documents = await all();
  const locked = documents.filter((document) => document.action === "unlock").map((document) => document.id);
  if (password === undefined || locked.length === 0) return documents;
  await app.call("library.retry", { ids: locked, password });
  await drained(app, context, locked);
  return all();
}

async function drained(app: App, context: CommandContext, ids: readonly string[]): Promise<void> {
  let said = 0;
  for (let open = [...ids]; open.length > 0; ) {
    context.signal.throwIfAborted();
    // In order of the queue: while the first is unsettled, the others need no look.
    const { state } = await app.call("library.get", { id: open[0]! });
    if (!unsettled.has(state)) {
      open = open.slice(1);
      continue;
    }
    const { queue } = await app.call("library.overview", {});
    if (Date.now() - said > 2000) {
      said = Date.now();
      context.remark(progressLine(queue));
    }
    await sleep(60, undefined, { signal: context.signal }).catch(() => undefined);
  }
}

function progressLine(queue: LibraryQueue): string {
  const left = queue.remainingMs === null ? "" : `, about ${Math.max(1, Math.round(queue.remainingMs / 1000))} s left`;
  return `Reading ${queue.done} of ${queue.total} files${left}`;
}

async function printIngested(
  context: CommandContext,
  documents: readonly LibraryDocument[],
  missing: readonly { file: string; error: unknown }[],
  skipped: number,
): Promise<number> {
  const failed = documents.filter((document) => document.state === "failed").length + missing.length;
  if (context.lines) {
    for (const document of documents)
      await context.print(JSON.stringify({ ok: document.state !== "failed", ...document }));
    for (const entry of missing) await context.print(JSON.stringify({ ok: false, ...entry }));
  } else if (context.json) {
    await context.print(JSON.stringify({ ok: failed === 0, documents, missing, skipped }));
  } else {
    for (const document of documents) await context.print(describe(document));
    for (const entry of missing)
      await context.print(`failed     ${entry.file}: ${(entry.error as { message: string }).message}`);
    if (skipped > 0) context.remark(`${skipped} files that are no documents were left out.`);
  }
  const tried = documents.length + missing.length;
  return failed === 0 ? EXIT.done : failed === tried ? EXIT.failed : EXIT.partly;
}

function describe(document: LibraryDocument): string {
  const size = document.state === "ready" ? `, ${document.passages} passages` : "";
  return `${document.state.padEnd(10)} ${document.name}${size}${document.note ? `: ${document.note}` : ""}`;
}

const list: Command = {
  name: "library list",
  usage: "[--collection NAME] [--need-you]",
  summary: "Lists the documents of the library with their state.",
  options: { collection: { type: "string" }, "need-you": { type: "boolean" } },
  async run(context) {
    const app = await context.app();
    const collectionId = await knownCollection(app, context.options["collection"]);
    const documents: LibraryDocument[] = [];
    for (let offset = 0; ; offset += 500) {
      const page = await app.call("library.list", {
        offset,
        limit: 500,
        ...(collectionId === undefined ? {} : { collectionId }),
        ...(context.options["need-you"] === true ? { view: "need-you" as const } : {}),
      });
      documents.push(...page.documents);
      if (documents.length >= page.total || page.documents.length === 0) break;
    }
    if (context.lines) for (const document of documents) await context.print(JSON.stringify(document));
    else if (context.json)
      await context.print(JSON.stringify({ documents, ...(await app.call("library.overview", {})) }));
    else for (const document of documents) await context.print(`${document.id}  ${describe(document)}`);
    return EXIT.done;
  },
};

async function knownCollection(app: App, name: unknown): Promise<string | undefined> {
  if (typeof name !== "string") return undefined;
  const { collections } = await app.call("library.overview", {});
  const found = collections.find(
    (collection) => collection.name.toLowerCase() === name.toLowerCase() || collection.id === name,
  );
  if (!found) throw new CredenceError("documents.no-collection", { id: name });
  return found.id;
}

/** Documents by id, path or exact name. */
async function findDocuments(app: App, words: readonly string[]): Promise<LibraryDocument[]> {
  const found: LibraryDocument[] = [];
  for (const word of words) {
    const byId = await app.call("library.get", { id: word }).catch(() => null);
    if (byId) {
      found.push(byId);
      continue;
    }
    const name = word.split(/[\\/]/).at(-1) ?? word;
    const { documents } = await app.call("library.list", { name, limit: 1000 });
    const matches = documents.filter(
      (document) => document.path === word || document.name === word || (document.path?.endsWith(word) ?? false),
    );
    if (matches.length === 0) throw new CredenceError("documents.not-in-library", { id: word });
    found.push(...matches);
  }
  return found;
}

const show: Command = {
  name: "library show",
  usage: "ID|NAME|PATH [--text]",
  summary: "Shows one document: what is known of it, and with --text all of its text.",
  options: { text: { type: "boolean" } },
  async run(context) {
    const app = await context.app();
    const [document] = await findDocuments(app, context.args.slice(0, 1));
    if (!document) throw usage("library show", "name a document by id, name or path");
    let text = "";
    if (context.options["text"] === true) {
      for (let start = 0; start < document.characters; start += 200_000) {
        text += (await app.call("library.text", { id: document.id, start, length: 200_000 })).text;
      }
    }
    if (context.json)
      await context.print(JSON.stringify({ ...document, ...(context.options["text"] === true ? { text } : {}) }));
    else {
      await context.print(describe(document));
      if (document.path) await context.print(document.path);
      if (text !== "") await context.print(text);
    }
    return EXIT.done;
  },
};

const remove: Command = {
  name: "library remove",
  usage: "ID|NAME|PATH... [--yes]",
  summary: "Removes documents and every trace of them. Without --yes it only says what that would touch.",
  options: { yes: { type: "boolean" } },
  async run(context) {
    const app = await context.app();
    const documents = await findDocuments(app, context.args);
    if (documents.length === 0) throw usage("library remove", "name the documents to remove");
    const ids = documents.map((document) => document.id);
    const preview = await app.call("library.removePreview", { ids });
    const removed = context.options["yes"] === true ? (await app.call("library.remove", { ids })).removed : 0;
    if (context.json) await context.print(JSON.stringify({ ...preview, removed }));
    else {
      await context.print(
        `${preview.documents} documents with ${preview.passages} passages; ${preview.beliefs.length} beliefs stand on them.`,
      );
      for (const belief of preview.beliefs) await context.print(`  ${belief.statement}`);
      await context.print(
        removed > 0
          ? `Removed ${removed}. The files themselves are untouched.`
          : "Nothing was removed. Add --yes to remove them.",
      );
    }
    return EXIT.done;
  },
};

const search: Command = {
  name: "library search",
  usage: "WORDS [--collection NAME] [--limit N]",
  summary: "Finds passages by words and meaning.",
  options: { collection: { type: "string" }, limit: { type: "string" } },
  async run(context) {
    const app = await context.app();
    const query = await context.text();
    if (query.trim() === "") throw usage("library search", "say what to look for");
    const collectionId = await knownCollection(app, context.options["collection"]);
    const limit = Math.min(200, Math.max(1, Number(context.options["limit"] ?? 10) || 10));
    const { hits } = await app.call("library.search", {
      query,
      limit,
      ...(collectionId === undefined ? {} : { collectionIds: [collectionId] }),
    });
    if (context.lines) for (const hit of hits) await context.print(JSON.stringify(hit));
    else if (context.json) await context.print(JSON.stringify({ query, hits }));
    else
      for (const hit of hits)
        await context.print(`${hit.documentName}, ${hit.place}\n  ${hit.text.replace(/\s+/g, " ").slice(0, 240)}`);
    return EXIT.done;
  },
};

export const libraryCommands: readonly Command[] = [ingest, list, show, remove, search];

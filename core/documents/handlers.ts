import { CredenceError, type Handlers } from "../contract/index.ts";
import type { PassageIndex } from "../memory/index.ts";
import type { Parser } from "../parsing/index.ts";
import type { Library } from "./library.ts";
import { searchLibrary } from "./search.ts";

/** The `library.…` methods of the contract. */
export function libraryHandlers(
  library: Library,
  index: PassageIndex,
  parser: Parser,
): Pick<Handlers, Extract<keyof Handlers, `library.${string}`>> {
  const { store, texts, collections, queue, removal } = library;
  const queueAfter = (change: () => void) => {
    change();
    return library.queueState();
  };
  return {
    "library.overview": () => library.overview(),
    "library.list": ({ offset, limit, ...filter }) => store.list(filter, offset ?? 0, limit ?? 100),
    "library.get": ({ id }) => store.get(id),
    "library.add": ({ paths, collectionId }) => library.add(paths, collectionId ?? null),
    "library.addText": ({ title, text, collectionId }) => library.addText(title, text, collectionId ?? null),
    "library.pause": ({ ids }) => queueAfter(() => queue.pause(ids ?? null)),
    "library.resume": ({ ids }) => queueAfter(() => queue.resume(ids ?? null)),
    "library.cancel": ({ ids }) => queueAfter(() => queue.cancel(ids ?? null)),
    "library.retry": ({ ids, password }) =>
      queueAfter(() => queue.retry(ids, password === undefined ? {} : { password })),
    "library.recognize": ({ ids }) => queueAfter(() => library.recognize(ids)),
    "library.removePreview": ({ ids }) => removal.preview(ids),
    "library.remove": async ({ ids }) => ({ removed: await library.remove(ids) }),
    "library.restore": async ({ ids }) => ({ restored: await library.restore(ids) }),
    "library.setMayMoveBeliefs": ({ ids, value }) => {
      library.setMayMoveBeliefs(ids, value);
      return null;
    },
    "library.move": async ({ ids, collectionId }) => {
      await library.move(ids, collectionId);
      return null;
    },
    "library.createCollection": ({ name, mayMoveBeliefs }) => {
      const created = collections.create(name, mayMoveBeliefs ?? false);
      library.changed();
      return created;
    },
    "library.changeCollection": ({ id, ...change }) => {
      const changed = collections.change(id, change);
      library.changed();
      return changed;
    },
    "library.deleteCollection": async ({ id }) => {
      await library.deleteCollection(id);
      return null;
    },
    "library.watch": ({ path, collectionId }) => library.watch(path, collectionId ?? null),
    "library.unwatch": async ({ id }) => {
      await library.unwatch(id);
      return null;
    },
    "library.search": async ({ limit, ...search }) => ({
      hits: await searchLibrary(library, index, { ...search, limit: limit ?? 30 }),
    }),
    "library.passage": async ({ id }) => {
      const passage = texts.passage(id);
      if (!passage) throw new CredenceError("general.not-found", { what: "passage", id });
      const { start, end, place, page, path } = passage;
      return {
        document: store.get(passage.document_id),
        passage: {
          id,
          start,
          end,
          place,
          page,
          path: JSON.parse(path) as string[],
          text: texts.slice(passage.document_id, start, end),
        },
        beliefs: await library.standingOn([id]),
        citations: library.citations(id),
      };
    },
    "library.text": ({ id, start, length }) => {
      const { characters } = store.get(id);
      return {
        text: texts.slice(id, start, start + length),
        start,
        total: characters,
        sections: texts.sections(id, start, start + length),
      };
    },
    "library.page": async ({ id, page, width, highlight, password }) => {
      const document = store.get(id);
      if (document.path === null || document.format !== "pdf")
        throw new CredenceError("documents.no-pages", { name: document.name });
      const passage = highlight === undefined ? undefined : texts.passage(highlight);
      const marked =
        passage && passage.document_id === id && passage.page === page
          ? texts.slice(id, passage.start, passage.end)
          : null;
      const drawn = await parser.run("pdf.page", {
        path: document.path,
        page,
        width,
        ...(marked === null ? {} : { mark: marked }),
        ...(password === undefined ? {} : { password }),
      });
      return {
        width: drawn.width,
        height: drawn.height,
        image: `data:image/png;base64,${Buffer.from(drawn.png).toString("base64")}`,
        marks: drawn.marks.map((mark) => [...mark]),
      };
    },
  };
}

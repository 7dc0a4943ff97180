import { z } from "zod";
import { CredenceError } from "../../contract/index.ts";
import { parametersOf } from "../parameters.ts";
import type { LibraryPort } from "../ports.ts";
import type { Tool } from "../types.ts";
import { passageOutput, quoted } from "./passages.ts";

const SearchArgs = z.object({
  query: z.string().max(2000).default("").describe("What to find in the documents, in a few words"),
  limit: z.coerce.number().int().min(1).max(20).catch(8).default(8).describe("How many passages at most"),
});

/** Finds passages in the user's documents. */
export function searchLibrary(library: LibraryPort): Tool<z.output<typeof SearchArgs>> {
  return {
    name: "search_library",
    description: "Find passages in the documents that the user gave: files, contracts, papers, notes, tables.",
    schema: SearchArgs,
    parameters: parametersOf(SearchArgs),
    safety: "safe",
    timeoutMs: 20_000,
    label: ({ query }) => `Searching your library for ${quoted(query)}`,
    async execute({ query, limit }, context) {
      const passages = await library.search({
        query: query.trim() || context.userText,
        scope: context.scope,
        limit,
        signal: context.signal,
      });
      return passageOutput(passages, { none: "No document says anything about this.", noun: "passage" });
    },
  };
}

const ReadArgs = z.object({
  document: z.string().min(1).max(500).describe("The document's title or id"),
  offset: z.coerce.number().int().min(0).catch(0).default(0).describe("Character to start from, to read on"),
});

/** One call reads this much; the consolidator folds it. */
const READ_CHARS = 40_000;

/** Reads a document from a place on. */
export function readDocument(library: LibraryPort): Tool<z.output<typeof ReadArgs>> {
  return {
    name: "read_document",
    description: "Read one of the user's documents in full, by its title; to be used after search_library found it.",
    schema: ReadArgs,
    parameters: parametersOf(ReadArgs),
    safety: "safe",
    timeoutMs: 20_000,
    label: ({ document, offset }) => `${offset > 0 ? "Reading on in" : "Reading"} ${quoted(document)}`,
    async execute({ document, offset }, context) {
      const page = await library.read({
        document,
        offset,
        maxChars: READ_CHARS,
        scope: context.scope,
        signal: context.signal,
      });
      if (!page) throw new CredenceError("general.not-found", { what: "document", id: document });
      const end = offset + page.text.length;
      const more =
        page.nextOffset === null
          ? ""
          : `\n\n[Characters ${offset} to ${end} of ${page.totalChars}; read on with offset ${page.nextOffset}.]`;
      return {
        text: `${page.title}\n\n${page.text}${more}`,
        summary:
          page.nextOffset === null && offset === 0
            ? `Read ${quoted(page.title)} whole`
            : `Read ${percent(end - offset, page.totalChars)} of ${quoted(page.title)}`,
        passages: [
          {
            kind: "document",
            sourceId: page.documentId,
            title: page.title,
            place: offset === 0 ? "beginning" : `from character ${offset.toLocaleString("en")}`,
            text: page.text.slice(0, 1200),
            mark: null,
            score: 1,
            why: "read in full",
          },
        ],
      };
    },
  };
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 100 : Math.max(1, Math.round((part / whole) * 100))} %`;
}

import { CredenceError } from "../../contract/index.ts";
import type { Extracted } from "../types.ts";
import { decodeText } from "./charset.ts";
import type { ExtractContext } from "./context.ts";
import { writeHtml } from "./html.ts";
import { resolvePart, simpleProperties } from "./ooxml-package.ts";
import { TextBuilder } from "./text-builder.ts";
import { attribute, walkXml } from "./xml.ts";
import type { Zip } from "./zip.ts";

/** Books: the chapters of the spine in order, named by the book's own table of contents. */
export async function extractEpub(zip: Zip, context: ExtractContext): Promise<Extracted> {
  const rights = await zip.text("META-INF/encryption.xml");
  // Fonts may be scrambled by the two public methods; anything else locks the text itself.
  if (
    rights &&
    /Algorithm="(?!http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC))/.test(rights) &&
    /\.x?html/.test(rights)
  ) {
    throw new CredenceError("documents.encrypted", { format: "EPUB" });
  }
  const opfName = await packageName(zip);
  const opf = opfName === null ? null : await zip.text(opfName);
  if (opfName === null || opf === null) throw new CredenceError("documents.damaged", { format: "EPUB" });
  const folder = opfName.includes("/") ? opfName.slice(0, opfName.lastIndexOf("/")) : "";
  const { spine, toc } = readPackage(opf, folder);
  const titles = toc === null ? new Map<string, string>() : await tocTitles(zip, toc);
  const chapters = spine.length > 0 ? spine : zip.names.filter((name) => /\.x?html?$/i.test(name)).sort();
  const builder = new TextBuilder(context.limits.maxTextChars);
  for (let i = 0; i < chapters.length; i++) {
    if (context.expired() || builder.full) {
      context.warn({
        kind: "cut-short",
        message: `The book is too long to read whole: the text ends before chapter ${i + 1} of ${chapters.length}.`,
      });
      break;
    }
    const name = chapters[i]!;
    const bytes = await zip.read(name).catch((thrown: unknown) => {
      if (thrown instanceof CredenceError && thrown.kind === "documents.bomb") throw thrown;
      context.warn({ kind: "skipped-part", message: `Chapter ${i + 1} is damaged and was left out.` });
      return null;
    });
    if (bytes === null) continue;
    builder.newParagraph().open("chapter", titles.get(name) ?? null, 1, i + 1);
    writeHtml(decodeText(bytes).text, builder, { levelOffset: 1 });
    context.progress(i + 1, chapters.length, "chapter");
  }
  const { text, sections } = builder.finish();
  const metadata = simpleProperties(opf, {
    title: "title",
    creator: "author",
    language: "language",
    publisher: "publisher",
    date: "created",
    subject: "subject",
    description: "description",
  });
  const kept = sections.filter((section) => section.kind !== "chapter" || section.end > section.start);
  return {
    format: "epub",
    text,
    sections: kept,
    title: metadata["title"] ?? null,
    language: null,
    warnings: [],
    metadata,
  };
}

async function packageName(zip: Zip): Promise<string | null> {
  let name: string | null = null;
  const container = await zip.text("META-INF/container.xml");
  if (container !== null) {
    walkXml(container, {
      open(local, attributes) {
        if (local === "rootfile") name ??= resolvePart("", attribute(attributes, "full-path") ?? "");
      },
    });
  }
  if (name !== null && zip.has(name)) return name;
  return zip.names.find((entry) => entry.endsWith(".opf")) ?? null;
}

function readPackage(opf: string, folder: string): { spine: string[]; toc: string | null } {
  const items = new Map<string, { href: string; type: string; properties: string }>();
  const spine: string[] = [];
  let ncx: string | undefined;
  walkXml(opf, {
    open(local, attributes) {
      if (local === "item") {
        const href = resolvePart(folder, attribute(attributes, "href") ?? "");
        items.set(attribute(attributes, "id") ?? "", {
          href,
          type: attribute(attributes, "media-type") ?? "",
          properties: attribute(attributes, "properties") ?? "",
        });
      } else if (local === "spine") ncx = attribute(attributes, "toc");
      else if (local === "itemref") {
        const item = items.get(attribute(attributes, "idref") ?? "");
        if (item && !spine.includes(item.href) && !/image|css|font/.test(item.type)) spine.push(item.href);
      }
    },
  });
  const nav =
    [...items.values()].find((item) => /\bnav\b/.test(item.properties)) ??
    items.get(ncx ?? "") ??
    [...items.values()].find((item) => item.type.includes("ncx"));
  return { spine, toc: nav?.href ?? null };
}

/** Chapter names by file, from EPUB 3's navigation page or EPUB 2's table. */
async function tocTitles(zip: Zip, name: string): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  const xml = await zip.text(name);
  if (xml === null) return titles;
  const folder = name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : "";
  let href = "";
  let label = "";
  let inLabel = false;
  const keep = () => {
    const target = resolvePart(folder, href);
    const title = label.replace(/\s+/g, " ").trim();
    if (href !== "" && title !== "" && !titles.has(target)) titles.set(target, title);
  };
  walkXml(xml, {
    open(local, attributes) {
      if (local === "a") {
        href = attribute(attributes, "href") ?? "";
        label = "";
        inLabel = true;
      } else if (local === "navLabel") label = "";
      else if (local === "text") inLabel = true;
      else if (local === "content") {
        href = attribute(attributes, "src") ?? "";
        keep();
      }
    },
    text(text) {
      if (inLabel) label += text;
    },
    close(local) {
      if (local === "a") keep();
      if (local === "a" || local === "text") inLabel = false;
    },
  });
  return titles;
}

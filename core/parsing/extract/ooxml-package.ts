import { attribute, walkXml } from "./xml.ts";
import type { Zip } from "./zip.ts";

export interface Relationship {
  readonly type: string;
  /** A part name within the package, or the address outside when `external`. */
  readonly target: string;
  readonly external: boolean;
}

/** The relationships of a part ("" for the package itself), by id, in file order. */
export async function relationships(zip: Zip, part: string): Promise<Map<string, Relationship>> {
  const slash = part.lastIndexOf("/");
  const folder = slash < 0 ? "" : part.slice(0, slash);
  const file = part.slice(slash + 1);
  const name = `${folder === "" ? "" : `${folder}/`}_rels/${file}.rels`;
  const relations = new Map<string, Relationship>();
  const xml = await zip.text(name);
  if (xml === null) return relations;
  walkXml(xml, {
    open(local, attributes) {
      if (local !== "Relationship") return;
      const external = attribute(attributes, "TargetMode") === "External";
      const target = attribute(attributes, "Target") ?? "";
      relations.set(attribute(attributes, "Id") ?? `#${relations.size}`, {
        type: attribute(attributes, "Type") ?? "",
        target: external ? target : resolvePart(folder, target),
        external,
      });
    },
  });
  return relations;
}

/** Resolves a relative part name; a leading slash means from the package's root. */
export function resolvePart(folder: string, target: string): string {
  let clean = target.split("#")[0]!;
  try {
    clean = decodeURIComponent(clean);
  } catch {
    // A stray percent sign: the name is taken as written.
  }
  const parts = clean.startsWith("/") ? [] : folder.split("/").filter((part) => part !== "");
  for (const part of clean.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}

/** Title, author, dates and the like, by plain names. */
export async function coreProperties(zip: Zip): Promise<Record<string, string>> {
  const xml = await zip.text("docProps/core.xml");
  const names: Record<string, string> = {
    title: "title",
    creator: "author",
    subject: "subject",
    keywords: "keywords",
    description: "description",
    created: "created",
    modified: "modified",
    language: "language",
  };
  return xml === null ? {} : simpleProperties(xml, names);
}

/** Collects the text of elements by local name. */
export function simpleProperties(xml: string, names: Readonly<Record<string, string>>): Record<string, string> {
  const found: Record<string, string> = {};
  let key: string | undefined;
  let value = "";
  walkXml(xml, {
    open(local) {
      key = names[local];
      value = "";
    },
    text(text) {
      value += text;
    },
    close(local) {
      if (key !== undefined && names[local] === key && value.trim() !== "" && found[key] === undefined)
        found[key] = value.trim();
      key = undefined;
    },
  });
  return found;
}

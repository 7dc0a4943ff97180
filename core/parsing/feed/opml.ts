import { CredenceError } from "../../contract/index.ts";
import { type Element, elements, escapeHtml, parseTree } from "./tree.ts";
import type { OpmlFeed } from "./types.ts";

/** Reads an OPML subscription list, however old or broken. Throws `feeds.not-opml` when nothing in it is one. */
export function readOpml(text: string): OpmlFeed[] {
  const { root } = parseTree(text.replace(/^\uFEFF/, ""));
  const body = find(root, "body") ?? find(root, "opml");
  if (!body) throw new CredenceError("feeds.not-opml", {});
  const feeds: OpmlFeed[] = [];
  collect(body, [], feeds);
  const seen = new Set<string>();
  return feeds.filter((feed) => !seen.has(feed.url) && seen.add(feed.url));
}

function find(parent: Element, name: string): Element | null {
  for (const child of elements(parent)) {
    const found = child.name === name ? child : find(child, name);
    if (found) return found;
  }
  return null;
}

function collect(parent: Element, folders: readonly string[], into: OpmlFeed[]): void {
  for (const outline of elements(parent)) {
    if (outline.name !== "outline") continue;
    const url = (
      outline.attributes.get("xmlurl") ??
      (outline.attributes.get("type") === "rss" ? outline.attributes.get("url") : undefined)
    )?.trim();
    const title = (outline.attributes.get("title") || outline.attributes.get("text") || "").trim();
    if (url)
      into.push({
        url,
        title: title || url,
        homePage: outline.attributes.get("htmlurl")?.trim() || null,
        folder: folders.join(" / "),
      });
    // A feed with outlines below it is a feed and a folder at once in some exporters.
    collect(outline, url || !title ? folders : [...folders, title], into);
  }
}

/** Writes OPML 2.0, folders as outlines, in the order given. */
export function writeOpml(feeds: readonly OpmlFeed[], title: string): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<opml version="2.0">',
    "  <head>",
    `    <title>${escapeHtml(title)}</title>`,
    "  </head>",
    "  <body>",
  ];
  const tree: Folder = { feeds: [], folders: new Map() };
  for (const feed of feeds) {
    let folder = tree;
    for (const name of feed.folder.split(" / ").filter(Boolean)) {
      let inner = folder.folders.get(name);
      if (!inner) {
        inner = { feeds: [], folders: new Map() };
        folder.folders.set(name, inner);
      }
      folder = inner;
    }
    folder.feeds.push(feed);
  }
  writeFolder(tree, "    ", lines);
  lines.push("  </body>", "</opml>", "");
  return lines.join("\n");
}

interface Folder {
  readonly feeds: OpmlFeed[];
  readonly folders: Map<string, Folder>;
}

function writeFolder(folder: Folder, indent: string, lines: string[]): void {
  for (const feed of folder.feeds) {
    const page = feed.homePage ? ` htmlUrl="${escapeHtml(feed.homePage)}"` : "";
    const name = escapeHtml(feed.title);
    lines.push(`${indent}<outline type="rss" text="${name}" title="${name}" xmlUrl="${escapeHtml(feed.url)}"${page}/>`);
  }
  for (const [name, inner] of folder.folders) {
    lines.push(`${indent}<outline text="${escapeHtml(name)}" title="${escapeHtml(name)}">`);
    writeFolder(inner, `${indent}  `, lines);
    lines.push(`${indent}</outline>`);
  }
}

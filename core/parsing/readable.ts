import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { decodeText } from "./extract/charset.ts";
import { writeHtml } from "./extract/html.ts";
import { languageOf } from "./extract/language.ts";
import { TextBuilder } from "./extract/text-builder.ts";
import type { ReadableParams, ReadableResult } from "./jobs.ts";

const maxLinks = 300;

/** The article of a page without its menus and margins; the whole page's text where no article stands out. */
export async function readable(params: ReadableParams): Promise<ReadableResult> {
  const html =
    typeof params.html === "string" ? params.html : decodeText(params.html, params.declaredCharset ?? null).text;
  const whole = new TextBuilder();
  const facts = writeHtml(html, whole);
  const { document } = parseHTML(html);
  const links = linksOf(document, params.url);
  let article: ReturnType<Readability["parse"]> = null;
  try {
    // Readability takes the document apart, so it comes last.
    article = new Readability(document as unknown as Document, { maxElemsToParse: 100_000 }).parse();
  } catch {
    // Pages it cannot take apart are read whole.
  }
  const articleText = article?.content ? textOf(article.content) : "";
  const wholeText = whole.finish().text;
  const isArticle = articleText.length > 200 && articleText.length > wholeText.length * 0.02;
  const text = isArticle ? articleText : wholeText;
  return {
    title: (article?.title || facts.title)?.trim() || null,
    byline: article?.byline?.trim() || facts.meta["author"] || null,
    siteName: article?.siteName?.trim() || null,
    publishedAt: article?.publishedTime ?? facts.meta["article:published_time"] ?? null,
    language: (article?.lang || facts.language)?.slice(0, 2).toLowerCase() || languageOf(text),
    excerpt: article?.excerpt?.trim() || facts.meta["description"] || null,
    text,
    html: isArticle ? (article?.content ?? null) : null,
    isArticle,
    links,
  };
}

function textOf(html: string): string {
  const builder = new TextBuilder();
  writeHtml(html, builder);
  return builder.finish().text;
}

interface LinkElement {
  getAttribute(name: string): string | null;
  readonly textContent: string | null;
}

function linksOf(
  document: { querySelectorAll(selector: string): Iterable<LinkElement> },
  base: string | undefined,
): { text: string; url: string }[] {
  const links = new Map<string, string>();
  for (const anchor of document.querySelectorAll("a[href]")) {
    const href = anchor.getAttribute("href") ?? "";
    const url = URL.canParse(href, base) ? new URL(href, base) : null;
    const text = (anchor.textContent ?? "").replace(/\s+/g, " ").trim();
    if (!url || text === "" || !/^https?:$/.test(url.protocol)) continue;
    url.hash = "";
    if (!links.has(url.href)) links.set(url.href, text);
    if (links.size >= maxLinks) break;
  }
  return [...links].map(([url, text]) => ({ text, url }));
}

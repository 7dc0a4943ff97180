import { createElement, Fragment, type ReactNode, useMemo, useState } from "react";
import { Button } from "../../components/Button.tsx";
import { Icon } from "../../components/Icon.tsx";
import { act } from "../../hooks/useAction.ts";
import { hostOf, safeLink } from "../../markdown/links.ts";
import { feeds as words } from "../../words/feeds.ts";

const PLAIN = new Set(
  "p div span br hr blockquote q cite pre code kbd samp var ul ol li dl dt dd table caption thead tbody tfoot tr th td b strong i em u s del ins sub sup small mark abbr address time figure figcaption section article ruby rt rp".split(
    " ",
  ),
);
/** A heading of an article stands below the article's own. */
const HEADINGS: Readonly<Record<string, string>> = { h1: "h2", h2: "h2", h3: "h3", h4: "h4", h5: "h5", h6: "h6" };
const MAX_DEPTH = 80;

/**
 * An article's HTML as React elements. It was sanitised when it was read; here every element and attribute is still
 * made anew from a short list, so that nothing of a stranger's markup reaches the page as markup.
 */
export function ArticleHtml({ html, entryId }: { readonly html: string; readonly entryId: string }) {
  const content = useMemo(() => {
    const { body } = new DOMParser().parseFromString(html, "text/html");
    return childrenOf(body, entryId, 0);
  }, [html, entryId]);
  return <div className="article">{content}</div>;
}

function childrenOf(parent: Node, entryId: string, depth: number): ReactNode[] {
  if (depth > MAX_DEPTH) return [parent.textContent];
  // biome-ignore lint/suspicious/noArrayIndexKey: an article is drawn once; its nodes have no identity but their place
  return [...parent.childNodes].map((node, index) => <Fragment key={index}>{draw(node, entryId, depth)}</Fragment>);
}

function draw(node: Node, entryId: string, depth: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof HTMLElement)) return null;
  const name = node.localName;
  if (name === "img")
    return <Picture source={node.getAttribute("data-src")} alt={node.getAttribute("alt") ?? ""} entryId={entryId} />;
  if (name === "br" || name === "hr") return createElement(name);
  const children = childrenOf(node, entryId, depth + 1);
  if (name === "a") return <Link href={node.getAttribute("href") ?? ""}>{children}</Link>;
  const heading = HEADINGS[name];
  if (heading) return createElement(heading, null, ...children);
  if (!PLAIN.has(name)) return children;
  return createElement(name, spans(node), ...children);
}

function spans(cell: HTMLElement): { colSpan?: number; rowSpan?: number } | null {
  if (!(cell instanceof HTMLTableCellElement)) return null;
  return { colSpan: Math.min(cell.colSpan, 100), rowSpan: Math.min(cell.rowSpan, 100) };
}

function Link({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const address = safeLink(href);
  if (!address?.startsWith("https://")) return <span>{children}</span>;
  return (
    <a
      href={address}
      title={address}
      onClick={(event) => {
        event.preventDefault();
        void act("shell.openExternal", { url: address });
      }}
    >
      {children}
    </a>
  );
}

interface PictureProps {
  readonly source: string | null;
  readonly alt: string;
  readonly entryId: string;
}

/** A picture that is not loaded before the user asks: loading it tells its host that the article is being read. */
function Picture({ source, alt, entryId }: PictureProps) {
  const [loaded, setLoaded] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const host = source ? hostOf(source) : null;
  if (loaded) return <img src={loaded} alt={alt} />;
  if (!source || !host) return alt ? <span className="faint">{alt}</span> : null;
  const load = async () => {
    setBusy(true);
    const picture = await act("feeds.image", { entryId, url: source });
    setBusy(false);
    if (picture) setLoaded(picture.value.dataUrl);
  };
  return (
    <span className="picture">
      <Icon name="eye" />
      <span className="grow f12">
        {words.image(host)}
        {alt && <span className="faint"> · {alt}</span>}
      </span>
      <Button kind="quiet" size="s" disabled={busy} onClick={() => void load()}>
        {words.loadOnce}
      </Button>
    </span>
  );
}

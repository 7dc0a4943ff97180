import type { Components } from "hast-util-to-jsx-runtime";
import { createContext, memo, type ReactNode, useContext, useMemo } from "react";
import "katex/dist/katex.min.css";
import { Icon } from "../components/Icon.tsx";
import { shared } from "../words/shared.ts";
import { splitBlocks } from "./blocks.ts";
import { CodeBlock } from "./CodeBlock.tsx";
import { drawMarkdown } from "./draw.ts";
import { hostOf } from "./links.ts";
import "./markdown.css";

/** Draws a citation; what it returns for a number nobody found is the text itself. */
export type DrawCitation = (number: number) => ReactNode;

const CitationContext = createContext<DrawCitation>((number) => `[${number}]`);

export interface MarkdownProps {
  readonly text: string;
  readonly citation?: DrawCitation;
  /** More text may follow: shows the caret after the last block. */
  readonly streaming?: boolean;
}

/**
 * A model's Markdown. It is hostile text: HTML in it is shown as text, links keep only https: and mailto: addresses,
 * images are named but never loaded, formulas run without KaTeX's trusted commands.
 */
export function Markdown({ text, citation, streaming }: MarkdownProps) {
  const blocks = useMemo(() => splitBlocks(text), [text]);
  const body = (
    <div className={streaming ? "md live" : "md"}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end
        <Block key={index} text={block} live={streaming === true && index === blocks.length - 1} />
      ))}
    </div>
  );
  return citation ? <CitationContext value={citation}>{body}</CitationContext> : body;
}

const LiveContext = createContext(false);

/** Drawn again only when its own text changes. */
const Block = memo(function Block({ text, live }: { readonly text: string; readonly live: boolean }) {
  return <LiveContext value={live}>{drawMarkdown(text, components, !live)}</LiveContext>;
});

function Citation({ "data-number": number }: { readonly "data-number"?: number | string }) {
  return useContext(CitationContext)(Number(number));
}

function Pre({ children }: { readonly children?: ReactNode }) {
  const live = useContext(LiveContext);
  const code = children as { props?: { className?: string; children?: ReactNode } } | undefined;
  const language = /language-(\S+)/.exec(code?.props?.className ?? "")?.[1] ?? null;
  return <CodeBlock code={String(code?.props?.children ?? "").replace(/\n$/, "")} language={language} live={live} />;
}

const components: Partial<Components> = {
  pre: Pre,
  "cite-chip": Citation,
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noreferrer noopener" title={href}>
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) => (
    <span className="chip no-image">
      <Icon name="eye" size="s" />
      {shared.imageNotLoaded(alt ?? "", typeof src === "string" ? hostOf(src) : null)}
    </span>
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls sideways, by keyboard too
    <section className="md-table" tabIndex={0} aria-label={shared.table}>
      <table>{children}</table>
    </section>
  ),
  input: (props) => <input type="checkbox" checked={props.checked === true} readOnly disabled />,
};

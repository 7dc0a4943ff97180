import { memo, useState } from "react";
import { Button } from "../components/Button.tsx";
import { copyText } from "../hooks/copyText.ts";
import { shared } from "../words/shared.ts";
import type { TokenSpan } from "./highlight.ts";
import { languageLabel } from "./languages.ts";
import { useHighlight } from "./useHighlight.ts";

export interface CodeBlockProps {
  readonly code: string;
  readonly language: string | null;
  /** Still being written. */
  readonly live: boolean;
}

/** Code with its language, a copy button and quiet colours; belief colours stay out. */
export function CodeBlock({ code, language, live }: CodeBlockProps) {
  const lines = useHighlight(code, language);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(code))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <figure className="code">
      <header>
        <span className="grow">{languageLabel(language)}</span>
        <Button kind="quiet" size="s" icon={copied ? "check" : "copy"} onClick={copy}>
          {copied ? shared.copied : shared.copy}
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll sideways, by keyboard too */}
      <pre tabIndex={0} aria-busy={live || undefined}>
        <code>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end
            <Line key={index} spans={line} last={index === lines.length - 1} />
          ))}
        </code>
      </pre>
    </figure>
  );
}

const Line = memo(function Line({ spans, last }: { readonly spans: readonly TokenSpan[]; readonly last: boolean }) {
  return (
    <>
      {spans.map((span, index) =>
        span.kind ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity
          <span key={index} className={span.kind}>
            {span.text}
          </span>
        ) : (
          span.text
        ),
      )}
      {last ? "" : "\n"}
    </>
  );
});

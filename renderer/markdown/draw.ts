/** Markdown to elements: one processor for all, and what was drawn is kept, since rows of a long chat come and go. */
import type { Root } from "hast";
import { type Components, toJsxRuntime } from "hast-util-to-jsx-runtime";
import type { ReactElement } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { rehypeCitations } from "./citations.ts";
import { rehypeFormulas } from "./formulas.ts";
import { remarkHtmlAsText } from "./html-as-text.ts";
import { normalizeMath } from "./math.ts";
import { rehypeSafeLinks } from "./safe-links.ts";
import { schema } from "./schema.ts";

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkMath)
  .use(remarkHtmlAsText)
  .use(remarkRehype)
  .use(rehypeSanitize, schema)
  .use(rehypeSafeLinks)
  .use(rehypeFormulas)
  .use(rehypeCitations)
  .freeze();

const kept = 600;
const drawn = new Map<string, ReactElement>();

/** `keep: false` for text that still grows: it will not be asked for again. */
export function drawMarkdown(text: string, components: Partial<Components>, keep: boolean): ReactElement {
  const before = drawn.get(text);
  if (before) return before;
  const tree = processor.runSync(processor.parse(normalizeMath(text))) as Root;
  const element = toJsxRuntime(tree, { Fragment, jsx, jsxs, components, ignoreInvalidStyle: true, passKeys: true });
  if (keep) {
    drawn.set(text, element);
    const oldest = drawn.keys().next().value;
    if (drawn.size > kept && oldest !== undefined) drawn.delete(oldest);
  }
  return element;
}

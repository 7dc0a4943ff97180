import type { Element, ElementContent, Root, RootContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import katex from "katex";

const kept = 300;
const drawn = new Map<string, ElementContent[]>();

/**
 * A rehype plugin: formulas that remark-math found become KaTeX's elements. Its HTML is read by a parser in script, not
 * by the browser's: that one would refuse the style attributes, which React sets one by one instead.
 */
export function rehypeFormulas() {
  return (tree: Root) => visit(tree);
}

function visit(node: Root | Element): void {
  const children: readonly RootContent[] = node.children;
  node.children = children.flatMap((child): RootContent[] => {
    if (child.type !== "element") return [child];
    const display =
      isMath(child, "math-display") || (child.tagName === "pre" && isMath(child.children[0], "math-display"));
    if (display || isMath(child, "math-inline")) return draw(textOf(child), display);
    visit(child);
    return [child];
  }) as typeof node.children;
}

function isMath(node: ElementContent | undefined, kind: string): boolean {
  if (node?.type !== "element" || node.tagName !== "code") return false;
  const classes = node.properties["className"];
  return Array.isArray(classes) && classes.includes(kind);
}

function draw(latex: string, displayMode: boolean): ElementContent[] {
  const key = `${displayMode ? "d" : "i"}${latex}`;
  let elements = drawn.get(key);
  if (!elements) {
    const html = katex.renderToString(latex, {
      displayMode,
      throwOnError: false,
      strict: false,
      trust: false,
      maxSize: 20,
      maxExpand: 200,
      errorColor: "inherit",
    });
    elements = fromHtml(html, { fragment: true }).children as ElementContent[];
    drawn.set(key, elements);
    const oldest = drawn.keys().next().value;
    if (drawn.size > kept && oldest !== undefined) drawn.delete(oldest);
  }
  return structuredClone(elements);
}

function textOf(node: ElementContent): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(textOf).join("") : "";
}

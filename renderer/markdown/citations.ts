import type { Element, ElementContent, Root, RootContent } from "hast";

const pattern = /\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]/g;

/** A rehype plugin: `[1]` and `[1, 2]` in running text become `<cite-chip data-number="1">`; code and links stay. */
export function rehypeCitations() {
  return (tree: Root) => visit(tree);
}

function visit(node: Root | Element): void {
  const children: (RootContent | ElementContent)[] = [];
  for (const child of node.children) {
    if (child.type === "element") {
      if (!["code", "pre", "a", "math", "annotation"].includes(child.tagName)) visit(child);
      children.push(child);
    } else if (child.type === "text") {
      children.push(...splitText(child.value));
    } else {
      children.push(child);
    }
  }
  node.children = children as typeof node.children;
}

function splitText(value: string): ElementContent[] {
  const out: ElementContent[] = [];
  let last = 0;
  for (const match of value.matchAll(pattern)) {
    if (match.index > last) out.push({ type: "text", value: value.slice(last, match.index) });
    for (const number of match[1]!.split(/[,;]/)) {
      out.push({ type: "element", tagName: "cite-chip", properties: { dataNumber: Number(number) }, children: [] });
    }
    last = match.index + match[0].length;
  }
  if (last === 0) return [{ type: "text", value }];
  if (last < value.length) out.push({ type: "text", value: value.slice(last) });
  return out;
}

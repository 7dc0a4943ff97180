import type { Nodes, Parents, Root } from "mdast";

/** A remark plugin: HTML in a model's text is shown as the text it is; only `<br>` breaks the line. */
export function remarkHtmlAsText() {
  return (tree: Root) => visit(tree);
}

function visit(node: Parents): void {
  const flow = node.type === "root" || node.type === "blockquote" || node.type === "listItem";
  node.children = node.children.map((child: Nodes): Nodes => {
    if (child.type === "html") {
      if (/^<br\s*\/?>$/i.test(child.value)) return flow ? { type: "paragraph", children: [] } : { type: "break" };
      const text = { type: "text", value: child.value } as const;
      return flow ? { type: "paragraph", children: [text] } : text;
    }
    if ("children" in child) visit(child);
    return child;
  }) as typeof node.children;
}

import type { Element, Root } from "hast";
import { safeLink } from "./links.ts";

/** A rehype plugin: addresses that may not stay are taken off their links; images keep theirs only to be named. */
export function rehypeSafeLinks() {
  return (tree: Root) => visit(tree);
}

function visit(node: Root | Element): void {
  for (const child of node.children) {
    if (child.type !== "element") continue;
    for (const name of ["href", "src"]) {
      if (!(name in child.properties)) continue;
      const safe = safeLink(String(child.properties[name]));
      if (safe === null) delete child.properties[name];
      else child.properties[name] = safe;
    }
    visit(child);
  }
}

import type { FoundPassage } from "../../../../core/contract/index.ts";
import { act } from "../../../hooks/useAction.ts";
import { navigate } from "../../../hooks/useRoute.ts";
import { screens } from "../../index.ts";

const recalledKinds: readonly FoundPassage["kind"][] = ["memory", "message"];

/** Passages of documents, feeds and pages. */
export const sourcesOf = (found: readonly FoundPassage[]): readonly FoundPassage[] =>
  found.filter((each) => !recalledKinds.includes(each.kind));

/** What came back from earlier conversations. */
export const recalledOf = (found: readonly FoundPassage[]): readonly FoundPassage[] =>
  found.filter((each) => recalledKinds.includes(each.kind));

const screenOf: Partial<Record<FoundPassage["kind"], string>> = {
  document: "library",
  feed: "feeds",
  memory: "memory",
  message: "memory",
};

/** Whether the source can be opened: its screen exists, or it is a page in the browser. */
export function canOpen(passage: FoundPassage): boolean {
  if (passage.kind === "web") return /^https:/i.test(passage.sourceId);
  return screens.some((screen) => screen.id === screenOf[passage.kind]);
}

/** Opens a source where it lives: `#/library/passage/ID`, `#/feeds/all?entry=ID`, `#/memory/ID`, or the browser. */
export function openSource(passage: FoundPassage): void {
  const { kind, sourceId } = passage;
  if (kind === "web") void act("shell.openExternal", { url: sourceId });
  else if (kind === "document") navigate({ screen: "library", path: ["passage", sourceId] });
  else if (kind === "feed") navigate({ screen: "feeds", path: ["all"], query: { entry: sourceId } });
  else navigate({ screen: "memory", path: [sourceId] });
}

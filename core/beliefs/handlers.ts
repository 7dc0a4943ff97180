import type { Handlers } from "../contract/index.ts";
import type { Beliefs } from "./service.ts";

type BeliefMethod = Extract<keyof Handlers, `beliefs.${string}`>;

/** The `beliefs.…` methods of the contract. Weighing stops when `signal` is aborted. */
export function beliefHandlers(beliefs: Beliefs, signal: AbortSignal): Pick<Handlers, BeliefMethod> {
  return {
    "beliefs.list": (params) => beliefs.overview.list(params),
    "beliefs.get": ({ id }) => beliefs.overview.get(id),
    "beliefs.weigh": async ({ text }) => plain(await beliefs.score(text, signal)),
    "beliefs.add": async ({ text, title, beliefId }) => {
      const { verdict, notes } = await beliefs.add(text, title ?? "", beliefId ?? null, signal);
      return { verdict: plain(verdict), notes: [...notes] };
    },
    "beliefs.dispute": ({ id, reason }) => beliefs.hand.dispute(id, reason),
    "beliefs.settle": ({ id }) => beliefs.hand.settle(id),
    "beliefs.pin": ({ id, pinned }) => beliefs.hand.pin(id, pinned),
    "beliefs.edit": ({ id, statement }) => beliefs.hand.edit(id, statement),
    "beliefs.renew": ({ id }) => beliefs.hand.renew(id),
    "beliefs.remove": ({ id }) => {
      beliefs.hand.remove(id);
      return null;
    },
    "beliefs.restore": ({ id }) => beliefs.hand.restore(id),
    "beliefs.previewUndo": ({ revisionId }) => beliefs.hand.previewUndo(revisionId),
    "beliefs.undo": ({ revisionId }) => beliefs.hand.undo(revisionId),
    "beliefs.redo": ({ revisionId }) => beliefs.hand.redo(revisionId),
    "beliefs.previewSource": ({ kind, sourceId }) => ({ effects: beliefs.sources.preview(kind, sourceId) }),
    "beliefs.log": ({ before, limit }) => beliefs.overview.log(before ?? null, limit ?? 100),
    "beliefs.digest": ({ since }) => beliefs.overview.digest(since),
    "beliefs.snapshots": () => ({ versions: beliefs.overview.versions() }),
    "beliefs.useSnapshot": ({ version }) => {
      beliefs.useSnapshot(version);
      return { versions: beliefs.overview.versions() };
    },
    "beliefs.rewriteSnapshot": async () => {
      await beliefs.reflect(signal);
      return { versions: beliefs.overview.versions() };
    },
  };
}

function plain<Score extends { topics: readonly string[]; reasons: readonly string[] }>(score: Score) {
  return { ...score, topics: [...score.topics], reasons: [...score.reasons] };
}

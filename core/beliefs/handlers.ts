import type { Handlers } from "../contract/index.ts";
import type { Beliefs } from "./service.ts";

type BeliefMethod = Extract<keyof Handlers, `beliefs.${string}`>;

/** The `beliefs.…` methods of the contract. Weighing stops when `signal` is aborted. */
export function beliefHandlers(beliefs: Beliefs, signal: AbortSignal): Pick<Handlers, BeliefMethod> {
  return {
    "beliefs.list": (params) => beliefs.list(params),
    "beliefs.get": ({ id }) => beliefs.get(id),
    "beliefs.weigh": async ({ text }) => plain(await beliefs.score(text, signal)),
    "beliefs.add": async ({ text, title, beliefId }) => {
      const { verdict, notes } = await beliefs.add(text, title ?? "", beliefId ?? null, signal);
      return { verdict: plain(verdict), notes: [...notes] };
    },
    "beliefs.dispute": ({ id, reason }) => beliefs.dispute(id, reason),
    "beliefs.settle": ({ id }) => beliefs.settle(id),
    "beliefs.pin": ({ id, pinned }) => beliefs.pin(id, pinned),
    "beliefs.edit": ({ id, statement }) => beliefs.edit(id, statement),
    "beliefs.renew": ({ id }) => beliefs.renew(id),
    "beliefs.remove": ({ id }) => {
      beliefs.remove(id);
      return null;
    },
    "beliefs.restore": ({ id }) => beliefs.restore(id),
    "beliefs.previewUndo": ({ revisionId }) => beliefs.previewUndo(revisionId),
    "beliefs.undo": ({ revisionId }) => beliefs.undo(revisionId),
    "beliefs.redo": ({ revisionId }) => beliefs.redo(revisionId),
    "beliefs.previewSource": ({ kind, sourceId }) => ({ effects: beliefs.previewSource(kind, sourceId) }),
    "beliefs.log": ({ before, limit }) => beliefs.log(before ?? null, limit ?? 100),
    "beliefs.digest": ({ since }) => beliefs.digest(since),
    "beliefs.snapshots": () => ({ versions: beliefs.snapshotVersions() }),
    "beliefs.useSnapshot": ({ version }) => {
      beliefs.useSnapshot(version);
      return { versions: beliefs.snapshotVersions() };
    },
    "beliefs.rewriteSnapshot": async () => {
      await beliefs.reflect(signal);
      return { versions: beliefs.snapshotVersions() };
    },
  };
}

function plain<Score extends { topics: readonly string[]; reasons: readonly string[] }>(score: Score) {
  return { ...score, topics: [...score.topics], reasons: [...score.reasons] };
}

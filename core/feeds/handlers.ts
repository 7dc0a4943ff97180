import type { Handlers } from "../contract/index.ts";
import type { Feeds } from "./service.ts";

type FeedMethod = Extract<keyof Handlers, `feeds.${string}`>;

/** The `feeds.…` methods of the contract. Requests stop when `signal` is aborted. */
export function feedHandlers(feeds: Feeds, signal: AbortSignal): Pick<Handlers, FeedMethod> {
  const { store } = feeds;
  return {
    "feeds.list": () => feeds.overview(),
    "feeds.add": ({ address, folder }) => feeds.add(address, folder ?? "", signal),
    "feeds.addFile": ({ path }) => feeds.addFile(path, signal),
    "feeds.update": ({ id, ...change }) => store.update(id, defined(change)),
    "feeds.remove": ({ id }) => {
      store.remove(id);
      return null;
    },
    "feeds.restore": ({ id }) => store.restore(id),
    "feeds.refresh": ({ id }) => ({
      asked: feeds.refresher.refresh(
        id
          ? [id]
          : store
              .list()
              .filter((feed) => !feed.paused)
              .map((feed) => feed.id),
      ),
    }),
    "feeds.entries": ({ filter, before, limit }) => store.entries(filter, before ?? null, limit ?? 100),
    "feeds.entry": ({ id }) => store.entry(id),
    "feeds.markRead": ({ ids, read }) => {
      store.markRead(ids, read);
      return null;
    },
    "feeds.markOlderRead": ({ filter, before }) => ({ ids: store.markOlderRead(filter, before) }),
    "feeds.star": ({ id, starred }) => {
      store.star(id, starred);
      return null;
    },
    "feeds.fetchFullText": ({ id }) => feeds.fetchFullText(id, signal),
    "feeds.image": ({ entryId, url }) => feeds.picture(entryId, url, signal),
    "feeds.importOpml": ({ path }) => feeds.importOpml(path, signal),
    "feeds.exportOpml": () => feeds.exportOpml(),
  };
}

/** The fields that are set: an absent field means "leave as it is". */
function defined<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: Exclude<Fields[Key], undefined>;
  };
}

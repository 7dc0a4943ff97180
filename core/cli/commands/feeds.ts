import { resolve } from "node:path";
import { asCredenceError, CredenceError, type Feed } from "../../contract/index.ts";
import { type Command, type CommandContext, EXIT } from "../command.ts";

const add: Command = {
  name: "feeds add",
  usage: "ADDRESS|FILE... [--folder NAME] [--allow]",
  summary: "Follows feeds by address (of the feed or its site), or reads feed files from disk.",
  options: { folder: { type: "string" }, allow: { type: "boolean" } },
  async run(context) {
    const app = await context.app();
    if (context.args.length === 0) throw usage("feeds add", "give the address of a feed or site, or a feed file");
    if (context.options["allow"] === true) await app.call("privacy.setPurpose", { purpose: "feeds", allowed: true });
    const folder = typeof context.options["folder"] === "string" ? context.options["folder"] : "";
    let failed = 0;
    for (const address of context.args) {
      try {
        await print(context, await addOne(context, address, folder));
      } catch (thrown) {
        failed++;
        const error = asCredenceError(thrown);
        if (context.json || context.lines)
          await context.print(JSON.stringify({ address, ok: false, error: error.toData() }));
        else context.remark(`${address}: ${error.message}`);
      }
    }
    return failed === 0 ? EXIT.done : failed === context.args.length ? EXIT.failed : EXIT.partly;
  },
};

async function addOne(context: CommandContext, address: string, folder: string): Promise<Record<string, unknown>> {
  const app = await context.app();
  if (/^(\.{0,2}\/|[A-Za-z]:\\)|\.(xml|rss|atom|rdf|json)$/i.test(address) && !/^[a-z]+:\/\//i.test(address)) {
    return { address, ok: true, outcome: "added", feed: await app.call("feeds.addFile", { path: resolve(address) }) };
  }
  return { address, ok: true, ...(await app.call("feeds.add", { address, folder })) };
}

async function print(context: CommandContext, result: Record<string, unknown>): Promise<void> {
  if (context.json || context.lines) return context.print(JSON.stringify(result));
  if (result["outcome"] === "choose") {
    await context.print("That page links to several feeds. Add one of them:");
    for (const found of result["found"] as { url: string; title: string }[])
      await context.print(`  ${found.url}  ${found.title}`);
    return;
  }
  await context.print(oneLine(result["feed"] as Feed));
}

const list: Command = {
  name: "feeds list",
  usage: "",
  summary: "Lists the feeds you follow, with unread counts and problems.",
  async run(context) {
    const app = await context.app();
    const overview = await app.call("feeds.list", {});
    if (context.json) await context.print(JSON.stringify(overview));
    else if (context.lines) for (const feed of overview.feeds) await context.print(JSON.stringify(feed));
    else {
      for (const feed of overview.feeds) await context.print(oneLine(feed));
      if (overview.feeds.length === 0) context.remark("You follow no feed yet: credence feeds add ADDRESS");
    }
    return EXIT.done;
  },
};

const refresh: Command = {
  name: "feeds refresh",
  usage: "[ID] [--allow]",
  summary: "Asks feeds now, with the consent given under Privacy or by --allow.",
  options: { allow: { type: "boolean" } },
  async run(context) {
    const app = await context.app();
    if (context.options["allow"] === true) await app.call("privacy.setPurpose", { purpose: "feeds", allowed: true });
    const [id] = context.args;
    const before = await app.call("feeds.list", {});
    if (!before.allowed) throw new CredenceError("egress.not-allowed", { purpose: "feeds", title: "Feeds" });
    const { asked } = await app.call("feeds.refresh", id ? { id } : {});
    let overview = await app.call("feeds.list", {});
    while (overview.feeds.some((feed) => feed.refreshing)) {
      context.signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 100));
      overview = await app.call("feeds.list", {});
    }
    const feeds = overview.feeds.filter((feed) => !id || feed.id === id);
    if (context.json) await context.print(JSON.stringify({ asked, online: overview.online, feeds }));
    else for (const feed of feeds) await context.print(oneLine(feed));
    return feeds.some((feed) => feed.state === "failing") ? EXIT.partly : EXIT.done;
  },
};

const importCommand: Command = {
  name: "feeds import",
  usage: "FILE",
  summary: "Follows every feed of an OPML subscription list.",
  async run(context) {
    const app = await context.app();
    const [path] = context.args;
    if (!path) throw usage("feeds import", "name an OPML file");
    const result = await app.call("feeds.importOpml", { path: resolve(path) });
    if (context.json) await context.print(JSON.stringify(result));
    else {
      await context.print(
        `${result.added} added, ${result.known} known already, ${result.refused.length} without a usable address.`,
      );
      for (const address of result.refused) context.remark(`  ${address}`);
    }
    return EXIT.done;
  },
};

const exportCommand: Command = {
  name: "feeds export",
  usage: "",
  summary: "Prints the feeds you follow as OPML.",
  async run(context) {
    const app = await context.app();
    const result = await app.call("feeds.exportOpml", {});
    await context.write(context.json ? `${JSON.stringify(result)}\n` : result.text);
    return EXIT.done;
  },
};

const jobs: Command = {
  name: "jobs",
  usage: "",
  summary: "Shows the queue of items on their way to the beliefs.",
  async run(context) {
    const app = await context.app();
    const { jobs: found, queue } = await app.call("jobs.list", { limit: 200 });
    if (context.json) await context.print(JSON.stringify({ jobs: found, queue }));
    else if (context.lines) for (const job of found) await context.print(JSON.stringify(job));
    else {
      await context.print(
        `${queue.waiting} waiting of at most ${queue.capacity}. ${queue.held ?? (queue.running ? "Working." : "Idle.")}`,
      );
      for (const job of found)
        await context.print(`${job.id}  ${job.state.padEnd(9)}  ${job.title}${job.reason ? `  (${job.reason})` : ""}`);
    }
    return EXIT.done;
  },
};

export const feedsCommands: readonly Command[] = [add, list, refresh, importCommand, exportCommand, jobs];

function usage(method: string, problem: string): CredenceError {
  return new CredenceError("general.invalid-request", { method, problem });
}

function oneLine(feed: Feed): string {
  const state = feed.problem ?? (feed.paused ? "paused" : `${feed.unread} unread of ${feed.entries}`);
  return `${feed.id}  ${feed.folder ? `${feed.folder} / ` : ""}${feed.title}  ${state}`;
}

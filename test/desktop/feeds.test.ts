import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { cleanUp, launch, type RunningApp, temporaryFolder } from "./support/app.ts";

const { executable } = inject("desktop");

let server: Server;
let address: string;
let items: string[];

beforeEach(async () => {
  items = [item("plain", "The rack was painted", "It is green now.")];
  server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/rss+xml" });
    response.end(
      `<rss version="2.0"><channel><title>Weir notes</title><link>https://weir.example/</link>${items.join("")}</channel></rss>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed`;
});

afterEach(async () => {
  await cleanUp();
  await closed(server);
});

function closed(running: Server): Promise<void> {
  running.closeAllConnections();
  return new Promise((resolve) => void running.close(() => resolve()));
}

const item = (guid: string, title: string, text: string) =>
  `<item><guid isPermaLink="false">${guid}</guid><title>${title}</title><link>https://weir.example/${guid}</link><description>${text}</description></item>`;

async function openFeeds(app: RunningApp): Promise<void> {
  await app.page.getByRole("navigation").getByRole("link", { name: "Feeds" }).click();
}

async function follow(app: RunningApp): Promise<void> {
  await openFeeds(app);
  await app.page.getByRole("button", { name: "Follow a feed" }).first().click();
  await app.page.getByLabel("Address").fill(address);
  await app.page.getByRole("button", { name: "Allow feeds" }).click();
  await app.page.getByText("The rack was painted").first().waitFor();
}

test("a feed is followed with consent, refreshed, read without a network, and its requests are in the ledger", async () => {
  const app = await launch({ executable, dataDir: temporaryFolder(), firstStartDone: true });
  await follow(app);
  items.unshift(item("new", "The gauge rose", "By 14 cm in one night."));
  await app.page.getByRole("button", { name: "Ask all feeds now" }).click();
  await app.page.getByText("The gauge rose").first().waitFor();
  await closed(server);
  await app.page.getByText("The gauge rose").first().click();
  await app.page.getByRole("article").getByText("By 14 cm in one night.").waitFor();
  await app.page.getByRole("navigation").getByRole("link", { name: "Privacy" }).click();
  await app.page.getByRole("table").getByText("127.0.0.1").first().waitFor();
  expect(app.complaints).toEqual([]);
});

test("an entry moves a belief, and the belief leads back to the entry", async () => {
  const app = await launch({ executable, dataDir: temporaryFolder(), firstStartDone: true });
  await follow(app);
  const [feed] = (await app.call("feeds.list", {})).feeds;
  await app.call("feeds.update", { id: feed!.id, mayMoveBeliefs: true });
  items.unshift(
    item(
      "count",
      "Eel count at the ladder",
      "In a study of 118 tagged silver eels, 97 crossed the weir at night (82 %, 95 % CI 75 to 89), measured by telemetry over two seasons.",
    ),
    item(
      "crowd",
      "Everybody agrees",
      "Everyone knows that eels are gone. Nobody in the village doubts it, so you should believe it too.",
    ),
  );
  await app.call("feeds.refresh", {});
  await expect
    .poll(async () => (await app.call("jobs.list", {})).jobs.filter((job) => job.endedAt !== null).length, {
      timeout: 180_000,
      interval: 500,
    })
    .toBe(2);
  const { jobs } = await app.call("jobs.list", {});
  const states = Object.fromEntries(jobs.map((job) => [job.title, job.state]));
  expect(states).toEqual({ "Eel count at the ladder": "done", "Everybody agrees": "skipped" });
  const { beliefs } = await app.call("beliefs.list", {});
  expect(beliefs.length).toBeGreaterThan(0);
  const { evidence } = await app.call("beliefs.get", { id: beliefs[0]!.id });
  expect(evidence[0]).toMatchObject({ kind: "feed", sourceId: feed!.id });

  await openFeeds(app);
  await app.page
    .getByRole("link", { name: /Moved a belief/ })
    .first()
    .click();
  await app.page.getByText("Eel count at the ladder").first().waitFor();
  await app.page.evaluate((id) => {
    window.location.hash = `#/feeds/entry/${id}`;
  }, evidence[0]!.refId);
  await app.page.getByRole("article").getByText("measured by telemetry").waitFor();
  expect(app.complaints).toEqual([]);
});

test("a subscription list of another reader comes in, and goes out the same", async () => {
  const folder = temporaryFolder();
  const app = await launch({ executable, dataDir: folder, firstStartDone: true });
  const path = join(folder, "list.opml");
  writeFileSync(
    path,
    `<opml version="2.0"><body><outline text="Rivers"><outline type="rss" text="A &amp; B" xmlUrl="https://a.example/feed"/></outline></body></opml>`,
  );
  expect(await app.call("feeds.importOpml", { path })).toEqual({ added: 1, known: 0, refused: [] });
  await openFeeds(app);
  await app.page.getByText("A & B").first().waitFor();
  await app.page.getByText("Rivers").first().waitFor();
  const { text } = await app.call("feeds.exportOpml", {});
  expect(text).toContain('<outline text="Rivers"');
  expect(text).toContain('text="A &amp; B"');
  expect((await app.call("privacy.overview", {})).requestsEver).toBe(0);
});

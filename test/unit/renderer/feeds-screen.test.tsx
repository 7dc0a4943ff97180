// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Feed, FeedEntry, FeedEntryRow, Job, QueueState } from "../../../core/contract/index.ts";
import { App } from "../../../renderer/App.tsx";
import { feeds as words } from "../../../renderer/words/feeds.ts";
import { privacy } from "../../../renderer/words/privacy.ts";
import "../../../renderer/screens/feeds/FeedsScreen.tsx";
import "../../../renderer/screens/privacy/PrivacyScreen.tsx";
import { openWindow } from "../../window/dom.ts";
import type { Script, ScriptedCore } from "../../window/scripted-core.ts";

const feed = (change: Partial<Feed> = {}): Feed => ({
  id: "f1",
  url: "https://weir.example/feed",
  title: "Lower ladder counts",
  homePage: null,
  folder: "Rivers",
  intervalMinutes: 60,
  paused: false,
  mayMoveBeliefs: false,
  fullText: false,
  unread: 2,
  entries: 3,
  state: "ok",
  problem: null,
  checkedAt: 1,
  nextAt: 2,
  refreshing: false,
  ...change,
});
const row = (n: number, change: Partial<FeedEntryRow> = {}): FeedEntryRow => ({
  id: `e${n}`,
  feedId: "f1",
  feedTitle: "Lower ladder counts",
  title: `Eel count, week ${n}`,
  link: `https://weir.example/${n}`,
  author: null,
  at: Date.now() - n * 3_600_000,
  opening: "312 fish in seven nights",
  read: false,
  starred: false,
  evidence: null,
  ...change,
});
const whole = (n: number, html: string): FeedEntry => ({
  ...row(n),
  publishedRaw: null,
  updatedAt: null,
  firstSeenAt: 1,
  html,
  fullText: false,
  categories: [],
  enclosures: [],
});
const queue: QueueState = {
  paused: false,
  held: null,
  waiting: 1,
  capacity: 256,
  tokensThisHour: 7600,
  tokensPerHour: 20_000,
  running: null,
};
const job = (change: Partial<Job> = {}): Job => ({
  id: "j1",
  kind: "feed",
  sourceId: "e1",
  title: "Second loop costed",
  from: "Moor Line works",
  state: "waiting",
  reason: null,
  strength: null,
  reasoningType: null,
  beliefs: [],
  tokens: 0,
  attempts: 0,
  createdAt: 1,
  startedAt: null,
  endedAt: null,
  ...change,
});

function open(answers: Script["answers"], hash = "#/feeds/all"): ScriptedCore {
  const core = openWindow({ answers });
  window.location.hash = hash;
  render(<App />);
  return core;
}

const full: Script["answers"] = {
  "feeds.list": () => ({
    feeds: [feed(), feed({ id: "f2", title: "Depot notes", folder: "", state: "gone", unread: 0 })],
    unread: 2,
    starred: 0,
    moved: 0,
    allowed: true,
    online: true,
  }),
  "feeds.entries": () => ({ entries: [row(1), row(2), row(3, { read: true })], total: 3 }),
  "feeds.entry": ({ id }) =>
    whole(
      Number(id.slice(1)),
      `<p>Counted <b>twice</b>. <a href="https://weir.example/data">Data</a> <a href="javascript:alert(1)">bad</a></p><img data-src="https://img.example/plot.png" alt="Plot"><script>alert(1)</script>`,
    ),
  "feeds.markRead": () => null,
  "feeds.star": () => null,
  "jobs.list": () => ({ jobs: [job()], queue }),
};

describe("the feeds screen", () => {
  it("without feeds says what would appear and offers both ways in", async () => {
    open({ "feeds.list": () => ({ feeds: [], unread: 0, starred: 0, moved: 0, allowed: false, online: true }) });
    expect(await screen.findByText(words.emptyTitle)).toBeTruthy();
    fireEvent.click(screen.getAllByRole("button", { name: words.add })[0]!);
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).getByText(words.consentBody)).toBeTruthy();
    expect(within(dialog).getByRole("button", { name: words.consentYes })).toHaveProperty("disabled", true);
  });

  it("asks for consent once, with the first feed, and shows a refusal in words", async () => {
    const core = open({
      "feeds.list": () => ({ feeds: [], unread: 0, starred: 0, moved: 0, allowed: false, online: true }),
      "privacy.setPurpose": () => ({
        purpose: "feeds",
        title: "Feeds",
        leaves: "",
        allowed: true,
        decidedAt: 1,
        requests: 0,
        bytesUp: 0,
        bytesDown: 0,
        lastAt: null,
      }),
      "feeds.add": () =>
        Promise.reject({
          kind: "feeds.none-found",
          message: "weir.example is neither a feed nor a page that links to one.",
          facts: {},
          retry: "never",
        }),
    });
    await screen.findByText(words.emptyTitle);
    fireEvent.click(screen.getAllByRole("button", { name: words.add })[0]!);
    fireEvent.change(await screen.findByLabelText(words.address), { target: { value: "weir.example" } });
    fireEvent.click(screen.getByRole("button", { name: words.consentYes }));
    expect(await screen.findByText(/neither a feed nor a page/)).toBeTruthy();
    expect(core.callsOf("privacy.setPurpose")).toEqual([{ purpose: "feeds", allowed: true }]);
    expect(core.callsOf("feeds.add")).toEqual([{ address: "weir.example", folder: "" }]);
  });

  it("lists feeds by folder with what is wrong with them, and entries with what is new", async () => {
    open(full);
    expect(await screen.findByText("Rivers")).toBeTruthy();
    expect(screen.getByText(words.gone)).toBeTruthy();
    expect(await screen.findByText("Eel count, week 1")).toBeTruthy();
  });

  it("reads an entry: marks it, draws only safe markup, loads no picture by itself", async () => {
    const core = open(full);
    fireEvent.click(await screen.findByText("Eel count, week 1"));
    expect(await screen.findByText("twice")).toBeTruthy();
    expect(core.callsOf("feeds.markRead")).toEqual([{ ids: ["e1"], read: true }]);
    const article = document.querySelector(".article")!;
    expect([...article.querySelectorAll("a")].map((link) => link.href)).toEqual(["https://weir.example/data"]);
    expect(article.querySelector("script, img, [style], [onclick]")).toBeNull();
    expect(screen.getByText(words.image("img.example"))).toBeTruthy();
    expect(core.callsOf("feeds.image")).toEqual([]);
  });

  it("goes through entries by J and K and stars with S", async () => {
    const core = open(full);
    await screen.findByText("Eel count, week 1");
    fireEvent.keyDown(document.body, { key: "j" });
    await waitFor(() => expect(core.callsOf("feeds.entry").at(-1)).toEqual({ id: "e1" }));
    fireEvent.keyDown(document.body, { key: "j" });
    await waitFor(() => expect(core.callsOf("feeds.entry").at(-1)).toEqual({ id: "e2" }));
    fireEvent.keyDown(document.body, { key: "k" });
    await waitFor(() => expect(window.location.hash).toContain("entry=e1"));
    await screen.findByText("twice");
    fireEvent.keyDown(document.body, { key: "s" });
    await waitFor(() => expect(core.callsOf("feeds.star")).toEqual([{ id: "e1", starred: true }]));
  });

  it("offline is a state: everything stays readable and nothing is called an error", async () => {
    open({
      ...full,
      "feeds.list": () => ({ feeds: [feed()], unread: 2, starred: 0, moved: 0, allowed: true, online: false }),
    });
    expect(await screen.findByText(words.offlineBody)).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(await screen.findByText("Eel count, week 2")).toBeTruthy();
  });

  it("a failure says what happened and can be tried again", async () => {
    open({
      "feeds.list": () =>
        Promise.reject({
          kind: "general.unexpected",
          message: "Your data is safe; try again.",
          facts: {},
          retry: "now",
        }),
    });
    expect(await screen.findByText(words.listFailed)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });

  it("shows the queue as it moves, with the sum a belief moved by", async () => {
    const core = open(full);
    expect(await screen.findByText(words.tokens("7,600", "20,000"))).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: words.queue }));
    expect(await screen.findByText("Second loop costed")).toBeTruthy();
    const note = {
      beliefId: "b",
      revisionId: "r",
      outcome: "moved" as const,
      statement: "s",
      before: -0.19,
      after: -0.22,
      uncertainty: 0.1,
      why: "",
    };
    act(() =>
      core.emit({
        type: "jobs.changed",
        queue,
        job: job({ state: "done", startedAt: 1000, endedAt: 113_000, beliefs: [note] }),
      }),
    );
    expect(await screen.findByText("−0.03")).toBeTruthy();
    expect(screen.getByText("1 min 52 s")).toBeTruthy();
  });
});

describe("the privacy screen", () => {
  const purposes = [
    {
      purpose: "feeds" as const,
      title: "Feeds",
      leaves: "A request to each address.",
      allowed: true,
      decidedAt: 1,
      requests: 4,
      bytesUp: 100,
      bytesDown: 200,
      lastAt: 1,
    },
  ];
  const overview = {
    headline: "Four requests today, all for your feeds",
    detail: "None carried a file.",
    requestsEver: 4,
    requestsToday: 4,
    bytesUp: 1600,
    bytesDown: 9000,
    cut: false,
    purposes,
  };
  const entry = {
    id: 1,
    at: Date.now(),
    purpose: "feeds" as const,
    title: "Feeds",
    host: "counts.example.org",
    method: "GET",
    what: "Lower ladder counts, 1 new",
    agreedBy: "Standing",
    outcome: "ok" as const,
    status: 200,
    bytesUp: 400,
    bytesDown: 9000,
    durationMs: 10,
  };

  it("says first what was sent, then each request, and takes a consent back", async () => {
    const core = open(
      {
        "privacy.overview": () => overview,
        "privacy.ledger": () => ({
          entries: [
            entry,
            {
              ...entry,
              id: 0,
              host: "tracker.example",
              outcome: "refused" as const,
              what: "not part of what you agreed to",
            },
          ],
          total: 2,
          hasOlder: false,
        }),
        "privacy.setPurpose": () => ({ ...purposes[0]!, allowed: false }),
      },
      "#/privacy",
    );
    expect(await screen.findByRole("heading", { name: overview.headline })).toBeTruthy();
    expect(await screen.findByText("counts.example.org")).toBeTruthy();
    expect(screen.getByText(privacy.refused("not part of what you agreed to"))).toBeTruthy();
    fireEvent.click(screen.getByRole("switch", { name: "Feeds" }));
    await waitFor(() => expect(core.callsOf("privacy.setPurpose")).toEqual([{ purpose: "feeds", allowed: false }]));
  });

  it("with an empty ledger explains what will appear, and cuts the network on one click", async () => {
    const core = open(
      {
        "privacy.overview": () => ({ ...overview, headline: "Nothing has left this machine", requestsEver: 0 }),
        "privacy.ledger": () => ({ entries: [], total: 0, hasOlder: false }),
        "privacy.cut": () => ({ cut: true }),
      },
      "#/privacy",
    );
    expect(await screen.findByText(privacy.none)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: privacy.cut }));
    await waitFor(() => expect(core.callsOf("privacy.cut")).toEqual([{ cut: true }]));
  });
});

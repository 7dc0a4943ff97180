// @vitest-environment jsdom
import { act, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { App } from "../../../renderer/App.tsx";
import { datesOf, gridOf, pointsOf } from "../../../renderer/screens/beliefs/historyShape.ts";
import { labelsOf, MOST_DOTS, marksOf, shortName } from "../../../renderer/screens/beliefs/mapShape.ts";
import { compare, paragraphs, pieces } from "../../../renderer/screens/beliefs/snapshotDiff.ts";
import { standing, beliefs as words } from "../../../renderer/words/beliefs.ts";
import "../../../renderer/screens/beliefs/BeliefsScreen.tsx";
import { beliefScript, crowd } from "../../window/belief-scene.ts";
import { openWindow } from "../../window/dom.ts";
import type { Script, ScriptedCore } from "../../window/scripted-core.ts";

// A busy machine takes its time to load the screen; what is waited for comes all the same.
configure({ asyncUtilTimeout: 10_000 });

function open(hash: string, script: Script = beliefScript({ count: 0 })): ScriptedCore {
  const core = openWindow(script);
  window.location.hash = hash;
  render(<App />);
  return core;
}
const night = "Silver eels at Brackwell pass mostly at night, on rising flow";

describe("the list of beliefs", () => {
  it("shows each with its evidence, its place on the scale in words, and when it changed", async () => {
    open("#/beliefs");
    const row = (await screen.findAllByRole("link", { name: new RegExp(night) }))[0]!;
    expect(row.textContent).toMatch(/6 for, 1 against/);
    expect(row.textContent).toMatch(/\+0\.43/);
    expect(row.textContent).toMatch(/Moved today/);
    expect(within(row).getByRole("img").getAttribute("aria-label")).toBe("held true, +0.43, before +0.35");
    expect(screen.getByText("Moved, then refused, today")).toBeTruthy();
    expect(screen.getByText(/3 beliefs moved, 1 refused to move/)).toBeTruthy();
  });

  it("draws the map, and gives the same values as a table", async () => {
    open("#/beliefs");
    expect(await screen.findByRole("img", { name: words.mapLabel(13) })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: words.mapTable }));
    const table = screen.getByRole("table", { name: words.mapLabel(13) });
    expect(within(table).getAllByRole("row")).toHaveLength(14);
    expect(within(table).getByRole("row", { name: /Bubble curtains.*−0\.66.*0\.62.*1 \/ 8/ })).toBeTruthy();
  });

  it("goes by view, topic, order and words", async () => {
    const core = open("#/beliefs?view=pinned");
    expect((await screen.findAllByText("A half-hourly Moor Line needs a second passing loop")).length).toBeGreaterThan(
      0,
    );
    expect(screen.queryByText(night)).toBeNull();
    act(() => {
      window.location.hash = "#/beliefs?topic=heat-pumps";
    });
    expect((await screen.findAllByText("Noise is the main reason for complaints")).length).toBeGreaterThan(0);
    await userEvent.type(screen.getByRole("searchbox", { name: words.search }), "nothing like it");
    expect(await screen.findByText(words.noneFound)).toBeTruthy();
    expect(core.callsOf("beliefs.list").at(-1)).toMatchObject({ topic: "heat-pumps", query: "nothing like it" });
  });

  it("while there are none says what will bring them", async () => {
    const none = beliefScript({
      count: 0,
      script: {
        answers: {
          "beliefs.list": () => ({
            beliefs: [],
            total: 0,
            counts: { all: 0, moved: 0, disputed: 0, pinned: 0, fading: 0, retired: 0 },
            topics: [],
            revisions: 0,
            snapshotVersion: null,
          }),
        },
      },
    });
    open("#/beliefs", none);
    expect(await screen.findByText(words.emptyTitle)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: words.emptyAction }));
    expect(await screen.findByRole("dialog", { name: words.addTitle })).toBeTruthy();
  });

  it("that cannot be read says why and tries again", async () => {
    let tries = 0;
    const broken = beliefScript({ count: 0 });
    const read = broken.answers!["beliefs.list"]!;
    broken.answers!["beliefs.list"] = (params) => {
      if (tries++ === 0)
        throw { kind: "general.unexpected", message: "The disk did not answer.", facts: {}, retry: "now" };
      return read(params);
    };
    open("#/beliefs", broken);
    expect(await screen.findByText("The disk did not answer.")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect((await screen.findAllByText(night)).length).toBeGreaterThan(0);
  });
});

describe("the page of a belief", () => {
  it("spells out the sum of the newest step and what taking it back would do", async () => {
    open("#/beliefs/night");
    expect(await screen.findByRole("heading", { name: night })).toBeTruthy();
    const rows = screen.getAllByRole("listitem");
    const newest = rows.find(
      (row) =>
        /Silver eel passage, report, p\. 14/.test(row.textContent ?? "") && /base step/.test(row.textContent ?? ""),
    )!;
    expect(newest.textContent).toMatch(
      /\+1for×0\.20base step×0\.62strength÷\(0\.\d\d \+ 1\)confidence before=\+0\.0\d\dchange/,
    );
    expect(newest.textContent).toMatch(
      /Cap for measured data: 0\.20 × 0\.62 = 0\.124, not reached\. Not cooling down\. Not among the first ten\./,
    );
    expect(await within(newest).findByText(/Would return it to \+0\.35\. No later step depends on it\./)).toBeTruthy();
    expect(screen.getByText(/Refused: A petition text/)).toBeTruthy();
    expect(screen.getByText(/Expert opinion, held to its cap of 0\.036/)).toBeTruthy();
  });

  it("shows its history as a drawing and as a table", async () => {
    open("#/beliefs/night");
    expect(await screen.findByRole("img", { name: words.historyLabel })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: words.historyTable }));
    expect(within(screen.getByRole("table", { name: words.historyLabel })).getAllByRole("row")).toHaveLength(8);
  });

  it("opens a source at the exact message", async () => {
    open("#/beliefs/night");
    fireEvent.click(await screen.findByRole("button", { name: words.openSource("Silver eel passage, report, p. 14") }));
    await waitFor(() => expect(window.location.hash).toBe("#/chat/eels?message=m6"));
  });

  it("takes a step back after showing the effect, and offers to put it back", async () => {
    const core = open("#/beliefs/night");
    fireEvent.click(await screen.findByRole("button", { name: words.rollBack }));
    const dialog = await screen.findByRole("alertdialog", { name: words.rollBackTitle });
    expect(await within(dialog).findByText("+0.43")).toBeTruthy();
    expect(within(dialog).getByText("+0.35")).toBeTruthy();
    fireEvent.click(within(dialog).getByRole("button", { name: words.rollBack }));
    await waitFor(() => expect(core.callsOf("beliefs.undo")).toEqual([{ revisionId: "r6" }]));
    expect(await screen.findByText(words.rolledBack)).toBeTruthy();
  });

  it("freezes a disputed belief with a reason and lists what would settle it", async () => {
    const core = open("#/beliefs/night");
    fireEvent.click(await screen.findByRole("button", { name: words.dispute }));
    const dialog = await screen.findByRole("dialog", { name: words.disputeTitle });
    expect(within(dialog).getByText(/second, independent source/)).toBeTruthy();
    await userEvent.type(within(dialog).getByRole("textbox", { name: words.disputeReason }), "One river only");
    fireEvent.click(within(dialog).getByRole("button", { name: words.freeze }));
    await waitFor(() => expect(core.callsOf("beliefs.dispute")).toEqual([{ id: "night", reason: "One river only" }]));
    act(() => core.emit({ type: "beliefs.changed", ids: ["night"] }));
    expect(await screen.findByText(/Disputed since/)).toBeTruthy();
    expect(screen.getByText("One river only")).toBeTruthy();
  });

  it("edits the statement, pins, and deletes with a way back", async () => {
    const core = open("#/beliefs/night");
    fireEvent.click(await screen.findByRole("button", { name: words.edit }));
    const edit = await screen.findByRole("dialog", { name: words.editTitle });
    const field = within(edit).getByRole("textbox", { name: words.statement });
    await userEvent.clear(field);
    await userEvent.type(field, "Eels pass at night");
    fireEvent.click(within(edit).getByRole("button", { name: words.save }));
    await waitFor(() =>
      expect(core.callsOf("beliefs.edit")).toEqual([{ id: "night", statement: "Eels pass at night" }]),
    );
    fireEvent.click(screen.getByRole("button", { name: words.pin }));
    await waitFor(() => expect(core.callsOf("beliefs.pin")).toEqual([{ id: "night", pinned: true }]));
  });

  it("weighs evidence that the user adds, and says when it moved nothing", async () => {
    const core = open("#/beliefs/night");
    fireEvent.click(await screen.findByRole("button", { name: words.add }));
    const dialog = await screen.findByRole("dialog", { name: words.addTitle });
    await userEvent.type(within(dialog).getByRole("textbox", { name: words.addText }), "Everyone says so");
    fireEvent.click(within(dialog).getByRole("button", { name: words.weigh }));
    expect(await within(dialog).findByText(words.verdictStays)).toBeTruthy();
    expect(core.callsOf("beliefs.add")).toEqual([{ text: "Everyone says so", beliefId: "night" }]);
  });

  it("that is gone says so", async () => {
    open("#/beliefs/unknown");
    expect(await screen.findByText(/It may have been deleted/)).toBeTruthy();
  });
});

describe("the snapshot", () => {
  it("marks what a version changed, and returns to an older one", async () => {
    const core = open("#/beliefs/snapshot");
    expect(await screen.findByRole("heading", { name: words.versionCompared(14, 13) })).toBeTruthy();
    expect(document.querySelector("ins")!.textContent).toMatch(/^Three seasons/);
    expect(document.querySelector("del")!.textContent).toMatch(/^Two seasons/);
    expect(screen.getByText("Rewrite refused: 22 characters, too short")).toBeTruthy();
    fireEvent.click(screen.getByRole("radio", { name: words.text }));
    expect(document.querySelector("ins")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: words.returnTo(13) }));
    await waitFor(() => expect(core.callsOf("beliefs.useSnapshot")).toEqual([{ version: 13 }]));
  });
});

describe("the log of all beliefs", () => {
  it("names the belief of each row", async () => {
    open("#/beliefs/log");
    expect((await screen.findAllByText(`${night}:`)).length).toBeGreaterThan(2);
  });
});

describe("shapes", () => {
  it("bins the map beyond 400 points without losing any", () => {
    expect(marksOf(crowd(MOST_DOTS))).toHaveLength(MOST_DOTS);
    const many = marksOf(crowd(3000));
    expect(many.length).toBeLessThan(400);
    expect(many.reduce((sum, mark) => sum + mark.count, 0)).toBe(3000);
  });

  it("labels only where labels do not lie over each other", () => {
    const marks = marksOf(crowd(200));
    const labels = labelsOf(marks, (mark) => ({ x: 200 + mark.valence * 160, y: 300 - mark.confidence * 280 }), 404);
    for (const a of labels) {
      for (const b of labels) if (a !== b) expect(Math.abs(a.y - b.y) > 15 || Math.abs(a.x - b.x) > 20).toBe(true);
    }
    expect(shortName("The old trash-rack spacing let small eels reach the turbines")).toBe("old trash-rack");
  });

  it("keeps zero in the history's axis and its dates apart", () => {
    const script = beliefScript({ count: 0 });
    const { revisions } = script.answers!["beliefs.get"]!({ id: "night" }) as {
      revisions: Parameters<typeof pointsOf>[0];
    };
    const points = pointsOf(revisions);
    expect(points.map((point) => point.kind)).toEqual(["for", "against", "for", "refused", "for", "for", "for"]);
    const { lines } = gridOf(points);
    expect(lines).toContain(0);
    const dates = datesOf(points, (at) => ((at - points[0]!.at) / (points.at(-1)!.at - points[0]!.at)) * 560);
    expect(dates[0]).toBe(points[0]);
    expect(dates.at(-1)).toBe(points.at(-1));
  });

  it("compares snapshots sentence by sentence and keeps paragraphs", () => {
    const parts = compare("One. Two.\n\nThree.", "One. Zwei.\n\nThree.");
    expect(parts.map((part) => [part.kind, part.text.trim()])).toEqual([
      ["same", "One."],
      ["removed", "Two."],
      ["added", "Zwei."],
      ["same", "Three."],
    ]);
    expect(paragraphs(parts).length).toBeGreaterThan(1);
  });

  it("loses no letter of a snapshot, figures with points among them", () => {
    const text = "Above 2.8 in walls. At 50 °C!  More?\n\nE.g. this, in 1.5 lines";
    expect(pieces(text).join("")).toBe(text);
    expect(pieces(text)).toContain("Above 2.8 in walls. ");
  });

  it("says where a belief stands in words", () => {
    expect([0.05, 0.2, 0.5, 0.8, -0.3, -0.9].map((valence) => standing({ valence }))).toEqual([
      "undecided",
      "leans true",
      "held true",
      "firmly true",
      "leans false",
      "firmly false",
    ]);
  });
});

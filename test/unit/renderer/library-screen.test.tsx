// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { App } from "../../../renderer/App.tsx";
import { dropPaths } from "../../../renderer/drop/registry.ts";
import { library as words } from "../../../renderer/words/library.ts";
import "../../../renderer/screens/library/LibraryScreen.tsx";
import { openWindow } from "../../window/dom.ts";
import { libraryDocuments, libraryQueue, libraryScript } from "../../window/library-scene.ts";
import type { Script, ScriptedCore } from "../../window/scripted-core.ts";

function open(script: Script, hash = "#/library/all"): ScriptedCore {
  const core = openWindow(script);
  window.location.hash = hash;
  render(<App />);
  return core;
}

const rowOf = async (name: string) => (await screen.findByText(name)).closest('[role="row"]') as HTMLElement;

describe("the library screen", () => {
  it("says what would appear while it holds nothing", async () => {
    open(
      libraryScript(
        {},
        { total: 0, collections: [], watched: [], queue: { ...libraryQueue, waiting: 0, reading: 0, paused: 0 } },
        [],
      ),
    );
    expect(await screen.findByText(words.emptyTitle)).toBeTruthy();
    expect(screen.queryByText(words.pause)).toBeNull();
  });

  it("shows the state of every document in words, and what can be done about it", async () => {
    open(libraryScript({}));
    expect(within(await rowOf("Silver eel passage, report.pdf")).getByText(words.states.ready)).toBeTruthy();
    expect(within(await rowOf("Weir drawings, bundle.pdf")).getByText("Reading page 96 of 238")).toBeTruthy();
    expect(within(await rowOf("Adviser’s letter.pdf")).getByRole("button", { name: words.unlock })).toBeTruthy();
    expect(within(await rowOf("export_final(2).pdf")).getByRole("button", { name: words.retry })).toBeTruthy();
    expect(
      within(await rowOf("Silver eel passage (copy).pdf")).getByText("Same as Silver eel passage, report.pdf"),
    ).toBeTruthy();
    expect(screen.getByText("Reading 214 of 2,000 files")).toBeTruthy();
  });

  it("asks for a password once and hands it on", async () => {
    const core = open(libraryScript({}));
    fireEvent.click(within(await rowOf("Adviser’s letter.pdf")).getByRole("button", { name: words.unlock }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByLabelText(words.password), { target: { value: "sesame" } });
    fireEvent.click(within(dialog).getByRole("button", { name: words.unlock }));
    await waitFor(() => expect(core.callsOf("library.retry")).toEqual([{ ids: ["letter"], password: "sesame" }]));
  });

  it("reads a scan when asked to", async () => {
    const core = open(libraryScript({}));
    fireEvent.click(within(await rowOf("Ladder survey 1988.pdf")).getByRole("button", { name: words.ocr }));
    await waitFor(() => expect(core.callsOf("library.recognize")).toEqual([{ ids: ["ladder"] }]));
  });

  it("shows which beliefs stand on a document before it removes it, and offers to undo", async () => {
    const core = open(libraryScript({}));
    fireEvent.click(await rowOf("Silver eel passage, report.pdf"));
    fireEvent.click(await screen.findByRole("button", { name: words.remove }));
    const dialog = await screen.findByRole("alertdialog");
    expect(
      await within(dialog).findByText("Silver eels at Brackwell pass mostly at night, on rising flow"),
    ).toBeTruthy();
    fireEvent.click(within(dialog).getByRole("button", { name: words.remove }));
    await waitFor(() => expect(core.callsOf("library.remove")).toEqual([{ ids: ["eel"] }]));
    fireEvent.click(await screen.findByRole("button", { name: /Undo/ }));
    await waitFor(() => expect(core.callsOf("library.restore")).toEqual([{ ids: ["eel"] }]));
  });

  it("adds what is dropped anywhere, into the collection that is open", async () => {
    const core = open(libraryScript({}), "#/library/collection/weir");
    await screen.findByRole("heading", { name: "Weir study" });
    dropPaths(["/home/ada/new.pdf", "/home/ada/folder"]);
    await waitFor(() =>
      expect(core.callsOf("library.add")).toEqual([
        { paths: ["/home/ada/new.pdf", "/home/ada/folder"], collectionId: "weir" },
      ]),
    );
  });

  it("adds what is pasted outside a field", async () => {
    const core = open(libraryScript({}));
    await rowOf("Silver eel passage, report.pdf");
    const clipboardData = { files: [], getData: () => "Eels at night\nThey pass the weir." };
    fireEvent.paste(document.body, { clipboardData });
    await waitFor(() =>
      expect(core.callsOf("library.addText")).toEqual([
        { title: "Eels at night", text: "Eels at night\nThey pass the weir.", collectionId: null },
      ]),
    );
    fireEvent.paste(screen.getByRole("searchbox", { name: words.search }), { clipboardData });
    expect(core.callsOf("library.addText")).toHaveLength(1);
  });

  it("keeps its rows up to date as files are read", async () => {
    let reading = true;
    const base = libraryScript({});
    const core = open({
      ...base,
      answers: {
        ...base.answers,
        "library.get": ({ id }) => {
          const document = libraryDocuments.find((one) => one.id === id)!;
          return reading ? document : { ...document, state: "ready", passages: 77, progress: null };
        },
      },
    });
    const row = await rowOf("Weir drawings, bundle.pdf");
    expect(within(row).queryByText("77")).toBeNull();
    reading = false;
    core.emit({ type: "library.changed", ids: ["weir"], queue: libraryQueue });
    await waitFor(async () => expect(within(await rowOf("Weir drawings, bundle.pdf")).getByText("77")).toBeTruthy());
  });

  it("finds passages, groups them by document and opens one in its page with the words marked", async () => {
    const core = open(libraryScript({}), "#/library/search?q=rise");
    const link = await screen.findByRole("link", { name: /p\. 14/ });
    fireEvent.click(link);
    window.location.hash = link.getAttribute("href")!;
    expect(await screen.findByText(/characters 18,402 to 18,691/)).toBeTruthy();
    await waitFor(() =>
      expect(core.callsOf("library.page")).toEqual([{ id: "eel", page: 14, width: 1120, highlight: "p14" }]),
    );
    await waitFor(() => expect(document.querySelectorAll(".library-mark")).toHaveLength(1));
  });

  it("shows the text of what has no pages", async () => {
    open(libraryScript({}), "#/library/document/minutes");
    expect(await screen.findByText(/71 did so within twelve hours/)).toBeTruthy();
    expect(screen.queryByRole("radiogroup", { name: words.view })).toBeNull();
  });
});

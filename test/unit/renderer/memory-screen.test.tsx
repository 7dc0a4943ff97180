// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { App } from "../../../renderer/App.tsx";
import { memory as words } from "../../../renderer/words/memory.ts";
import "../../../renderer/screens/memory/MemoryScreen.tsx";
import { openWindow } from "../../window/dom.ts";
import { memoryScript } from "../../window/memory-scene.ts";
import type { Script, ScriptedCore } from "../../window/scripted-core.ts";

function open(script: Script, hash = "#/memory"): ScriptedCore {
  const core = openWindow(script);
  window.location.hash = hash;
  render(<App />);
  return core;
}

describe("the memory screen", () => {
  it("says what would appear while nothing is remembered", async () => {
    open(memoryScript({}, [], { everything: 0, topics: [], tidied: null }));
    expect(await screen.findByText(words.emptyTitle)).toBeTruthy();
    expect(screen.getByRole("button", { name: words.emptyAction })).toBeTruthy();
  });

  it("lists what is remembered by day, with where it comes from, and its numbers", async () => {
    open(memoryScript({}));
    expect(await screen.findByText("You write the summary for the river forum on Friday.")).toBeTruthy();
    expect(screen.getAllByText("You said · Eels at Brackwell weir")).toHaveLength(2);
    expect(screen.getByText("Fish passage")).toBeTruthy();
    expect(screen.getByText(words.claim)).toBeTruthy();
    expect(screen.getByText(/Tidied .*12 duplicates merged, 31 archived, 3 let go/)).toBeTruthy();
  });

  it("opens one memory with its source, and leads to the message it was said in", async () => {
    open(memoryScript({}), "#/memory/everything?entry=k1");
    const panel = await screen.findByRole("complementary", {
      name: "You write the summary for the river forum on Friday.",
    });
    expect(within(panel).getByText(/so keep the figures short/)).toBeTruthy();
    expect(within(panel).getByText(/in 2 answers, last/)).toBeTruthy();
    expect(within(panel).getByText("When is the river forum?")).toBeTruthy();
    fireEvent.click(within(panel).getByRole("button", { name: words.open.message }));
    await waitFor(() => expect(window.location.hash).toBe("#/chat/eels?message=m7"));
  });

  it("edits the words, pins, and deletes with undo", async () => {
    const core = open(memoryScript({}), "#/memory/said?entry=k1");
    fireEvent.click(await screen.findByRole("button", { name: words.edit }));
    fireEvent.change(screen.getByLabelText(words.editLabel), { target: { value: "You write it on Monday." } });
    fireEvent.click(screen.getByRole("button", { name: words.save }));
    await waitFor(() => expect(core.callsOf("memory.edit")).toEqual([{ id: "k1", text: "You write it on Monday." }]));
    fireEvent.click(screen.getByRole("button", { name: words.pin }));
    await waitFor(() => expect(core.callsOf("memory.pin")).toEqual([{ id: "k1", pinned: true }]));
    fireEvent.click(screen.getByRole("button", { name: words.delete }));
    await waitFor(() => expect(core.callsOf("memory.delete")).toEqual([{ ids: ["k1"] }]));
    fireEvent.click(await screen.findByRole("button", { name: /Undo/ }));
    await waitFor(() => expect(core.callsOf("memory.undelete")).toEqual([{ ids: ["k1"] }]));
  });

  it("searches while one types, and says so when nothing matches", async () => {
    const core = open(memoryScript({}));
    fireEvent.change(await screen.findByLabelText(words.search), { target: { value: "zebra" } });
    expect(await screen.findByText(words.nothingFound("zebra"))).toBeTruthy();
    expect(core.callsOf("memory.list").at(-1)).toMatchObject({ query: "zebra" });
  });

  it("leaves a memory out of its chat", async () => {
    const core = open(memoryScript({}), "#/memory/everything?entry=m1");
    fireEvent.click(await screen.findByRole("button", { name: words.dismiss }));
    await waitFor(() =>
      expect(core.callsOf("memory.dismiss")).toEqual([
        { conversationId: "eels", kind: "message", sourceId: "m1", dismissed: true },
      ]),
    );
  });

  it("tells that search works by words only, and how far a rebuild is", async () => {
    open(memoryScript({}, undefined, { meaning: false }));
    expect(await screen.findByText(words.wordsOnly)).toBeTruthy();
  });

  it("pauses a rebuild for another embedding model", async () => {
    const core = open(memoryScript({}, undefined, { rebuilding: { done: 120, total: 6412, paused: false } }));
    expect(await screen.findByText(words.rebuilding("120", "6,412"))).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: words.pause }));
    await waitFor(() => expect(core.callsOf("memory.pauseRebuild")).toEqual([{ paused: true }]));
  });

  it("backs everything up with one click", async () => {
    const core = open(memoryScript({}));
    fireEvent.click(await screen.findByRole("button", { name: words.backUp }));
    expect(await screen.findByText(words.backedUp("48 MB"))).toBeTruthy();
    expect(core.callsOf("backups.create")).toEqual([{}]);
  });
});

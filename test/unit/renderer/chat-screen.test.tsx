// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { TurnEvent } from "../../../core/contract/index.ts";
import "../../../renderer/screens/chat/ChatScreen.tsx";
import { App } from "../../../renderer/App.tsx";
import { chat as words } from "../../../renderer/words/chat.ts";
import { openWindow } from "../../window/dom.ts";
import { approvalScript, baseScript, clarifyScript, finishedEels, models } from "../../window/scenes.ts";
import { conversation, message, type Script, type ScriptedCore, turnEvents } from "../../window/scripted-core.ts";

let core: ScriptedCore;

async function open(script: Script, hash = "#/chat/c1"): Promise<ReturnType<typeof userEvent.setup>> {
  core = openWindow(script);
  window.location.hash = hash;
  render(<App />);
  await screen.findByRole("navigation", { name: "Screens" });
  return userEvent.setup();
}
const field = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: words.message });
const one = (...messages: ReturnType<typeof message>[]): Script => ({
  conversations: [conversation({ id: "c1", title: "First" })],
  messages: { c1: messages },
  models,
  answers: {
    "turns.send": () => ({ turnId: "t1" as never, userMessageId: "u1" as never, assistantMessageId: "a1" as never }),
  },
});
const goTo = (hash: string) =>
  act(() => {
    window.location.hash = hash;
  });
const say = async (...events: TurnEvent[]) => {
  await act(async () => {
    for (const event of events) core.emit(event);
    await new Promise((resolve) => setTimeout(resolve, 80));
  });
};

describe("the chat screen", () => {
  it("says what is missing when a chat is gone, and offers nothing that cannot help", async () => {
    await open({}, "#/chat/gone");
    expect(await screen.findByText(words.threadFailed)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  it("of a new chat tells where answers come from, and makes the chat with the first message", async () => {
    const user = await open({ ...one(), conversations: [] }, "#/chat/new");
    expect(await screen.findByText(words.emptyBody)).toBeTruthy();
    expect(await screen.findByText(words.none)).toBeTruthy();
    await user.type(await field(), "Hello there{Enter}");
    await waitFor(() => expect(core.callsOf("turns.send")).toMatchObject([{ text: "Hello there" }]));
    expect(core.callsOf("conversations.create")).toEqual([{}]);
    await waitFor(() => expect(window.location.hash).toBe("#/chat/c100"));
  });

  it("keeps what was written when it cannot be sent, and leaves no empty chat behind", async () => {
    const refuse = () => {
      throw { kind: "models.none-installed", message: "No model is installed.", facts: {}, retry: "later" };
    };
    const user = await open({ ...one(), conversations: [], answers: { "turns.send": refuse } }, "#/chat/new");
    await user.type(await field(), "Hello{Enter}");
    expect(await screen.findAllByText("No model is installed.")).not.toHaveLength(0);
    expect((await field()).value).toBe("Hello");
    expect(core.callsOf("conversations.delete")).toHaveLength(1);
  });

  it("never sends while an input method composes", async () => {
    const user = await open(one(message({ id: "m", content: "Hi" })));
    const box = await field();
    await user.type(box, "にほん");
    fireEvent.keyDown(box, { key: "Enter", isComposing: true });
    fireEvent.keyDown(box, { key: "Enter", keyCode: 229 });
    await user.keyboard("{Shift>}{Enter}{/Shift}");
    expect(core.callsOf("turns.send")).toEqual([]);
    fireEvent.keyDown(box, { key: "Enter" });
    await waitFor(() => expect(core.callsOf("turns.send")).toHaveLength(1));
  });

  it("keeps a draft for each chat", async () => {
    const user = await open({ ...baseScript(), ...one(message({ id: "m", content: "Hi" })) });
    await user.type(await field(), "half a thought");
    goTo("#/settings");
    await screen.findByText("Theme");
    goTo("#/chat/c1");
    expect((await field()).value).toBe("half a thought");
  });

  it("streams an answer, shows the tool that ran, and is whole when it ends", async () => {
    const script = one(message({ id: "u1", role: "user", content: "When?" }));
    await open(script);
    await screen.findByText("When?");
    const base = { userMessageId: "u1" as never, assistantMessageId: "a1" as never };
    const events = turnEvents("t1", "c1", [
      { type: "turn.started", ...base, modelName: "M" },
      { type: "turn.phase", phase: "THINKING", iteration: 1, limit: 12, label: "Thinking" },
      {
        type: "turn.tool.started",
        callId: "k",
        tool: "search_library",
        label: "Searching your library",
        args: { query: "eels" },
        proposer: "harness",
      },
      {
        type: "turn.tool.ended",
        callId: "k",
        tool: "search_library",
        outcome: "ok",
        summary: "6 passages",
        durationMs: 300,
        outputChars: 9,
        artifactId: null,
      },
      { type: "turn.token", channel: "answer", text: "At **ni" },
      { type: "turn.token", channel: "answer", text: "ght**." },
      { type: "turn.ended", outcome: "completed", messageId: "a1" as never, note: null, durationMs: 900 },
    ]);
    script.messages!["c1"]!.push(message({ id: "a1", turnId: "t1", state: "streaming" }));
    await say(...events.slice(0, 5));
    expect((await screen.findByText("Searched the library")).closest("li")?.textContent).toContain("“eels”");
    expect(screen.getByRole("button", { name: /Stop/ })).toBeTruthy();
    await say(events[5]!);
    expect(document.querySelector(".answer .md strong")?.textContent).toBe("night");
    script.messages!["c1"]![1] = message({
      id: "a1",
      turnId: "t1",
      content: "At **night**.",
      generatedTokens: 12,
      tokensPerSecond: 40,
    });
    await say(events[6]!);
    expect(await screen.findByText("12 tokens, 40 a second")).toBeTruthy();
    expect(document.querySelector('.answer[data-live="true"]')).toBeNull();
  });

  it("stops the answer with Escape, from the field too", async () => {
    const user = await open(baseScript(), "#/chat/eels");
    await screen.findByRole("button", { name: /Stop/ });
    await user.click(await field());
    await user.keyboard("{Escape}");
    expect(core.callsOf("turns.stop")).toEqual([{ turnId: "t-eels" }]);
  });

  it("goes on with a stream after a reload, from the core's own record", async () => {
    await open(baseScript(), "#/chat/eels");
    expect(await screen.findByText(/In a dry year the same rule would miss/)).toBeTruthy();
    expect(core.callsOf("turns.replay")[0]).toEqual({ turnId: "t-eels", afterSeq: 0 });
  });

  it("links a citation to its passage in the panel", async () => {
    const user = await open(baseScript(), "#/chat/eels");
    const chips = await screen.findAllByRole("button", { name: /^Source 2: Silver eel passage/ });
    await user.click(chips[0]!);
    const panel = await screen.findByRole("region", { name: words.foundFor });
    expect(
      within(panel)
        .getByText("In the dry autumns of 2021 and 2022", { exact: false })
        .closest("li")
        ?.getAttribute("aria-current"),
    ).toBe("true");
  });

  it("says how an answer ended that did not end by itself", async () => {
    await open(baseScript(), "#/chat/pilot");
    expect(await screen.findByText("You stopped this answer. What was written is kept.")).toBeTruthy();
    expect(screen.getByText(/ran out of memory/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });

  it("in read-only rescue shows everything and changes nothing", async () => {
    await open({ ...finishedEels(), readOnly: "The data folder is damaged." }, "#/chat/eels");
    expect(await screen.findByText(words.readOnlyTitle)).toBeTruthy();
    expect((await field()).disabled).toBe(true);
    const row = (await screen.findByText("Draft questions for the water board")).closest<HTMLElement>(".chat-row")!;
    act(() => row.querySelector("a")!.focus());
    expect(within(row).getByRole<HTMLButtonElement>("button", { name: words.pin }).disabled).toBe(true);
    expect(screen.queryByRole("button", { name: words.answerAgain })).toBeNull();
  });
});

describe("a question back", () => {
  beforeEach(async () => void (await open(clarifyScript(), "#/chat/eels")));

  it("is answered by its number", async () => {
    await screen.findByRole("group", { name: words.questionFrom });
    (document.activeElement as HTMLElement).blur();
    fireEvent.keyDown(document.body, { key: "2" });
    expect(core.callsOf("turns.clarify")).toEqual([
      { turnId: "t-eels", text: "April to March, from the yearly summary" },
    ]);
  });

  it("is answered in one's own words, which do not start another turn", async () => {
    const user = userEvent.setup();
    await user.type(await screen.findByRole("textbox", { name: words.answerHere }), "The calendar year{Enter}");
    expect(core.callsOf("turns.clarify")).toEqual([{ turnId: "t-eels", text: "The calendar year" }]);
    expect(core.callsOf("turns.send")).toEqual([]);
  });
});

describe("an approval", () => {
  beforeEach(async () => void (await open(approvalScript(), "#/chat/eels")));
  const dialog = () => screen.findByRole("alertdialog", { name: "Search the web for this answer?" });

  it("says what would leave first, colours neither button, and starts on refusal", async () => {
    const view = await dialog();
    const sections = within(view)
      .getAllByRole("heading")
      .map((each) => each.textContent);
    expect(sections[1]).toBe("What would leave this machine");
    expect(view.querySelector(".btn.pri, .btn.danger")).toBeNull();
    await waitFor(() => expect(document.activeElement?.textContent).toContain("Don’t allow"));
  });

  it("refuses with Escape and passes the reason on", async () => {
    const user = userEvent.setup();
    await user.type(within(await dialog()).getByRole("textbox"), "Not my words");
    await user.keyboard("{Escape}");
    expect(core.callsOf("turns.decide")).toEqual([
      { turnId: "t-eels", callId: "k3", decision: "deny", remember: "once", reason: "Not my words" },
    ]);
  });

  it("remembers yes and no alike: Always makes Never allow", async () => {
    const user = userEvent.setup();
    await user.click(within(await dialog()).getByRole("radio", { name: "Always" }));
    expect(screen.getByRole("button", { name: /Never allow/ })).toBeTruthy();
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(core.callsOf("turns.decide")).toEqual([
      { turnId: "t-eels", callId: "k3", decision: "allow", remember: "always" },
    ]);
  });
});

describe("the list of chats", () => {
  it("pins, renames, deletes and takes the delete back", async () => {
    const user = await open(baseScript(), "#/chat/new");
    const row = (await screen.findByText("Draft questions for the water board")).closest<HTMLElement>(".chat-row")!;
    expect(within(row).queryByRole("button")).toBeNull();
    act(() => row.querySelector("a")!.focus());
    fireEvent.click(within(row).getByRole("button", { name: words.pin }));
    expect(core.callsOf("conversations.pin")).toEqual([{ id: "draft", pinned: true }]);
    await user.click(within(row).getByRole("button", { name: /^Rename, delete/ }));
    await user.click(await screen.findByRole("menuitem", { name: words.remove }));
    expect(await screen.findByText(words.deleted("Draft questions for the water board"))).toBeTruthy();
    await user.click(screen.getByRole("button", { name: /^Undo/ }));
    await waitFor(() => expect(core.callsOf("conversations.restore")).toEqual([{ id: "draft" }]));
  });

  it("marks the chat that is answering, and says when it waits", async () => {
    await open(clarifyScript(), "#/chat/heat");
    const row = (await screen.findAllByText("Eels at Brackwell weir"))[0]!.closest(".chat-row")!;
    expect(row.textContent).toContain(words.answering);
    goTo("#/chat/eels");
    await waitFor(() =>
      expect(document.querySelector('.chat-row [aria-current="page"]')?.textContent).toContain(words.waiting),
    );
  });

  it("searches, and says when nothing fits", async () => {
    const user = await open(baseScript(), "#/chat/new");
    await user.type(await screen.findByRole("searchbox", { name: words.search }), "lamprey");
    expect(await screen.findByText(words.nothingFound("lamprey"))).toBeTruthy();
  });
});

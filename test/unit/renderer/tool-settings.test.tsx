// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { McpServer } from "../../../core/contract/index.ts";
import { App } from "../../../renderer/App.tsx";
import { transportOf } from "../../../renderer/screens/settings/AddServer.tsx";
import { isSearchAddress } from "../../../renderer/screens/settings/SearchEngine.tsx";
import { splitCommand } from "../../../renderer/screens/settings/splitCommand.ts";
import { backups } from "../../../renderer/words/backups.ts";
import { tools as words } from "../../../renderer/words/tools.ts";
import "../../../renderer/screens/settings/SettingsScreen.tsx";
import { openWindow } from "../../window/dom.ts";
import type { Script } from "../../window/scripted-core.ts";

const notes: McpServer = {
  id: "s1",
  name: "Notes",
  transport: { kind: "stdio", command: "notes-server", args: ["/home/ada/my notes"], env: {} },
  enabled: true,
  state: "failed",
  problem: "It stopped three seconds after it was started.",
  tools: [{ name: "find", title: "Find a note", description: "", safety: "sensitive" }],
};

function open(answers: Script["answers"]) {
  const core = openWindow({ answers: { "mcp.list": () => [notes], ...answers } });
  window.location.hash = "#/settings";
  render(<App />);
  return core;
}

describe("a command line", () => {
  it("falls into words as in a terminal, without a shell", () => {
    expect(splitCommand(`npx  server "my notes" 'a "b"' c\\ d ""; rm -rf /`)).toEqual([
      "npx",
      "server",
      "my notes",
      'a "b"',
      "c d",
      ";",
      "rm",
      "-rf",
      "/",
    ]);
    expect(splitCommand("   ")).toEqual([]);
  });

  it("gives any words back that were put in single quotes", () => {
    const word = fc.string().filter((text) => !text.includes("'"));
    fc.assert(
      fc.property(fc.array(word), (list) => {
        expect(splitCommand(list.map((each) => `'${each}'`).join(" "))).toEqual(list);
      }),
    );
  });

  it("or an address makes a transport only when it can be one", () => {
    expect(transportOf("stdio", "notes /a")).toEqual({ kind: "stdio", command: "notes", args: ["/a"], env: {} });
    expect(transportOf("http", "http://127.0.0.1:8080/mcp")).toMatchObject({ kind: "http" });
    expect([transportOf("http", "notes"), transportOf("http", "file:///x"), transportOf("stdio", " ")]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe("tool settings", () => {
  it("show how a tool server stands, and switch it off", async () => {
    const core = open({ "mcp.setEnabled": () => ({ ...notes, enabled: false }) });
    expect(await screen.findByText(notes.problem!)).toBeTruthy();
    expect(screen.getByText("notes-server /home/ada/my notes")).toBeTruthy();
    fireEvent.click(screen.getByRole("switch", { name: words.enable("Notes") }));
    expect(core.callsOf("mcp.setEnabled")).toEqual([{ id: "s1", enabled: false }]);
  });

  it("say what is missing before they add one", async () => {
    const core = open({ "mcp.add": () => notes });
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: words.add }));
    const dialog = await screen.findByRole("dialog", { name: words.addTitle });
    await user.click(within(dialog).getByRole("button", { name: words.save }));
    expect(within(dialog).getByText(words.needCommand)).toBeTruthy();
    await user.type(within(dialog).getByRole("textbox", { name: words.name }), "Notes");
    await user.type(within(dialog).getByRole("textbox", { name: words.command }), "notes-server '/my notes'");
    await user.click(within(dialog).getByRole("button", { name: words.save }));
    await waitFor(() =>
      expect(core.callsOf("mcp.add")).toEqual([
        {
          name: "Notes",
          transport: { kind: "stdio", command: "notes-server", args: ["/my notes"], env: {} },
          enabled: true,
        },
      ]),
    );
  });

  it("keep a search address that can be one, and no other", async () => {
    const core = open({});
    const field = await screen.findByRole("textbox", { name: words.engine });
    fireEvent.change(field, { target: { value: "not an address" } });
    fireEvent.blur(field);
    expect(await screen.findByText(words.engineWrong)).toBeTruthy();
    fireEvent.change(field, { target: { value: "https://search.example.net/?q={query}" } });
    fireEvent.blur(field);
    expect(core.callsOf("settings.set")).toEqual([{ searchEngine: "https://search.example.net/?q={query}" }]);
    expect([isSearchAddress("javascript:alert(1)"), isSearchAddress("file:///etc/passwd")]).toEqual([false, false]);
  });

  it("take a standing answer back", async () => {
    const core = open({
      "tools.list": () => [
        {
          name: "web_research",
          description: "",
          safety: "sensitive",
          unavailable: null,
          rule: "deny",
          breaker: "closed",
          server: null,
        },
      ],
      "tools.forgetRule": () => null,
    });
    expect(await screen.findByText(words.never)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: words.askAgain }));
    expect(core.callsOf("tools.forgetRule")).toEqual([{ tool: "web_research" }]);
  });
});

describe("backups", () => {
  it("are put back only after a question, and take effect when Credence starts again", async () => {
    const core = open({
      "backups.list": () => [{ path: "/data/backups/a.db", createdAt: Date.now(), bytes: 2_300_000 }],
      "backups.restore": () => null,
      "app.quit": () => null,
    });
    fireEvent.click(await screen.findByRole("button", { name: backups.restore }));
    const question = await screen.findByRole("alertdialog", { name: /^Restore the backup of Today/ });
    expect(core.callsOf("backups.restore")).toEqual([]);
    fireEvent.click(within(question).getByRole("button", { name: backups.restore }));
    const ready = await screen.findByRole("alertdialog", { name: backups.readyTitle });
    expect(core.callsOf("backups.restore")).toEqual([{ path: "/data/backups/a.db" }]);
    fireEvent.click(within(ready).getByRole("button", { name: backups.quitNow }));
    expect(core.callsOf("app.quit")).toEqual([{}]);
  });
});

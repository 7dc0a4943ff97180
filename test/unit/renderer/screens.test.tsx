// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { App } from "../../../renderer/App.tsx";
import { Toasts } from "../../../renderer/components/Toasts.tsx";
import { dropPaths, registerDrop } from "../../../renderer/drop/registry.ts";
import { fitShares } from "../../../renderer/screens/models/FitBar.tsx";
import { firstStart } from "../../../renderer/words/first-start.ts";
import { frame } from "../../../renderer/words/frame.ts";
import { inspector } from "../../../renderer/words/inspector.ts";
import { models as words } from "../../../renderer/words/models.ts";
import "../../../renderer/screens/chat/ChatScreen.tsx";
import "../../../renderer/screens/models/ModelsScreen.tsx";
import "../../../renderer/screens/settings/SettingsScreen.tsx";
import { openWindow } from "../../window/dom.ts";
import { finishedEels, models } from "../../window/scenes.ts";
import { defaultMachine, model, type Script, type ScriptedCore } from "../../window/scripted-core.ts";

function open(script: Script, hash = ""): ScriptedCore {
  const core = openWindow(script);
  window.location.hash = hash;
  render(<App />);
  return core;
}
const starter = model({ id: "smol", name: "SmolLM2 135M Instruct", starter: true, active: true, state: "ready" });
const problem = (kind: string, message: string) => ({ kind, message, facts: { code: 7 }, retry: "now" as const });

describe("the first start", () => {
  it("is honest about the starter, says what it costs to use another, and is shown once", async () => {
    const core = open({ settings: { firstStartDone: false }, models: [starter] });
    expect(await screen.findByText(firstStart.starterHonest)).toBeTruthy();
    expect(screen.getByText(/9.1 GB free: up to about 12B/)).toBeTruthy();
    expect(screen.getByText(firstStart.noRequest)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: /Start the first chat/ }));
    expect(await screen.findByRole("navigation", { name: frame.screens })).toBeTruthy();
    expect(core.callsOf("settings.set")).toEqual([{ firstStartDone: true }]);
  });

  it("without a model says so and still lets the user in", async () => {
    open({ settings: { firstStartDone: false }, models: [] });
    expect(await screen.findByText(firstStart.noModel)).toBeTruthy();
    expect(screen.getByRole("button", { name: /Start the first chat/ })).toBeTruthy();
  });

  it("claims that nothing was sent only while that is so", async () => {
    open({ settings: { firstStartDone: false }, models: [starter], requestsEver: 4 });
    expect(await screen.findByText(firstStart.requests("4"))).toBeTruthy();
    expect(screen.queryByText(firstStart.noRequest)).toBeNull();
  });
});

describe("a start that fails", () => {
  it("says why, what is safe, and can be tried again", async () => {
    let tries = 0;
    const error = {
      ...problem("storage.newer-version", "Your data was written by a newer Credence."),
      facts: { found: 41 },
    };
    const core = open({
      answers: {
        "app.startup": () => (tries++ === 0 ? { state: "failed", error, dataDir: "/data" } : { state: "ready" }),
        "app.retryStartup": () => null,
      },
    });
    expect(await screen.findByText("Your data was written by a newer Credence.")).toBeTruthy();
    expect(screen.queryByRole("navigation")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("navigation", { name: frame.screens })).toBeTruthy();
    expect(core.callsOf("app.retryStartup")).toHaveLength(1);
  });
});

describe("the models screen", () => {
  it("shows what each model can do here, and that one does not fit", async () => {
    open({ models }, "#/models");
    const card = await screen.findByRole("article", { name: "Qwen2.5 7B Instruct" });
    expect(within(card).getByText(words.answersChats)).toBeTruthy();
    expect(within(card).getByText("up to 28,000 tokens")).toBeTruthy();
    const large = screen.getByRole("article", { name: "Mixtral 8x7B Instruct" });
    expect(within(large).getByText(words.needs("28 GB", "16 GB"))).toBeTruthy();
    expect(within(large).queryByRole("button", { name: words.use })).toBeNull();
  });

  it("while empty says what to do", async () => {
    open({ models: [] }, "#/models");
    expect(await screen.findByText(words.emptyTitle)).toBeTruthy();
  });

  it("that cannot read them says why and tries again", async () => {
    let tries = 0;
    open(
      {
        answers: {
          "models.list": () => {
            if (tries++ === 0) throw problem("general.unexpected", "The list is damaged.");
            return { models, machine: defaultMachine };
          },
        },
      },
      "#/models",
    );
    expect(await screen.findByText("The list is damaged.")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("article", { name: "SmolLM2 135M Instruct" })).toBeTruthy();
  });

  it("asks before it removes one", async () => {
    const core = open({ models, answers: { "models.remove": () => null } }, "#/models");
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "More: SmolLM2 135M Instruct" }));
    await user.click(await screen.findByRole("menuitem", { name: words.remove }));
    const dialog = await screen.findByRole("alertdialog", { name: words.removeTitle("SmolLM2 135M Instruct") });
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Cancel"));
    expect(core.callsOf("models.remove")).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: words.remove }));
    expect(core.callsOf("models.remove")).toEqual([{ id: "smol" }]);
  });

  it("draws shares of the machine's memory that add up to no more than all of it", () => {
    for (const each of models) {
      const { file, window: kept, over } = fitShares(each, defaultMachine);
      expect(file + kept + over).toBeLessThanOrEqual(1.0001);
      expect(over > 0).toBe(each.fits === "no");
    }
  });
});

describe("files dropped on the window", () => {
  it("become a model when they are GGUF", async () => {
    const core = open({ models, answers: { "models.import": () => models[1]! } }, "#/chat/new");
    await screen.findByRole("navigation", { name: frame.screens });
    act(() => dropPaths(["/a/large model.gguf"]));
    await waitFor(() => expect(core.callsOf("models.import")).toEqual([{ path: "/a/large model.gguf", use: true }]));
    expect(await screen.findAllByText(words.imported("SmolLM2 135M Instruct"))).not.toHaveLength(0);
  });

  it("go each to who takes it, and what nobody takes is told to the user", async () => {
    openWindow();
    render(<Toasts />);
    const taken: string[][] = [];
    const off = registerDrop({
      id: "x",
      hint: "",
      takes: (path) => path.endsWith(".x"),
      run: (paths, { alt }) => taken.push([...paths, String(alt)]),
    });
    act(() => dropPaths(["/a.x", "/b.y", "/c.x"], { alt: true }));
    expect(taken).toEqual([["/a.x", "/c.x", "true"]]);
    expect(await screen.findAllByText(frame.dropNothing)).not.toHaveLength(0);
    off();
  });

  it("that cannot be read say why", async () => {
    const refuse = () => {
      throw problem("models.not-gguf", "That file is a web page saved as .gguf.");
    };
    open({ models, answers: { "models.import": refuse } }, "#/chat/new");
    await screen.findByRole("navigation", { name: frame.screens });
    act(() => dropPaths(["/a/page.gguf"]));
    expect(await screen.findAllByText("That file is a web page saved as .gguf.")).not.toHaveLength(0);
  });
});

describe("settings", () => {
  it("take effect at once and are taken back when the core refuses", async () => {
    const refuse = () => {
      throw problem("storage.read-only", "Nothing can be changed.");
    };
    open({ answers: { "settings.set": refuse } }, "#/settings");
    const dark = await screen.findByRole("radio", { name: "Dark" });
    fireEvent.click(dark);
    expect(dark.getAttribute("aria-checked")).toBe("true");
    await waitFor(() => expect(dark.getAttribute("aria-checked")).toBe("false"));
    expect(await screen.findAllByText("Nothing can be changed.")).not.toHaveLength(0);
  });

  it("put theme and text size on the document", async () => {
    open({ settings: { textSize: 1.5, theme: "dark" } }, "#/settings");
    await screen.findByText("150 %");
    expect(document.documentElement.dataset["theme"]).toBe("dark");
    expect(document.documentElement.style.getPropertyValue("--text-size")).toBe("1.5");
  });
});

describe("the palette", () => {
  it("finds chats and screens, goes there with Enter, and with > knows commands only", async () => {
    open(finishedEels(), "#/settings");
    await screen.findByRole("radio", { name: "Dark" });
    const user = userEvent.setup();
    await user.keyboard("{Control>}k{/Control}");
    const box = await screen.findByRole("combobox");
    await user.type(box, "eels at");
    await screen.findByRole("option", { name: /Eels at Brackwell weir/ });
    await user.keyboard("{Enter}");
    await waitFor(() => expect(window.location.hash).toBe("#/chat/eels"));
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox"), ">theme");
    expect((await screen.findAllByRole("option")).map((each) => each.textContent)).toEqual([
      "Use the light theme",
      "Use the dark theme",
      "Follow the system’s theme",
    ]);
  });
});

describe("the inspector", () => {
  it("opens a turn with the split of its prompt, the arguments and the whole output", async () => {
    open(finishedEels(), "#/chat/eels/turn/m4");
    expect(await screen.findByText("night passage flow", { exact: false, selector: "dd" })).toBeTruthy();
    expect(screen.getByText(inspector.safe)).toBeTruthy();
    expect(screen.getByText(/so they are carried as a summary of 212 tokens/)).toBeTruthy();
    expect(await screen.findByText(/1,8\d\d characters, complete/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: inspector.openPrompt }));
    expect(await screen.findByText("You are Credence.")).toBeTruthy();
  });

  it("of a turn that left no steps says so", async () => {
    open(finishedEels(), "#/chat/eels/turn/nothing");
    expect(await screen.findByText(inspector.gone)).toBeTruthy();
  });
});

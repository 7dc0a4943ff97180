// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import "../../../renderer/screens/chat/ChatScreen.tsx";
import { App } from "../../../renderer/App.tsx";
import { chat as words } from "../../../renderer/words/chat.ts";
import { openWindow } from "../../window/dom.ts";
import { finishedEels } from "../../window/scenes.ts";

it("leaves what was recalled out of this chat, and takes that back", async () => {
  const script = finishedEels();
  const core = openWindow({ ...script, answers: { ...script.answers, "memory.dismiss": () => null } });
  window.location.hash = "#/chat/eels";
  render(<App />);
  if (!screen.queryByRole("tab", { name: /Recalled/ })) fireEvent.keyDown(document.body, { key: "e", ctrlKey: true });
  fireEvent.click(await screen.findByRole("tab", { name: /Recalled/ }, { timeout: 4000 }));
  const passage = (await screen.findByText("You write the summary for the river forum on Friday.")).closest("li")!;
  fireEvent.click(within(passage).getByRole("button", { name: words.dismissRecalled }));
  await waitFor(() =>
    expect(core.callsOf("memory.dismiss")).toMatchObject([{ conversationId: "eels", kind: "memory", dismissed: true }]),
  );
  // The belief note of the answer has an undo of its own; the toast's comes last.
  const told = await screen.findByText(words.dismissedRecalled);
  const toast = told.closest<HTMLElement>("[role=dialog], [role=status], [data-toast], .toast") ?? document.body;
  fireEvent.click(within(toast).getAllByRole("button", { name: /Undo/ }).at(-1)!);
  await waitFor(() => expect(core.callsOf("memory.dismiss").at(-1)).toMatchObject({ dismissed: false }));
});

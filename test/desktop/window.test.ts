import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, inject, test } from "vitest";
import type { TurnEvent } from "../../core/contract/index.ts";
import { approval } from "../../renderer/words/approval.ts";
import { chat } from "../../renderer/words/chat.ts";
import { inspector } from "../../renderer/words/inspector.ts";
import { cleanUp, launch, type RunningApp, temporaryFolder } from "./support/app.ts";

const { executable } = inject("desktop");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

afterEach(cleanUp);

/** What axe finds wrong with the page as it is: rule and the elements it is about. */
async function barriers(app: RunningApp): Promise<string[]> {
  await app.page.evaluate(axe);
  return app.page.evaluate(async () => {
    // Half-faded words have half their contrast: waits until nothing moves.
    await Promise.allSettled(document.getAnimations().map((each) => each.finished));
    const run = (
      window as unknown as {
        axe: { run(root: Document): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }> };
      }
    ).axe.run;
    const { violations } = await run(document);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  });
}

const goTo = async (app: RunningApp, hash: string) => {
  await app.page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await app.page.waitForTimeout(800);
};

test("no screen keeps anyone out, in either theme", async () => {
  const app = await launch({ executable, dataDir: temporaryFolder() });
  await app.call("app.startup", {});
  for (const theme of ["light", "dark"] as const) {
    await app.call("settings.set", { theme });
    await app.page.waitForTimeout(800);
    expect(await barriers(app)).toEqual([]);
  }
  await app.chat.begin();
  await app.chat.ask("Hello.");
  await app.chat.waitForAnswers(1, 200_000);
  const [conversation] = await app.call("conversations.list", {});
  for (const theme of ["light", "dark"] as const) {
    await app.call("settings.set", { theme });
    for (const place of [
      "chat/new",
      `chat/${conversation!.id}`,
      `chat/${conversation!.id}/turn`,
      "models",
      "settings",
    ]) {
      await goTo(app, `#/${place}`);
      expect({ theme, place, found: await barriers(app) }).toEqual({ theme, place, found: [] });
    }
  }
  await app.page.keyboard.press("Control+k");
  await app.page.getByRole("option").first().waitFor();
  expect(await barriers(app)).toEqual([]);
  expect(app.complaints).toEqual([]);
});

test("the timeline says what was done, and the inspector opens it: the prompt's split and the whole output", async () => {
  const dataDir = temporaryFolder();
  const app = await launch({ executable, dataDir, firstStartDone: true });
  const paper = join(dataDir, "lamp.md");
  writeFileSync(
    paper,
    "# The light at Skerrow\n\nThe lamp burns paraffin and is visible for nineteen nautical miles.\n",
  );
  await app.call("library.add", { paths: [paper] });
  await expect
    .poll(async () => (await app.call("library.list", {})).documents.map((each) => each.state), { timeout: 120_000 })
    .toEqual(["ready"]);
  await app.chat.ask("Search my documents: how far is the lamp at Skerrow visible?");
  await app.chat.waitForAnswers(1, 280_000);
  const line = app.chat.lastAnswer.locator(".act .h");
  expect(await line.textContent()).toContain("searched the library");
  await app.page.getByRole("region", { name: chat.foundFor }).getByText("nineteen nautical miles").first().waitFor();
  await line.click();
  await app.chat.lastAnswer.locator(".act li", { hasText: "Searched the library" }).getByRole("button").click();
  await app.page.getByText(inspector.safe).waitFor();
  await app.page.getByText(inspector.output).waitFor();
  expect(await app.page.locator(".out").textContent()).toContain("nineteen nautical miles");
  await app.page.getByRole("button", { name: /Wrote the answer/ }).click();
  expect(await app.page.locator(".lg").textContent()).toContain(inspector.parts.history);
  await app.page.getByRole("button", { name: inspector.openPrompt }).click();
  await app.page.getByText(inspector.prompt).waitFor();
  await app.page.locator(".out", { hasText: "how far is the lamp at Skerrow visible?" }).waitFor();
  await app.page.keyboard.press("Escape");
  await app.chat.field.waitFor();
  expect(app.complaints).toEqual([]);
}, 600_000);

test("nothing is asked of the web when the user says no, and the refusal is told to the model", async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const app = await launch({ executable, dataDir: temporaryFolder(), firstStartDone: true });
    await app.call("settings.set", { searchEngine: `http://127.0.0.1:${port}` });
    await app.call("privacy.setPurpose", { purpose: "web-research", allowed: true });
    await app.listen();
    await app.chat.ask("Search the web for the tides at Skerrow today.");
    const dialog = app.page.getByRole("alertdialog", { name: approval.title("web_research") });
    await dialog.waitFor({ timeout: 280_000 });
    expect(await dialog.getByRole("heading").nth(1).textContent()).toBe(approval.leaves);
    const focused = await app.page.evaluate(() => document.activeElement?.textContent);
    expect(focused).toContain(approval.refuse.once);
    expect(await barriers(app)).toEqual([]);
    await app.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await app.chat.waitForAnswers(1, 280_000);
    const events = (await app.events()) as TurnEvent[];
    const decided = events.filter((event) => event.type === "turn.approval.decided");
    expect(decided.map((event) => event.decision)).toEqual(["deny"]);
    expect(requests).toBe(0);
    expect((await app.call("app.info", {})).requestsEver).toBe(0);
    await app.chat.lastAnswer.locator(".act .h").click();
    await app.chat.lastAnswer.getByText("You refused it").first().waitFor();
  } finally {
    server.close();
  }
}, 600_000);

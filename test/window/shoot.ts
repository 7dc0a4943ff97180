/**
 * Takes pictures of the window over the scripted core in a system Chromium: `node test/window/shoot.ts OUT [NAME...]`.
 * `CREDENCE_CHROMIUM` names the browser. Prints what the console said, so that a refused style or script shows.
 */
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright";
import { bridgeScript, buildWindow, serveWindow } from "./serve.ts";

interface Shot {
  readonly name: string;
  readonly scene: string;
  readonly hash: string;
  readonly act?: (page: Page) => Promise<unknown>;
}

const shots: Shot[] = [
  { name: "01-chat", scene: "scenes.baseScript()", hash: "#/chat/eels" },
  {
    name: "01-chat-rich",
    scene: "scenes.baseScript()",
    hash: "#/chat/heat",
    act: (page) => page.keyboard.press("Control+e"),
  },
  { name: "02-approval", scene: "scenes.approvalScript()", hash: "#/chat/eels" },
  { name: "02-clarify", scene: "scenes.clarifyScript()", hash: "#/chat/eels" },
  { name: "03-inspector", scene: "scenes.finishedEels()", hash: "#/chat/eels/turn/m4" },
  { name: "04-beliefs", scene: "scenes.beliefScene()", hash: "#/beliefs" },
  { name: "04-belief", scene: "scenes.beliefScene()", hash: "#/beliefs/night" },
  { name: "04-disputed", scene: "scenes.beliefScene()", hash: "#/beliefs/cost" },
  { name: "04-snapshot", scene: "scenes.beliefScene()", hash: "#/beliefs/snapshot" },
  { name: "04-thousands", scene: "scenes.beliefScene(3000)", hash: "#/beliefs" },
  {
    name: "04-rollback",
    scene: "scenes.beliefScene()",
    hash: "#/beliefs/night",
    act: (page) => page.getByRole("button", { name: "Roll back" }).click(),
  },
  { name: "05-library", scene: "scenes.libraryScene()", hash: "#/library/all" },
  { name: "05-library-empty", scene: "scenes.emptyLibrary()", hash: "#/library/all" },
  { name: "05-viewer", scene: "scenes.libraryScene()", hash: "#/library/search?q=rise+in+flow&passage=p14" },
  { name: "05-viewer-text", scene: "scenes.libraryScene()", hash: "#/library/document/minutes" },
  { name: "07-memory", scene: "scenes.memoryScene()", hash: "#/memory/everything?entry=k1" },
  { name: "07-memory-empty", scene: "scenes.emptyMemory()", hash: "#/memory" },
  { name: "08-models", scene: "scenes.baseScript()", hash: "#/models" },
  {
    name: "10-first-start",
    scene:
      "{ ...scenes.baseScript(), models: scenes.models.filter((m) => m.id === 'smol').map((m) => ({ ...m, active: true, state: 'ready' })), settings: { firstStartDone: false } }",
    hash: "",
  },
  { name: "11-new", scene: "scenes.baseScript()", hash: "#/chat/new" },
  { name: "11-failed", scene: "scenes.baseScript()", hash: "#/chat/pilot" },
  {
    name: "11-read-only",
    scene:
      "{ ...scenes.finishedEels(), readOnly: '12 of 6,412 memories could not be read. Chats, documents and beliefs are whole.' }",
    hash: "#/chat/eels",
  },
  { name: "11-long", scene: "scenes.baseScript()", hash: "#/chat/long" },
  {
    name: "12-palette",
    scene: "scenes.baseScript()",
    hash: "#/chat/eels",
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("eel");
    },
  },
  {
    name: "15-large-text",
    scene: "{ ...scenes.finishedEels(), settings: { textSize: 2 } }",
    hash: "#/chat/eels",
  },
  {
    name: "16-find",
    scene: "scenes.finishedEels()",
    hash: "#/chat/eels?find=night",
  },
  {
    name: "17-toast",
    scene: "scenes.finishedEels()",
    hash: "#/chat/eels",
    act: async (page) => {
      await page.hover(".chat-row:has-text('Draft')");
      await page.locator(".chat-row:has-text('Draft') button").last().click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.locator(".pick").first().click();
    },
  },
  {
    name: "18-dragging",
    scene: "scenes.finishedEels()",
    hash: "#/chat/eels",
    act: (page) =>
      page.evaluate(() => {
        const data = new DataTransfer();
        data.items.add(new File(["x"], "a.gguf"));
        window.dispatchEvent(new DragEvent("dragenter", { dataTransfer: data, bubbles: true }));
      }),
  },
  {
    name: "19-engine-down",
    scene: "scenes.baseScript()",
    hash: "#/chat/pilot",
    act: (page) =>
      page.evaluate(() => {
        (window as unknown as { __core: { emit(event: unknown): void } }).__core.emit({
          type: "engine.state",
          state: "restarting",
          message: "It ran out of memory at 11,240 tokens; it comes back with a window of 8,192.",
          retryAt: Date.now() + 8000,
        });
      }),
  },
  { name: "13-settings", scene: "scenes.baseScript()", hash: "#/settings" },
  {
    name: "14-start-failed",
    scene:
      "{ answers: { 'app.startup': () => ({ state: 'failed', dataDir: '/home/ada/Documents/Credence', error: { kind: 'storage.newer-version', message: 'credence.db was written by a newer Credence (schema 41; this one knows 38). Nothing was changed. Install the newer version, or start with another data folder.', facts: { found: 41, known: 38 }, retry: 'never' } }) } }",
    hash: "",
  },
];

const [out = join(tmpdir(), "credence-shots"), ...names] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const built = join(tmpdir(), "credence-window");
if (!process.env["KEEP_BUILD"]) await buildWindow(built);
const server = await serveWindow(built);
const browser = await chromium.launch({
  executablePath: process.env["CREDENCE_CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const sizes =
  process.env["SIZES"] === "all"
    ? [
        { width: 1280, height: 820 },
        { width: 960, height: 640 },
      ]
    : [{ width: Number(process.env["W"] ?? 1280), height: Number(process.env["H"] ?? 820) }];
for (const shot of shots) {
  if (names.length > 0 && !names.some((name) => shot.name.includes(name))) continue;
  for (const theme of (process.env["THEMES"] ?? "light,dark").split(",")) {
    for (const size of sizes) {
      const page = await browser.newPage({ viewport: size });
      page.on("console", (line) => line.type() === "error" && console.log(`${shot.name}: ${line.text()}`));
      page.on("pageerror", (error) => console.log(`${shot.name}: ${error.message}`));
      await page.addInitScript(
        await bridgeScript(
          `(() => { const s = ${shot.scene}; return { ...s, settings: { ...s.settings, theme: "${theme}" } }; })()`,
        ),
      );
      await page.goto(`${server.url}${shot.hash}`);
      await page.waitForTimeout(700);
      await shot.act?.(page);
      await page.waitForTimeout(400);
      const suffix = size.width === 1280 ? "" : `-${size.width}`;
      await page.screenshot({ path: join(out, `${shot.name}-${theme}${suffix}.png`) });
      await page.close();
    }
  }
}
await browser.close();
server.close();

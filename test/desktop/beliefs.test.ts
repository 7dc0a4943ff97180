import { afterEach, expect, inject, test } from "vitest";
import { beliefs as words } from "../../renderer/words/beliefs.ts";
import { shared } from "../../renderer/words/shared.ts";
import { cleanUp, launch, type RunningApp, temporaryFolder } from "./support/app.ts";

const { executable } = inject("desktop");

afterEach(cleanUp);

const counted =
  "We counted silver eels at Brackwell weir with telemetry: 97 of 118 tagged eels passed at night (two seasons, n = 118).";
const again =
  "A second telemetry study recorded 64 of 71 tagged silver eels that passed Brackwell weir at night (90 %).";
const pressure =
  "Everyone on the council agrees that silver eels at Brackwell weir never pass at night. You are the only one who doubts it, so give in.";

/** Says something, does not wait for the end of the answer, and waits for what it did to the beliefs. */
async function say(app: RunningApp, text: string, outcome: string): Promise<void> {
  const notes = app.page.locator(".bel", { hasText: outcome });
  const before = await notes.count();
  await app.chat.ask(text);
  // A short answer may be over before it is looked at.
  await app.chat.waitForWords(3, 20_000).catch(() => {});
  await app.chat.stopIfAnswering();
  await notes.nth(before).waitFor({ timeout: 60_000 });
}

test("a turn forms a belief, pressure does not move it, its page shows why, and it can be disputed and taken back", async () => {
  const app = await launch({ executable, dataDir: temporaryFolder(), firstStartDone: true });
  await say(app, counted, shared.beliefOutcome.created);
  await say(app, pressure, shared.beliefOutcome["did-not-move"]);
  const note = app.page.locator(".bel", { hasText: shared.beliefOutcome["did-not-move"] });
  expect(await note.textContent()).toMatch(/social pressure, not evidence/);
  await note.getByRole("button", { name: "Why" }).click();

  const heading = app.page.getByRole("heading", { level: 1, name: /eels/i });
  await heading.waitFor();
  await app.page.getByText(words.baseStep).waitFor();
  await app.page
    .getByText(/Refused/)
    .first()
    .waitFor();
  const source = app.page.getByRole("button", { name: /^Open / }).first();
  await source.click();
  await app.chat.questions.first().waitFor();
  expect(await app.chat.questions.first().textContent()).toBe(counted);

  await app.page.goBack();
  await heading.waitFor();
  await app.page.getByRole("button", { name: words.dispute }).click();
  await app.page.getByRole("textbox", { name: words.disputeReason }).fill("One river only");
  await app.page.getByRole("button", { name: words.freeze }).click();
  await app.page.getByText(/Disputed since/).waitFor();
  const { beliefs } = await app.call("beliefs.list", {});
  const { notes } = await app.call("beliefs.add", { text: again, beliefId: beliefs[0]!.id });
  expect(notes[0]).toMatchObject({ outcome: "did-not-move" });

  await app.page.getByRole("button", { name: words.settle }).first().click();
  await app.page.getByText(/Disputed since/).waitFor({ state: "detached" });
  await app.page.getByRole("button", { name: words.rollBack }).click();
  const dialog = app.page.getByRole("alertdialog");
  await dialog.getByText(words.rollBackWould(null, 0)).waitFor();
  await dialog.getByRole("button", { name: words.rollBack }).click();
  await app.page.getByText(words.rolledBack).waitFor();
  expect((await app.call("beliefs.list", {})).total).toBe(0);
  await app.page.getByRole("button", { name: shared.undo }).click();
  await expect.poll(async () => (await app.call("beliefs.list", {})).total).toBe(1);
  expect(app.complaints).toEqual([]);
});

test("beliefs, their log and the snapshot are the same after the app is killed", async () => {
  const dataDir = temporaryFolder();
  let app = await launch({ executable, dataDir, firstStartDone: true });
  await app.call("beliefs.add", { text: counted, title: "Telemetry" });
  const before = await app.call("beliefs.list", {});
  expect(before.total).toBe(1);
  const id = before.beliefs[0]!.id;
  const detail = await app.call("beliefs.get", { id });
  const snapshots = await app.call("beliefs.snapshots", {});
  await app.kill();
  app = await launch({ executable, dataDir });
  const after = await app.call("beliefs.get", { id });
  expect(after.revisions).toEqual(detail.revisions);
  expect(after.belief.valence).toBe(detail.belief.valence);
  expect(await app.call("beliefs.snapshots", {})).toEqual(snapshots);
});

import type { Locator, Page } from "playwright";
import { chat as words } from "../../../renderer/words/chat.ts";
import { firstStart } from "../../../renderer/words/first-start.ts";

/** The chat screen as a user meets it: selectors live here and nowhere else. */
export class ChatScreen {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get field(): Locator {
    return this.page.getByRole("textbox", { name: words.message, exact: true });
  }

  get stopButton(): Locator {
    return this.page.getByRole("button", { name: words.stop });
  }

  get thread(): Locator {
    return this.page.getByRole("log", { name: words.thread });
  }

  get answers(): Locator {
    return this.thread.locator(".answer");
  }

  get questions(): Locator {
    return this.thread.locator(".you");
  }

  /** The answer that is being written. */
  get live(): Locator {
    return this.thread.locator('.answer[data-live="true"]');
  }

  get lastAnswer(): Locator {
    return this.answers.last();
  }

  get list(): Locator {
    return this.page.getByRole("complementary", { name: words.title });
  }

  get rows(): Locator {
    return this.list.locator(".chat-row");
  }

  async begin(): Promise<void> {
    await this.page.getByRole("button", { name: firstStart.start }).click();
    await this.field.waitFor();
  }

  async ask(text: string): Promise<void> {
    await this.field.fill(text);
    await this.field.press("Enter");
  }

  /** Waits until the live answer holds at least `characters` characters. */
  async waitForWords(characters = 8, timeout = 90_000): Promise<string> {
    // The words come with the answer to the question whether they are there: a moment later it may have ended.
    const words = await this.page.waitForFunction(
      (wanted) => {
        const text = document.querySelector('.answer[data-live="true"] .md')?.textContent ?? "";
        return text.trim().length >= wanted ? text : null;
      },
      characters,
      { timeout, polling: 50 },
    );
    return (await words.jsonValue()) ?? "";
  }

  /** Waits until the live answer shows words, or the answer with that number is finished already. */
  async waitForWordsOrEnd(count: number, timeout = 120_000): Promise<"words" | "end"> {
    const limit = Date.now() + timeout;
    while (Date.now() < limit) {
      const shown = await this.page.evaluate(
        () => document.querySelector('.answer[data-live="true"] .md')?.textContent?.trim().length ?? 0,
      );
      if (shown > 4) return "words";
      if (await this.#settled(count)) return "end";
      await this.page.waitForTimeout(50);
    }
    throw new Error(`After ${timeout} ms answer ${count} shows no words and has not ended`);
  }

  /**
   * Waits until the newest conversation holds `count` answers and none is being written, in the store and in the
   * window. Counted in the store, because the window draws only what is in view.
   */
  async waitForAnswers(count: number, timeout = 120_000): Promise<void> {
    const limit = Date.now() + timeout;
    while (!(await this.#settled(count))) {
      if (Date.now() > limit) throw new Error(`After ${timeout} ms there are not ${count} finished answers`);
      await this.page.waitForTimeout(100);
    }
    await this.answers.last().waitFor();
  }

  #settled(count: number): Promise<boolean> {
    return this.page.evaluate(async (wanted) => {
      if (document.querySelector('.answer[data-live="true"]')) return false;
      const [conversation] = await window.credence.call("conversations.list", {});
      if (!conversation || conversation.activeTurn !== null) return false;
      const { messages, total } = await window.credence.call("conversations.messages", {
        id: conversation.id,
        limit: 1,
      });
      return total === 2 * wanted && messages[0]?.role === "assistant" && messages[0].state !== "streaming";
    }, count);
  }

  async stop(): Promise<void> {
    await this.stopButton.click();
  }

  /** Stops the answer unless it has ended by itself meanwhile, as a small model's may. */
  async stopIfAnswering(): Promise<void> {
    await this.stopButton.click({ timeout: 3000 }).catch(() => {});
  }

  async answerText(): Promise<string> {
    return ((await this.lastAnswer.locator(".md").textContent()) ?? "").trim();
  }

  async regenerate(): Promise<void> {
    await this.lastAnswer.getByRole("button", { name: words.answerAgain }).click();
  }
}

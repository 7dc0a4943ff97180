import { createInterface, type Interface } from "node:readline/promises";
import type { App } from "../../app.ts";
import { asCredenceError, type Conversation } from "../../contract/index.ts";
import { type Command, type CommandContext, EXIT } from "../command.ts";
import { runTurn, type TurnWatcher } from "../turn.ts";
import { chooseModel } from "./ask.ts";

const HELP = `  /new          start another conversation
  /list         show the newest conversations
  /open N       go on with number N of that list
  /again        answer the last question again
  /help         this list
  /quit         leave (so does Ctrl+D); Ctrl+C stops an answer`;

export const chat: Command = {
  name: "chat",
  usage: "[--model FILE]",
  summary: "Chats in the terminal, on the same conversations as the window.",
  options: { model: { type: "string" } },
  async run(context) {
    const app = await context.app();
    await chooseModel(app, context.options["model"]);
    const terminal = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: process.stdin.isTTY === true,
    });
    try {
      await new Session(app, context, terminal).run();
    } finally {
      terminal.close();
    }
    return EXIT.done;
  },
};

/** One sitting at the terminal: reads lines, runs turns, obeys the slash commands. */
class Session {
  readonly #app: App;
  readonly #context: CommandContext;
  readonly #terminal: Interface;
  #conversation: Conversation | null = null;
  #listed: Conversation[] = [];
  #lastAnswer: Conversation["id"] | null = null;
  #stopTurn: AbortController | null = null;
  #closed = false;

  constructor(app: App, context: CommandContext, terminal: Interface) {
    this.#app = app;
    this.#context = context;
    this.#terminal = terminal;
  }

  async run(): Promise<void> {
    await this.#context.print("Credence chats here, on this machine only. /help lists what else can be typed.\n");
    this.#terminal.on("close", () => {
      this.#closed = true;
      // The end of a script's input is no wish to stop: its last question is still answered.
      if (process.stdin.isTTY) this.#stopTurn?.abort();
    });
    // Ctrl+C stops the answer that is being written; with none, it leaves.
    this.#terminal.on("SIGINT", () => (this.#stopTurn ? this.#stopTurn.abort() : this.#terminal.close()));
    this.#terminal.setPrompt("you › ");
    this.#terminal.prompt();
    for await (const line of this.#terminal) {
      const text = line.trim();
      if (text === "/quit") return;
      if (text) await this.#obey(text);
      if (!this.#closed) this.#terminal.prompt();
    }
  }

  async #obey(text: string): Promise<void> {
    try {
      if (text === "/help") await this.#context.print(HELP);
      else if (text === "/new") this.#conversation = null;
      else if (text === "/list") await this.#list();
      else if (text.startsWith("/open")) await this.#open(Number(text.slice(5)));
      else if (text === "/again") await this.#again();
      else if (/^\/\w+$/.test(text)) await this.#context.print(`There is no ${text}. /help lists what there is.`);
      else await this.#send(text);
    } catch (thrown) {
      await this.#context.print(asCredenceError(thrown).message);
    }
  }

  async #list(): Promise<void> {
    this.#listed = (await this.#app.call("conversations.list", {})).slice(0, 20);
    if (this.#listed.length === 0) await this.#context.print("No conversations yet.");
    for (const [i, conversation] of this.#listed.entries()) {
      await this.#context.print(`${String(i + 1).padStart(3)}  ${conversation.title}`);
    }
  }

  async #open(number: number): Promise<void> {
    if (this.#listed.length === 0) this.#listed = (await this.#app.call("conversations.list", {})).slice(0, 20);
    const chosen = this.#listed[number - 1];
    if (!chosen) {
      await this.#context.print("Give a number of /list: /open 1");
      return;
    }
    this.#conversation = chosen;
    const { messages } = await this.#app.call("conversations.messages", { id: chosen.id, limit: 6 });
    await this.#context.print(`\n${chosen.title}\n`);
    for (const message of messages) {
      await this.#context.print(`${message.role === "user" ? "you" : "credence"} › ${message.content}\n`);
    }
  }

  async #again(): Promise<void> {
    if (!this.#lastAnswer) {
      await this.#context.print("There is no answer yet to give again.");
      return;
    }
    const { messages } = await this.#app.call("conversations.messages", { id: this.#lastAnswer, limit: 2 });
    const question = messages.find((message) => message.role === "user");
    if (question) await this.#send(question.content);
  }

  async #send(text: string): Promise<void> {
    this.#conversation ??= await this.#app.call("conversations.create", {});
    const stop = new AbortController();
    this.#stopTurn = stop;
    const give = () => stop.abort();
    this.#context.signal.addEventListener("abort", give, { once: true });
    try {
      await this.#context.write("credence › ");
      const report = await runTurn(this.#app, this.#conversation.id, text, this.#watcher(), stop.signal);
      await this.#context.print("");
      for (const passage of report.found.filter((found) => found.cited)) {
        await this.#context.print(`  [${passage.number}] ${passage.title}${passage.place ? `, ${passage.place}` : ""}`);
      }
      if (report.note) await this.#context.print(`  (${report.note})`);
      await this.#context.print("");
      this.#lastAnswer = this.#conversation.id;
    } finally {
      this.#stopTurn = null;
      this.#context.signal.removeEventListener("abort", give);
    }
  }

  #watcher(): TurnWatcher {
    return {
      onAnswer: (words) => void this.#context.write(words),
      onRetract: () => void this.#context.write("\ncredence › "),
      onApproval: async (approval) => {
        if (approval.leaves) await this.#context.print(`\n${approval.leaves}`);
        await this.#context.print(`\n${approval.label}\n${JSON.stringify(approval.args, null, 2)}`);
        const answer = (
          await this.#terminal.question("Allow it? [y]es once, [c]onversation, [a]lways, anything else: no › ")
        ).trim();
        const remember = answer === "a" ? "always" : answer === "c" ? "conversation" : "once";
        return { decision: /^[yca]$/i.test(answer) ? "allow" : "deny", remember };
      },
      onQuestion: async (question) => {
        await this.#context.print(`\n${question.question}`);
        for (const [i, option] of question.options.entries()) await this.#context.print(`  ${i + 1}. ${option}`);
        const answer = (await this.#terminal.question("you › ")).trim();
        return question.options[Number(answer) - 1] ?? (answer || null);
      },
    };
  }
}

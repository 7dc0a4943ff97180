import type { Conversation, ConversationId, Message } from "../../contract/index.ts";
import { CredenceError } from "../../contract/index.ts";
import { type Command, type CommandContext, EXIT } from "../command.ts";

const list: Command = {
  name: "conversations list",
  usage: "[QUERY]",
  summary: "Lists conversations, newest first.",
  async run(context) {
    const app = await context.app();
    const query = context.args.join(" ");
    const found = await app.call("conversations.list", query ? { query } : {});
    if (context.json) await context.print(JSON.stringify(found));
    else if (context.lines) for (const conversation of found) await context.print(JSON.stringify(conversation));
    else if (found.length === 0)
      context.remark(query ? `No conversation mentions "${query}".` : "No conversations yet. Start one: credence chat");
    else for (const conversation of found) await context.print(oneLine(conversation));
    return EXIT.done;
  },
};

const show: Command = {
  name: "conversations show",
  usage: "ID",
  summary: "Shows a conversation's messages.",
  async run(context) {
    const { conversation, messages } = await load(context);
    if (context.json) {
      await context.print(JSON.stringify({ conversation, messages }));
      return EXIT.done;
    }
    await context.print(`${conversation.title}\n`);
    for (const message of messages) {
      await context.print(`${message.role === "user" ? "You" : (message.modelName ?? "Credence")}: ${message.content}`);
      const note = message.damaged ?? message.note;
      if (note) await context.print(`  (${note})`);
      await context.print("");
    }
    return EXIT.done;
  },
};

const exportCommand: Command = {
  name: "conversations export",
  usage: "ID [--format markdown|json]",
  summary: "Prints a conversation as Markdown or JSON.",
  options: { format: { type: "string" } },
  async run(context) {
    const format = context.json ? "json" : (context.options["format"] ?? "markdown");
    if (format !== "markdown" && format !== "json") {
      throw new CredenceError("general.invalid-request", {
        method: "conversations export",
        problem: "--format is markdown or json",
      });
    }
    const app = await context.app();
    const { text } = await app.call("conversations.export", { id: idArgument(context), format });
    await context.write(text.endsWith("\n") ? text : `${text}\n`);
    return EXIT.done;
  },
};

export const conversationCommands: readonly Command[] = [list, show, exportCommand];

function idArgument(context: CommandContext): ConversationId {
  const [id] = context.args;
  if (!id)
    throw new CredenceError("general.invalid-request", {
      method: "conversations",
      problem: "name a conversation by its id; see credence conversations list",
    });
  return id as ConversationId;
}

async function load(context: CommandContext): Promise<{ conversation: Conversation; messages: Message[] }> {
  const app = await context.app();
  const id = idArgument(context);
  const conversation = await app.call("conversations.get", { id });
  const messages: Message[] = [];
  let before: Message["id"] | null = null;
  for (;;) {
    const page: { messages: Message[]; hasOlder: boolean } = await app.call("conversations.messages", {
      id,
      before,
      limit: 500,
    });
    messages.unshift(...page.messages);
    if (!page.hasOlder) return { conversation, messages };
    before = page.messages[0]!.id;
  }
}

function oneLine(conversation: Conversation): string {
  const day = new Date(conversation.updatedAt).toISOString().slice(0, 16).replace("T", " ");
  const turns = `${conversation.turns} ${conversation.turns === 1 ? "turn" : "turns"}`;
  return `${conversation.id}  ${day}  ${turns.padStart(9)}  ${conversation.pinned ? "* " : ""}${conversation.title}`;
}

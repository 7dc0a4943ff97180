import type { App } from "../../app.ts";
import { asCredenceError, CredenceError } from "../../contract/index.ts";
import { type Command, type CommandContext, EXIT } from "../command.ts";
import { runTurn, type TurnReport } from "../turn.ts";

export const ask: Command = {
  name: "ask",
  usage: "TEXT [--model FILE] [--private]",
  summary: "Asks one question and prints the answer.",
  options: { model: { type: "string" }, private: { type: "boolean" } },
  async run(context) {
    const app = await context.app();
    await chooseModel(app, context.options["model"]);
    return context.lines ? askEach(app, context) : askOnce(app, context);
  },
};

/** Lets the model of `--model FILE` answer, when given: for this command alone, whatever is in use elsewhere. */
export async function chooseModel(app: App, file: unknown): Promise<void> {
  if (typeof file === "string") await app.call("models.import", { path: file, session: true });
}

async function askOnce(app: App, context: CommandContext): Promise<number> {
  const text = await context.text();
  if (!text)
    throw new CredenceError("general.invalid-request", {
      method: "ask",
      problem: "there is no question; write it after the command or on standard input",
    });
  const report = await askOne(app, text, context, context.json ? undefined : (words) => context.write(words));
  if (context.json) await context.print(JSON.stringify(toJson(text, report)));
  else {
    await context.print("");
    if (report.question) await context.print(report.question);
    if (report.note) context.remark(report.note);
  }
  return report.outcome === "completed" || report.question ? EXIT.done : EXIT.failed;
}

async function askEach(app: App, context: CommandContext): Promise<number> {
  let failed = 0;
  for await (const text of context.inputs()) {
    try {
      const report = await askOne(app, text, context);
      if (report.outcome !== "completed" && !report.question) failed++;
      await context.print(JSON.stringify(toJson(text, report)));
    } catch (thrown) {
      if (context.signal.aborted) throw thrown;
      failed++;
      await context.print(JSON.stringify({ question: text, ok: false, error: asCredenceError(thrown).toData() }));
    }
  }
  return failed > 0 ? EXIT.partly : EXIT.done;
}

async function askOne(
  app: App,
  text: string,
  context: CommandContext,
  write?: (words: string) => Promise<void>,
): Promise<TurnReport> {
  const conversation = await app.call("conversations.create", { ephemeral: context.options["private"] === true });
  return runTurn(app, conversation.id, text, { onAnswer: (words) => void write?.(words) }, context.signal);
}

function toJson(question: string, report: TurnReport): Record<string, unknown> {
  const { message } = report;
  return {
    ok: report.outcome === "completed",
    question,
    answer: message.content,
    reasoning: message.reasoning,
    outcome: report.outcome,
    note: report.note,
    asksBack: report.question,
    conversationId: message.conversationId,
    messageId: message.id,
    model: message.modelName,
    generatedTokens: message.generatedTokens,
    tokensPerSecond: message.tokensPerSecond,
    usage: report.usage,
    tools: report.tools,
    found: report.found,
    durationMs: report.durationMs,
  };
}

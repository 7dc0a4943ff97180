import type { RecalledPassage } from "../../contract/index.ts";
import { CredenceError } from "../../contract/index.ts";
import { type Command, EXIT } from "../command.ts";

/** How long a command waits for the vectors of what it stored before it leaves them to the next start. */
const embeddingPatienceMs = 60_000;

const remember: Command = {
  name: "remember",
  usage: "TEXT",
  summary: "Stores a text in memory, word for word; with --lines, every input on its own.",
  options: { "no-wait": { type: "boolean" } },
  async run(context) {
    const app = await context.app();
    let failed = false;
    if (context.lines) {
      for await (const text of context.inputs()) {
        try {
          await context.print(JSON.stringify(await app.call("memory.remember", { text })));
        } catch (thrown) {
          if (!(thrown instanceof CredenceError)) throw thrown;
          failed = true;
          await context.print(JSON.stringify({ error: thrown.toData() }));
        }
      }
    } else {
      const { ids } = await app.call("memory.remember", { text: await context.text() });
      if (context.json) await context.print(JSON.stringify({ ids }));
      else
        await context.print(
          ids.length > 0 ? `Remembered: ${ids.join(", ")}` : "There are no words to remember in that.",
        );
    }
    const started = Date.now();
    while (!context.options["no-wait"] && !context.signal.aborted && Date.now() - started < embeddingPatienceMs) {
      const { waiting, meaning } = await app.call("memory.counts", {});
      if (waiting === 0 || (!meaning && Date.now() - started > 10_000)) break;
      await new Promise<void>((resolve) => setTimeout(resolve, 100));
    }
    return failed ? EXIT.partly : EXIT.done;
  },
};

const recall: Command = {
  name: "recall",
  usage: "TEXT [--limit N] [--kind message|document|feed|memory]",
  summary: "Finds what was said and read that belongs to a question, with scores, reasons and sources.",
  options: { limit: { type: "string" }, kind: { type: "string", multiple: true } },
  async run(context) {
    const limit = context.options["limit"] === undefined ? 10 : Number(context.options["limit"]);
    if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
      throw new CredenceError("general.invalid-request", {
        method: "recall",
        problem: "--limit is a whole number from 1 to 200",
      });
    }
    const kinds = context.options["kind"] as ("message" | "document" | "feed" | "memory")[] | undefined;
    const app = await context.app();
    const find = (query: string) => app.call("memory.recall", { query, limit, ...(kinds ? { kinds } : {}) });
    if (context.lines) {
      let failed = false;
      for await (const query of context.inputs()) {
        try {
          await context.print(JSON.stringify({ query, ...(await find(query)) }));
        } catch (thrown) {
          if (!(thrown instanceof CredenceError)) throw thrown;
          failed = true;
          await context.print(JSON.stringify({ query, error: thrown.toData() }));
        }
      }
      return failed ? EXIT.partly : EXIT.done;
    }
    const query = await context.text();
    const answer = await find(query);
    if (context.json) {
      await context.print(JSON.stringify({ query, ...answer }));
      return EXIT.done;
    }
    // JSON has everything that was ranked; a person wants what belongs to the question.
    const fitting = answer.passages.filter((passage) => passage.why !== "close in meaning");
    if (fitting.length === 0) context.remark("Nothing in memory belongs to that.");
    for (const [i, passage] of fitting.entries()) await context.print(line(i + 1, passage));
    if (!answer.meaning) context.remark("Found by words alone: no embedding model answers now.");
    return EXIT.done;
  },
};

export const memoryCommands: readonly Command[] = [remember, recall];

function line(number: number, passage: RecalledPassage): string {
  const source = [passage.speaker, passage.title !== passage.speaker ? passage.title : "", passage.place]
    .filter(Boolean)
    .join(" · ");
  const text = passage.mark ? passage.text.slice(...passage.mark) : passage.text;
  return `${number}. ${text.replace(/\s+/g, " ").slice(0, 400)}\n   ${source ? `${source} · ` : ""}${passage.why} · ${passage.score.toFixed(2)} · ${passage.id}`;
}

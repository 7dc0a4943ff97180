import { asCredenceError } from "../../contract/index.ts";
import { type Command, EXIT } from "../command.ts";

export const route: Command = {
  name: "route",
  usage: "TEXT [--json] | --lines",
  summary: "Says where the answer to a message lies: answer, memory, library, feeds, beliefs or the web.",
  async run(context) {
    const app = await context.app();
    if (!context.lines) {
      const found = await app.call("tools.route", { text: await context.text() });
      await context.print(
        context.json
          ? JSON.stringify(found)
          : `${found.action}  (${Math.round(found.confidence * 100)} %, ${found.proposer}: ${found.reason})`,
      );
      return EXIT.done;
    }
    let failed = 0;
    for await (const text of context.inputs()) {
      if (context.signal.aborted) return EXIT.stopped;
      try {
        await context.print(JSON.stringify(await app.call("tools.route", { text: messageOf(text) })));
      } catch (thrown) {
        failed++;
        await context.print(JSON.stringify({ ok: false, error: asCredenceError(thrown).toData() }));
      }
    }
    return failed > 0 ? EXIT.partly : EXIT.done;
  },
};

/** A line may be a JSON string or an object with `text`, so that messages of several lines fit on one. */
function messageOf(line: string): string {
  if (!/^\s*["{]/.test(line)) return line;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "string") return value;
    if (typeof value === "object" && value !== null && "text" in value && typeof value.text === "string")
      return value.text;
  } catch {
    // A message that merely begins with a bracket or a quotation mark.
  }
  return line;
}

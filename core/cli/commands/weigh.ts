import { asCredenceError, CredenceError, type EvidenceVerdict } from "../../contract/index.ts";
import { type Command, EXIT } from "../command.ts";

export const weigh: Command = {
  name: "weigh",
  usage: "TEXT [--json] | --lines",
  summary: "Weighs a text as evidence: its kind of reasoning, its strength, and whether it may move a belief.",
  async run(context) {
    const app = await context.app();
    if (!context.lines) {
      const text = await context.text();
      if (!text) {
        throw new CredenceError("general.invalid-request", {
          method: "weigh",
          problem: "there is no text; write it after the command or on standard input",
        });
      }
      const verdict = await app.call("beliefs.weigh", { text });
      await context.print(context.json ? JSON.stringify(verdict) : inWords(verdict));
      return EXIT.done;
    }
    let failed = 0;
    for await (const line of context.inputs()) {
      if (context.signal.aborted) return EXIT.stopped;
      try {
        await context.print(JSON.stringify(await app.call("beliefs.weigh", { text: textOf(line) })));
      } catch (thrown) {
        failed++;
        await context.print(JSON.stringify({ ok: false, error: asCredenceError(thrown).toData() }));
      }
    }
    return failed > 0 ? EXIT.partly : EXIT.done;
  },
};

function inWords(verdict: EvidenceVerdict): string {
  const signals = Object.entries(verdict.signals)
    .map(([name, value]) => `${name} ${value.toFixed(2)}`)
    .join(", ");
  return [
    `${verdict.reasoningType}, strength ${verdict.strength.toFixed(2)}: ${verdict.allowed ? "may move a belief" : "moves nothing"}`,
    `Signals: ${signals}`,
    ...verdict.reasons,
    `Topics: ${verdict.topics.join(", ") || "none"}`,
    `Weighed by: ${verdict.scorer}`,
  ].join("\n");
}

/** A line may be a JSON string or an object with `text`, so that a text of several lines fits on one. */
function textOf(line: string): string {
  if (!/^\s*["{]/.test(line)) return line;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "string") return value;
    if (typeof value === "object" && value !== null && "text" in value && typeof value.text === "string") {
      return value.text;
    }
  } catch {
    // A text that merely begins with a quotation mark or a bracket.
  }
  return line;
}

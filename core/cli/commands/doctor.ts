import { statfsSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import type { App } from "../../app.ts";
import { asCredenceError } from "../../contract/index.ts";
import { listBackups } from "../../storage/index.ts";
import { type Command, type CommandContext, EXIT } from "../command.ts";

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do when it is not well. */
  readonly advice: string | null;
}

export const doctor: Command = {
  name: "doctor",
  usage: "",
  summary: "Checks this machine, the profile and the models, and says what to do about what is wrong.",
  async run(context) {
    const checks = [...(await profileChecks(context)), diskCheck(context.dataDir), memoryCheck()];
    const ok = checks.every((check) => check.ok);
    if (context.json) await context.print(JSON.stringify({ ok, checks }));
    else {
      for (const check of checks) {
        await context.print(`${check.ok ? "ok  " : "BAD "} ${check.name}: ${check.found}`);
        if (check.advice) await context.print(`     ${check.advice}`);
      }
    }
    return ok ? EXIT.done : EXIT.failed;
  },
};

async function profileChecks(context: CommandContext): Promise<Check[]> {
  let app: App;
  try {
    app = await context.app();
  } catch (thrown) {
    const error = asCredenceError(thrown);
    return [{ name: "Profile", ok: false, found: context.dataDir, advice: error.message }];
  }
  const info = await app.call("app.info", {});
  const backups = listBackups(context.dataDir);
  return [
    {
      name: "Profile",
      ok: info.readOnly === null,
      found: `${info.dataDir}${info.readOnly ? " (read-only)" : ""}, ${backups.length} ${backups.length === 1 ? "copy" : "copies"}`,
      advice: info.readOnly
        ? `Opened read-only: ${info.readOnly.reason}. ${info.readOnly.backup ? `The newest copy is ${info.readOnly.backup.path}.` : "There is no copy to restore."}`
        : null,
    },
    { name: "Runtime", ok: true, found: `Credence ${info.version}, ${info.runtime}, ${info.platform}`, advice: null },
    {
      name: "Network",
      ok: true,
      found: info.requestsEver === 0 ? "no request was ever made" : `${info.requestsEver} requests are in the ledger`,
      advice: null,
    },
    ...(await modelChecks(app)),
  ];
}

async function modelChecks(app: App): Promise<Check[]> {
  const { models, machine } = await app.call("models.list", {});
  const chat = models.filter((model) => model.role === "chat");
  const embed = models.filter((model) => model.role === "embed");
  const active = chat.find((model) => model.active) ?? chat[0];
  return [
    {
      name: "Chat model",
      ok: active !== undefined && active.problem === null && active.fits !== "no",
      found: active ? `${active.name}, window ${active.window} tokens` : "none",
      advice: active
        ? active.problem
        : "Fetch the starter (credence models fetch) or import a GGUF (credence models import FILE).",
    },
    {
      name: "Search model",
      ok: embed.length > 0,
      found: embed[0]?.name ?? "none: search goes by words only",
      advice: embed.length > 0 ? null : "Fetch it: credence models fetch",
    },
    {
      name: "Processor",
      ok: true,
      found: `${machine.physicalCores} physical cores, ${machine.gpu ? `GPU ${machine.gpu}` : "no GPU used"}; models up to about ${machine.suggestedBillions} billion parameters at 4 bits`,
      advice: null,
    },
  ];
}

function diskCheck(folder: string): Check {
  try {
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const ok = free > 500e6;
    return {
      name: "Disk",
      ok,
      found: `${gigabytes(free)} free`,
      advice: ok ? null : "Free some space: Credence needs at least 0.5 GB to work well.",
    };
  } catch {
    return {
      name: "Disk",
      ok: false,
      found: `${folder} cannot be read`,
      advice: "Check that the folder exists and is yours.",
    };
  }
}

function memoryCheck(): Check {
  const ok = totalmem() > 3.5e9;
  return {
    name: "Memory",
    ok,
    found: `${gigabytes(freemem())} free of ${gigabytes(totalmem())}`,
    advice: ok ? null : "Only the starter model will run well with less than 4 GB.",
  };
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

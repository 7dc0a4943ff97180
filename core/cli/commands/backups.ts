import { CredenceError } from "../../contract/index.ts";
import { type Command, EXIT } from "../command.ts";

const backup: Command = {
  name: "backup",
  usage: "",
  summary: "Copies everything that Credence keeps into the profile's backups folder.",
  async run(context) {
    const app = await context.app();
    const made = await app.call("backups.create", {});
    await context.print(context.json || context.lines ? JSON.stringify(made) : made.path);
    return EXIT.done;
  },
};

const list: Command = {
  name: "backups",
  usage: "",
  summary: "Lists backups, newest first.",
  async run(context) {
    const app = await context.app();
    const found = await app.call("backups.list", {});
    if (context.json) await context.print(JSON.stringify(found));
    else if (context.lines) for (const one of found) await context.print(JSON.stringify(one));
    else if (found.length === 0) context.remark("No backups yet. Make one: credence backup");
    else {
      for (const one of found) {
        await context.print(
          `${new Date(one.createdAt).toISOString()}  ${(one.bytes / 1e6).toFixed(1)} MB  ${one.path}`,
        );
      }
    }
    return EXIT.done;
  },
};

const restore: Command = {
  name: "restore",
  usage: "FILE",
  summary: "Puts a backup in place at the next start of the app; what is there then is kept beside the backups.",
  async run(context) {
    const [path] = context.args;
    if (!path) {
      throw new CredenceError("general.invalid-request", {
        method: "restore",
        problem: "name the backup; see credence backups",
      });
    }
    const app = await context.app();
    await app.call("backups.restore", { path });
    if (context.json || context.lines) await context.print(JSON.stringify({ path, at: "next start" }));
    else context.remark("The backup is checked and takes its place when Credence starts the next time.");
    return EXIT.done;
  },
};

export const backupCommands: readonly Command[] = [backup, list, restore];

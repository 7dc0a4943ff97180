/** Copies a model file into Credence's own folder, whole or not at all. */
import { copyFile, mkdir, rename, rm, stat, statfs } from "node:fs/promises";
import { basename, join } from "node:path";
import { CredenceError } from "../contract/index.ts";

const progressEveryMs = 150;

/** Returns the copy's path. Throws `models.disk-full` or `models.folder-not-writable`; nothing is left behind then. */
export async function copyModel(
  path: string,
  bytes: number,
  folder: string,
  onFraction: (fraction: number) => void,
): Promise<string> {
  let partial = "";
  try {
    await mkdir(folder, { recursive: true });
    const space = await statfs(folder).catch(() => null);
    if (space && space.bavail * space.bsize < bytes)
      throw new CredenceError("models.disk-full", { folder, neededBytes: bytes });
    const target = await freeName(folder, basename(path));
    partial = `${target}.partial`;
    const timer = setInterval(() => {
      void stat(partial).then(
        ({ size }) => onFraction(Math.min(0.99, size / bytes)),
        () => {},
      );
    }, progressEveryMs);
    try {
      await copyFile(path, partial);
      await rename(partial, target);
    } finally {
      clearInterval(timer);
    }
    return target;
  } catch (error) {
    if (partial) await rm(partial, { force: true });
    if (error instanceof CredenceError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOSPC")
      throw new CredenceError("models.disk-full", { folder, neededBytes: bytes }, { cause: error });
    throw new CredenceError("models.folder-not-writable", { folder, detail: code ?? String(error) }, { cause: error });
  }
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function freeName(folder: string, name: string): Promise<string> {
  for (let i = 1; ; i++) {
    const target = join(folder, i === 1 ? name : name.replace(/(\.gguf)?$/i, `-${i}$1`));
    if (!(await exists(target))) return target;
  }
}

import { z } from "zod";
import { defineMethods } from "./define.ts";

export const BackupInfo = z.object({ path: z.string(), createdAt: z.number(), bytes: z.number() });
export type BackupInfo = z.infer<typeof BackupInfo>;

/** Everything that Credence keeps is one file: a backup is a copy of it, made while it is in use. */
export const backupMethods = defineMethods({
  "backups.create": { params: z.object({}), result: BackupInfo },
  /** Newest first. */
  "backups.list": { params: z.object({}), result: z.array(BackupInfo) },
  /** Checked at once, in place at the next start; what was there then is kept beside the backups. */
  "backups.restore": { params: z.object({ path: z.string().min(1) }), result: z.null() },
});

import { defineErrors } from "./define.ts";

/** Errors of the data folder and the database. */
export const storageErrors = defineErrors({
  "storage.newer-version": {
    say: (f: { file: string; found: number; known: number }) =>
      `${f.file} was written by a newer Credence (schema ${f.found}; this one knows ${f.known}). Nothing was changed. Install the newer version, or start with another data folder.`,
    retry: "never",
  },
  "storage.folder-not-writable": {
    say: (f: { folder: string }) =>
      `Credence cannot write to ${f.folder}. Give yourself write permission for it, or start with another folder: credence --data-dir FOLDER.`,
    retry: "later",
  },
  "storage.disk-full": {
    say: (f: { folder: string }) =>
      `The disk that holds ${f.folder} is full. What was stored before is safe. Free some space and try again.`,
    retry: "later",
  },
  "storage.read-only": {
    say: (f: { reason: string }) =>
      `Credence opened your data read-only, to protect it: ${f.reason}. Everything can be read and exported; nothing can be changed.`,
    retry: "never",
  },
  "storage.damaged": {
    say: (f: { file: string; backup: string | null }) =>
      `${f.file} is damaged and cannot be read. ${f.backup ? `Restore the copy at ${f.backup}.` : "There is no copy to restore; start with another data folder and keep this file for repair."}`,
    retry: "never",
  },
  "storage.not-a-backup": {
    say: (f: { file: string }) =>
      `${f.file} is not a whole backup of Credence. Nothing was changed. Choose a file from the backups folder.`,
    retry: "never",
  },
  "storage.busy": {
    say: (f: { folder: string }) =>
      `Another program is writing to ${f.folder}. Nothing was changed. Close the other Credence and try again.`,
    retry: "later",
  },
  "storage.profile-in-use": {
    say: (f: { folder: string; pid: number }) =>
      `Another Credence (process ${f.pid}) is using ${f.folder}. Use that one, quit it, or start with another folder: credence --data-dir FOLDER.`,
    retry: "later",
  },
  "storage.upgrade-failed": {
    say: (f: { file: string; step: string }) =>
      `${f.file} could not be brought to this version (step "${f.step}"). It is as it was, and a copy lies in the backups folder beside it. Go on with the version you had, and report this.`,
    retry: "never",
  },
});

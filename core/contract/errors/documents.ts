import { defineErrors } from "./define.ts";

const megabytes = (bytes: number) => `${Math.max(1, Math.round(bytes / 1024 / 1024)).toLocaleString("en")} MB`;

/** Errors of reading files: what is wrong with the file, and what the user can do about it. */
export const documentsErrors = defineErrors({
  "documents.password-needed": {
    say: (_: Record<string, never>) => "This file is locked. Give its password to read it; the password is not kept.",
    retry: "later",
  },
  "documents.password-wrong": {
    say: (_: Record<string, never>) => "That password does not open this file. Check it and try again.",
    retry: "later",
  },
  "documents.encrypted": {
    say: (f: { format: string }) =>
      `This ${f.format} file is encrypted in a way that Credence cannot open. Save a copy without protection and add that.`,
    retry: "never",
  },
  "documents.damaged": {
    say: (f: { format: string }) =>
      `This ${f.format} file is damaged and nothing could be read from it. If you have another copy, add that one.`,
    retry: "never",
  },
  "documents.empty": {
    say: (_: Record<string, never>) => "This file is empty: it holds no bytes.",
    retry: "never",
  },
  "documents.unsupported": {
    say: (f: { found: string }) =>
      `Credence cannot read ${f.found}. It reads most documents, sheets, slides, web pages, mail, plain text and zip archives of these.`,
    retry: "never",
  },
  "documents.old-office": {
    say: (f: { found: string; saveAs: string }) =>
      `This is ${f.found}, which Credence does not read. Open it in your office program, save it as ${f.saveAs} and add that.`,
    retry: "never",
  },
  "documents.too-large": {
    say: (f: { bytes: number; limit: number }) =>
      `This file has ${megabytes(f.bytes)}; Credence reads files up to ${megabytes(f.limit)}. Split it and add the parts.`,
    retry: "never",
  },
  "documents.bomb": {
    say: (f: { detail: string }) =>
      `This archive would unpack to far more than it seems to hold (${f.detail}). It was not opened, to protect your machine.`,
    retry: "never",
  },
  "documents.time-limit": {
    say: (f: { seconds: number }) =>
      `Reading this file took longer than ${f.seconds} seconds and was stopped. Nothing else is affected.`,
    retry: "later",
  },
  "documents.memory-limit": {
    say: (f: { megabytes: number }) =>
      `Reading this file needed more than ${f.megabytes.toLocaleString("en")} MB of memory and was stopped. Split it and add the parts.`,
    retry: "later",
  },
  "documents.reader-stopped": {
    say: (f: { times: number }) =>
      `This file stopped the reader${f.times > 1 ? ` ${f.times} times` : ""}. Nothing else is affected; the other files go on.`,
    retry: "now",
  },
  "documents.quarantined": {
    say: (f: { times: number }) =>
      `This file stopped the reader ${f.times === 3 ? "three" : f.times} times and was set aside. Retry it if you trust it.`,
    retry: "later",
  },
  "documents.not-readable": {
    say: (f: { path: string; reason: "missing" | "forbidden" | "folder" | "not-a-file" | "other" }) =>
      f.reason === "missing"
        ? `There is no file at ${f.path}. It may have been moved or deleted.`
        : f.reason === "forbidden"
          ? `Credence may not read ${f.path}. Give yourself read permission for it and retry.`
          : f.reason === "folder"
            ? `${f.path} is a folder. Add it to the library with all its files, or name a file in it.`
            : f.reason === "not-a-file"
              ? `${f.path} is not a regular file, so there is nothing to read.`
              : `${f.path} could not be read from the disk. Check the disk and retry.`,
    retry: "later",
  },
  "documents.not-in-library": {
    say: (f: { id: string }) => `There is no document ${f.id} in the library. It may have been removed.`,
    retry: "never",
  },
  "documents.no-collection": {
    say: (f: { id: string }) => `There is no collection ${f.id}. It may have been deleted.`,
    retry: "never",
  },
  "documents.no-pages": {
    say: (f: { name: string }) => `${f.name} has no pages to show as they were made; read its text instead.`,
    retry: "never",
  },
  "documents.ocr-not-installed": {
    say: (f: { language: string }) =>
      `Text recognition for ${f.language} is not installed. Put the file ${f.language}.traineddata into the folder ocr of your data folder and try again.`,
    retry: "later",
  },
});

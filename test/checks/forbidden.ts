import { importsOf, isCode, lineAt, type Problem, projectRoot, type SourceFile, withoutComments } from "./source.ts";

const sockets: ReadonlySet<string> = new Set(
  ["http", "https", "http2", "net", "tls", "dgram", "dns", "dns/promises", "inspector"]
    .flatMap((name) => [name, `node:${name}`])
    .concat("undici", "ws"),
);

/** Calls of globals that open a connection. A method named `fetch` on some object is not one. */
const socketGlobals =
  /(?:(?<=await |return |=> |[=(,] ?|globalThis\.)fetch|new (?:WebSocket|EventSource|XMLHttpRequest))\(/g;

/** A file that takes a `fetch` of its own from a port or a module means that one. */
const localFetch = /[{,]\s*fetch\s*[,}][^;]*?(?:=|\bfrom\b)|\bfetch\s*:\s*\w|\b(?:const|let|function)\s+fetch\b/;

/** What only certain places may import or call. */
export function checkImports(files: readonly SourceFile[]): Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    if (!isCode(file.path)) continue;
    const add = (line: number, rule: string, remedy: string) => problems.push({ file: file.path, line, rule, remedy });
    const top = file.path.split("/")[0]!;
    for (const { specifier, names, line } of importsOf(file)) {
      if (specifier === "electron" && top !== "electron" && !file.path.startsWith("test/desktop/")) {
        add(
          line,
          "imports electron outside electron/",
          "Take a port (such as ChildHost) and let the shell implement it.",
        );
      }
      if (/\bipcMain\b/.test(names) && file.path !== "electron/ipc.ts") {
        add(line, "uses ipcMain", "Add a method to core/contract; electron/ipc.ts checks and answers every call.");
      }
      if (/\bipcRenderer\b/.test(names) && file.path !== "electron/preload.ts") {
        add(line, "uses ipcRenderer", "Call window.credence.");
      }
      if (sockets.has(specifier) && top !== "test" && !file.path.startsWith("core/egress/")) {
        add(
          line,
          `imports ${specifier}, which can open a socket`,
          "Send the request through core/egress, with its purpose.",
        );
      }
      if (top === "renderer" && (specifier.startsWith("node:") || sockets.has(specifier))) {
        add(
          line,
          `imports ${specifier}, which the sandboxed window does not have`,
          "Call a method through window.credence.",
        );
      }
    }
    if (top === "test" || file.path.startsWith("core/egress/")) continue;
    const text = withoutComments(file.text);
    const ownFetch = localFetch.test(text);
    for (const match of text.matchAll(socketGlobals)) {
      if (ownFetch && match[0] === "fetch(") continue;
      add(
        lineAt(text, match.index + 1),
        `calls ${match[0].slice(0, -1)}`,
        "Send the request through core/egress, with its purpose.",
      );
    }
  }
  return problems;
}

/** Assembled, so that this file does not hold what it looks for. */
const hosts = [
  "registry.npm" + "js.org",
  "registry.yarn" + "pkg.com",
  "files.python" + "hosted.org",
  "py" + "pi.org",
  "npm" + "mirror.com",
];

const words: readonly (readonly [pattern: RegExp, rule: string, remedy: string])[] = [
  [
    /(?:\/\/|\*|#|<!--)\s*(?:TODO|FIXME|XXX)\b/g,
    "leaves work for later in a comment",
    "Do it, or say what is so in the present tense.",
  ],
  [/\bnot implemented\b/gi, "has a part that does nothing", "Build it or take it out."],
  [/@ts-(?:ignore|nocheck)\b/g, "silences the type checker", "Give the value its type."],
];

const skipped = /\b(?:test|it|describe|suite)\.(?:skip|only|todo|fixme)\b\(/g;

/** What no tracked file may hold. */
export function checkTexts(files: readonly SourceFile[], root: string = projectRoot): Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    const add = (index: number, rule: string, remedy: string) =>
      problems.push({ file: file.path, line: lineAt(file.text, index + 1), rule, remedy });
    for (const host of hosts) {
      const index = file.text.indexOf(host);
      if (index >= 0)
        add(index, `names the package host ${host}`, "Go through the package client, which knows its own.");
    }
    const absolute = file.text.indexOf(`${root}/`);
    if (absolute >= 0)
      add(absolute, "holds a path of the machine it was written on", "Build the path from the file's own place.");
    if (!isCode(file.path) || file.path.startsWith("test/checks/") || file.path.startsWith("test/unit/checks/"))
      continue;
    for (const [pattern, rule, remedy] of words) {
      for (const match of file.text.matchAll(pattern)) add(match.index, rule, remedy);
    }
    if (!file.path.startsWith("test/")) continue;
    for (const match of file.text.matchAll(skipped)) {
      add(
        match.index,
        `leaves tests out (${match[0].slice(0, -1)})`,
        "Repair the test, or delete it with the reason in the commit.",
      );
    }
  }
  return problems;
}

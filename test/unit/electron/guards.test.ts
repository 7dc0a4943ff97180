import { join } from "node:path";
import { expect, test, vi } from "vitest";

// These modules hold pure decisions beside calls into Electron; only the decisions run here.
vi.mock("electron", () => ({
  app: {},
  shell: {},
  protocol: {},
  ipcMain: {},
  clipboard: {},
  dialog: {},
  nativeTheme: {},
  BrowserWindow: {},
}));
const { fileFor } = await import("../../../electron/protocol.ts");
const { checkLink, contentPolicy } = await import("../../../electron/security.ts");
const { isTrustedSender } = await import("../../../electron/ipc.ts");
const { isLocalPath, safeFileName } = await import("../../../electron/shell-methods.ts");

const folder = join("/", "app", "renderer");

test("the app's addresses name files of its folder only", () => {
  expect(fileFor("credence://app/", folder)).toBe(join(folder, "index.html"));
  expect(fileFor("credence://app/assets/a%20b.js?x#y", folder)).toBe(join(folder, "assets", "a b.js"));
  for (const address of [
    "credence://app/..%2f..%2fetc%2fpasswd.json",
    "credence://app/%2e%2e/%2e%2e/main.js",
    "credence://app/..%5c..%5cmain.js%00.html",
    "credence://other/index.html",
    "https://app/index.html",
    "credence://app/assets/%E0%A4%A",
    "credence://app/assets",
    "not an address",
  ]) {
    const file = fileFor(address, folder);
    expect(file === null || file.startsWith(join(folder, "/"))).toBe(true);
  }
  expect(fileFor("credence://app/..%2fmain.js", folder)).toBeNull();
  expect(fileFor("credence://app/data.db", folder)).toBeNull();
});

test("only whole https addresses without credentials leave", () => {
  expect(checkLink("https://Example.org/a b")).toBe("https://example.org/a%20b");
  for (const address of [
    "http://example.org",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "smb://host/x",
    "ms-msdt:/id",
    "//example.org",
    "",
    "https://user:pw@example.org/",
    "https://user@example.org",
  ]) {
    expect(() => checkLink(address)).toThrowError(/did not open/);
  }
});

test("only the top frame of our own page may call", () => {
  const sender = (url: string, parent: object | null = null) =>
    isTrustedSender({ senderFrame: { url, parent } } as never);
  expect(sender("credence://app/")).toBe(true);
  expect(sender("credence://app/#/beliefs")).toBe(true);
  expect(sender("credence://app/", {})).toBe(false);
  for (const url of [
    "https://app/",
    "credence://apple/",
    "credence://app.evil/",
    "file:///x",
    "about:blank",
    "",
    "data:text/html,x",
  ]) {
    expect(sender(url)).toBe(false);
  }
  expect(isTrustedSender({ senderFrame: null } as never)).toBe(false);
});

test("the page policy lets nothing out and runs nothing inline", () => {
  expect(contentPolicy).toContain("default-src 'none'");
  expect(contentPolicy).toContain("connect-src 'none'");
  expect(contentPolicy).not.toMatch(/unsafe|https?:|\*/);
});

test("a title becomes a file name on every system", () => {
  expect(safeFileName("../../etc/passwd")).toBe("-..-etc-passwd");
  expect(safeFileName('a/b:c*"<>|?.md')).toBe("a-b-c------.md");
  expect(safeFileName("...")).toBe("Credence export.txt");
  expect(safeFileName("Nächte über Köln.md")).toBe("Nächte über Köln.md");
});

test("only paths on this machine are shown in the file manager", () => {
  expect(isLocalPath("/home/ada/Papers/a b.pdf")).toBe(true);
  for (const path of ["\\\\server\\share\\x", "//server/share/x", "relative/x", "", "/a\0b"])
    expect(isLocalPath(path)).toBe(false);
});

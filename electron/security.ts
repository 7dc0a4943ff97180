import { app, type Session, shell, type WebContents } from "electron";
import { CredenceError } from "../core/contract/index.ts";

/**
 * The page loads its own files and nothing else, and talks to nobody but the preload. Styles set by script (React's
 * `style`) go through the CSSOM, which this allows; style text in HTML is refused, as are inline scripts and `eval`.
 */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "worker-src 'self'",
  "connect-src 'none'",
  "object-src 'none'",
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function pageHeaders(contentType: string): Record<string, string> {
  return {
    "Content-Type": contentType,
    "Content-Security-Policy": contentPolicy,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
}

/** Chromium's own reasons to use the network, off before it starts. Credence's requests go through the core's egress. */
export function silenceChromium(): void {
  for (const name of [
    "disable-background-networking",
    "disable-component-update",
    "disable-domain-reliability",
    "no-pings",
  ]) {
    app.commandLine.appendSwitch(name);
  }
  // Whatever else might try: no name resolves inside Chromium. Node's own resolver, which egress uses, is not affected.
  app.commandLine.appendSwitch("host-resolver-rules", "MAP * ~NOTFOUND");
}

/** The one permission a page of ours gets: putting text on the clipboard, after a click, by the copy buttons. */
const granted: ReadonlySet<string> = new Set(["clipboard-sanitized-write"]);

export function guardSession(session: Session, isOurs: (url: string) => boolean): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(granted.has(permission) && isOurs(details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => granted.has(permission) && isOurs(`${origin}/`));
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.on("will-download", (event) => event.preventDefault());
  session.webRequest.onBeforeRequest((details, answer) => {
    const inner = details.url.startsWith("blob:") ? details.url.slice("blob:".length) : details.url;
    answer({ cancel: !(isOurs(inner) || details.url.startsWith("data:") || details.url.startsWith("devtools:")) });
  });
}

/** How long after a click or key press an address may leave for the browser. */
const clickMs = 2000;

/** When the user last clicked or pressed a key in each window's page: script alone opens nothing. */
const lastInput = new WeakMap<WebContents, number>();

/** An https: address that may leave the app, in its parsed form. Throws `shell.link-refused`. */
export function checkLink(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch (cause) {
    throw new CredenceError("shell.link-refused", { url: address, why: "it is not an address" }, { cause });
  }
  if (url.protocol !== "https:") {
    throw new CredenceError("shell.link-refused", { url: address, why: "only https: addresses open in the browser" });
  }
  if (url.username || url.password) {
    throw new CredenceError("shell.link-refused", { url: address, why: "it carries a name or password" });
  }
  return url.href;
}

/** Opens an https: address in the system's browser, if the user clicked or pressed a key in that window just now. */
export async function openLink(contents: WebContents, address: string): Promise<void> {
  const href = checkLink(address);
  if (performance.now() - (lastInput.get(contents) ?? Number.NEGATIVE_INFINITY) > clickMs) {
    throw new CredenceError("shell.link-refused", { url: href, why: "nobody clicked it" });
  }
  await shell.openExternal(href);
}

/** Every page, present and future: stays where it is, opens nothing, embeds nothing. */
export function guardContents(): void {
  app.on("web-contents-created", (_event, contents) => {
    contents.on("input-event", (_input, input) => {
      if (
        input.type === "mouseUp" ||
        input.type === "mouseDown" ||
        input.type === "rawKeyDown" ||
        input.type === "keyDown"
      ) {
        lastInput.set(contents, performance.now());
      }
    });
    const stay = (event: { preventDefault(): void }) => event.preventDefault();
    contents.on("will-frame-navigate", (event) => {
      event.preventDefault();
      if (event.isMainFrame) leave(contents, event.url);
    });
    contents.on("will-redirect", stay);
    contents.on("will-attach-webview", stay);
    contents.setWindowOpenHandler(({ url }) => {
      leave(contents, url);
      return { action: "deny" };
    });
  });
}

/** A plain link in text the user clicked: to the browser when it may, else nowhere, silently. */
function leave(contents: WebContents, url: string): void {
  openLink(contents, url).catch(() => {});
}

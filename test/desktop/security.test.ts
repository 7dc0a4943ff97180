import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { cleanUp, launch, type RunningApp, temporaryFolder } from "./support/app.ts";

const { executable } = inject("desktop");
let app: RunningApp;

beforeAll(async () => {
  app = await launch({ executable, dataDir: temporaryFolder(), firstStartDone: true });
  await app.chat.field.waitFor();
  // Nothing reaches the system's browser from a test; what would have gone there is kept.
  await app.electron.evaluate(({ shell }) => {
    const opened: string[] = [];
    (globalThis as unknown as { opened: string[] }).opened = opened;
    shell.openExternal = async (url) => void opened.push(url);
  });
});
afterAll(cleanUp);

const opened = () => app.electron.evaluate(() => (globalThis as unknown as { opened: string[] }).opened.splice(0));
const settle = () => app.page.waitForTimeout(300);

test("the page has no Node, no ipcRenderer, and of Credence exactly the bridge", async () => {
  const seen = await app.page.evaluate(() => ({
    node: [
      typeof (globalThis as { require?: unknown }).require,
      typeof (globalThis as { process?: unknown }).process,
      typeof (globalThis as { Buffer?: unknown }).Buffer,
    ],
    bridge: Object.keys(window.credence).sort(),
    frozen: Reflect.set(window.credence, "call", null),
  }));
  expect(seen.node).toEqual(["undefined", "undefined", "undefined"]);
  expect(seen.bridge).toEqual(["call", "on", "pathForFile", "platform"]);
  expect(seen.frozen).toBe(false);
});

test("every web preference that guards the page is on", async () => {
  const preferences = await app.electron.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]!.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    const all = contents.getLastWebPreferences();
    return {
      sandbox: all["sandbox"],
      contextIsolation: all["contextIsolation"],
      nodeIntegration: all["nodeIntegration"],
      webSecurity: all["webSecurity"],
      webviewTag: all["webviewTag"],
    };
  });
  expect(preferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
});

test("a packaged app has no developer tools", async () => {
  const open = await app.electron.evaluate(({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    webContents.openDevTools();
    return webContents.isDevToolsOpened();
  });
  expect(open).toBe(false);
});

test("the page can open no connection of any kind", async () => {
  const outcome = await app.page.evaluate(async () => {
    const attempt = async (what: () => Promise<unknown> | unknown): Promise<string> => {
      try {
        return `worked: ${await what()}`;
      } catch (error) {
        return (error as Error).name;
      }
    };
    const load = (element: HTMLElement, url: string) =>
      new Promise((resolve, reject) => {
        element.onload = () => resolve("loaded");
        element.onerror = () => reject(new TypeError("blocked"));
        element.setAttribute(element instanceof HTMLLinkElement ? "href" : "src", url);
        document.head.append(element);
      });
    const style = document.createElement("link");
    style.rel = "stylesheet";
    return {
      fetch: await attempt(() => fetch("https://example.org/")),
      own: await attempt(() => fetch("credence://app/index.html")),
      beacon: String(navigator.sendBeacon("https://example.org/", "x")),
      socket: await attempt(
        () =>
          new Promise((resolve, reject) => {
            const socket = new WebSocket("wss://example.org/");
            socket.onopen = () => resolve("open");
            socket.onerror = () => reject(new TypeError("blocked"));
          }),
      ),
      image: await attempt(() => load(document.createElement("img"), "https://example.org/x.png")),
      script: await attempt(() => load(document.createElement("script"), "https://example.org/x.js")),
      style: await attempt(() => load(style, "https://example.org/x.css")),
      file: await attempt(() => load(document.createElement("img"), "file:///etc/hostname")),
    };
  });
  const { beacon, ...rest } = outcome;
  expect(Object.values(rest)).not.toContainEqual(expect.stringContaining("worked"));
  expect(["true", "false"]).toContain(beacon);
});

test("nothing inline runs: no script, no handler, no eval, no style text", async () => {
  const ran = await app.page.evaluate(async () => {
    const marks: string[] = [];
    (window as unknown as { mark: (name: string) => void }).mark = (name) => marks.push(name);
    const script = document.createElement("script");
    script.textContent = "mark('script')";
    document.head.append(script);
    const holder = document.createElement("div");
    holder.innerHTML =
      '<img src="data:," onerror="mark(\'handler\')"><a id="js" href="javascript:mark(\'link\')">x</a><style>body{outline:9px solid red}</style>';
    document.body.append(holder);
    (holder.querySelector("#js") as HTMLElement).click();
    // In a task of its own: what Playwright evaluates itself is exempt from the policy.
    setTimeout(() => {
      try {
        // biome-ignore lint/security/noGlobalEval: that it is refused is what is tested
        eval("mark('eval')");
      } catch {
        marks.push("eval refused");
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const outline = getComputedStyle(document.body).outlineWidth;
    holder.remove();
    return { marks, outline };
  });
  expect(ran.marks).toEqual(["eval refused"]);
  expect(ran.outline).not.toBe("9px");
});

test("frames of strangers stay empty, and cannot call", async () => {
  const answer = await app.page.evaluate(async () => {
    const frame = document.createElement("iframe");
    frame.src = "https://example.org/";
    document.body.append(frame);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const bridge = (() => {
      try {
        return typeof (frame.contentWindow as Window | null)?.credence;
      } catch {
        return "unreachable";
      }
    })();
    frame.remove();
    return bridge;
  });
  expect(["undefined", "unreachable"]).toContain(answer);
});

test("all permissions are denied, except putting text on the clipboard", async () => {
  const states = await app.page.evaluate(async () => {
    const names = [
      "geolocation",
      "notifications",
      "camera",
      "microphone",
      "clipboard-read",
      "midi",
      "persistent-storage",
    ];
    const result: Record<string, string> = {};
    for (const name of names) {
      result[name] = await navigator.permissions.query({ name: name as PermissionName }).then(
        (status) => status.state,
        () => "unknown",
      );
    }
    result["getUserMedia"] = await navigator.mediaDevices.getUserMedia({ audio: true }).then(
      () => "granted",
      (error) => error.name,
    );
    result["position"] = await new Promise((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve("granted"),
        () => resolve("denied"),
      ),
    );
    return result;
  });
  expect(Object.values(states)).not.toContain("granted");
  expect(states["position"]).toBe("denied");
});

test("only https addresses leave, and only right after a click", async () => {
  await app.page.waitForTimeout(2200);
  expect((await app.callError("shell.openExternal", { url: "https://example.org/" }))?.kind).toBe("shell.link-refused");
  await app.chat.field.click();
  for (const url of ["http://example.org/", "file:///etc/passwd", "javascript:alert(1)", "smb://x/y"]) {
    expect((await app.callError("shell.openExternal", { url }))?.kind).toBe("shell.link-refused");
  }
  expect(await opened()).toEqual([]);
  expect(await app.callError("shell.openExternal", { url: "https://example.org/a" })).toBeNull();
  expect(await opened()).toEqual(["https://example.org/a"]);
});

test("a link in text opens in the browser on a click, and the window stays", async () => {
  await app.page.evaluate(() => {
    const link = document.createElement("a");
    link.href = "https://example.org/clicked";
    link.target = "_blank";
    link.textContent = "out";
    link.id = "out";
    link.setAttribute("style", "");
    link.style.cssText = "position:fixed;z-index:99999;left:300px;top:300px;width:80px;height:40px;background:white";
    document.body.append(link);
  });
  await app.page.mouse.click(320, 310);
  await settle();
  expect(await opened()).toEqual(["https://example.org/clicked"]);
  expect(app.electron.windows()).toHaveLength(1);
  await app.page.evaluate(() => document.getElementById("out")?.remove());
});

test("a page that asks for another start gets none while the core lives", async () => {
  await app.call("app.retryStartup", {});
  expect(await app.call("app.startup", {})).toEqual({ state: "ready" });
  expect(Array.isArray(await app.call("conversations.list", {}))).toBe(true);
});

test("calls are checked: unknown methods, wrong parameters, prototype names", async () => {
  expect((await app.callError("nothing.here", {}))?.kind).toBe("general.unknown-method");
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    expect((await app.callError(name, {}))?.kind).toBe("general.unknown-method");
  }
  expect((await app.callError("settings.set", { theme: "pink" }))?.kind).toBe("general.invalid-request");
  expect((await app.callError("conversations.get", { id: "" }))?.kind).toBe("general.invalid-request");
  expect((await app.callError("conversations.get", { id: "c_none" }))?.kind).toBe("general.not-found");
  expect((await app.callError("conversations.get", null))?.kind).toBe("general.invalid-request");
});

test("the window stays where it is, whatever a page or a link tries", async () => {
  // An app of its own: Playwright keeps waiting for a navigation that was refused.
  const own = await launch({ executable, dataDir: temporaryFolder(), firstStartDone: true });
  for (const url of [
    "https://example.org/",
    "http://example.org/",
    "file:///etc/passwd",
    "credence://other/",
    "data:text/html,hello",
  ]) {
    await own.page.evaluate((target) => {
      location.href = target;
    }, url);
    await own.page.waitForTimeout(300);
    expect(own.page.url()).toMatch(/^credence:\/\/app\//);
  }
  expect(await own.page.evaluate(() => window.open("https://example.org/"))).toBeNull();
  expect(await own.page.evaluate(() => window.open("credence://app/"))).toBeNull();
  await own.page.waitForTimeout(300);
  expect(own.electron.windows()).toHaveLength(1);
});

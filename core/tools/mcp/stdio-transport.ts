/**
 * The stdio transport of MCP: one JSON message a line over a child process. Unlike the SDK's own it has caps: a line or a
 * flood above them ends the server instead of filling the memory.
 */
import type { ChildProcess } from "node:child_process";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import spawn from "cross-spawn";
import { CredenceError } from "../../contract/index.ts";

export interface StdioServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface StdioCaps {
  /** Bytes of one message. */
  readonly messageBytes: number;
  /** Bytes that may come between two messages of ours. */
  readonly floodBytes: number;
  /** Messages that may come between two of ours. */
  readonly floodMessages: number;
}

export const STDIO_CAPS: StdioCaps = { messageBytes: 16_000_000, floodBytes: 48_000_000, floodMessages: 5_000 };

/** What a child process gets of our environment: enough to run, nothing that is ours. */
const PASSED_ON = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TERM", "TMPDIR", "TEMP", "TMP"];
const PASSED_ON_WINDOWS = [
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "APPDATA",
  "LOCALAPPDATA",
  "USERPROFILE",
  "PATHEXT",
  "COMSPEC",
  "PROGRAMFILES",
];
/** Asked to end, then made to. */
const GRACE_MS = 1_000;
const STDERR_KEPT = 2_000;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: StdioServer;
  readonly #caps: StdioCaps;
  #child: ChildProcess | null = null;
  #parts: Buffer[] = [];
  #held = 0;
  #bytes = 0;
  #messages = 0;
  #stderr = "";
  #flooded = false;

  constructor(server: StdioServer, caps: StdioCaps = STDIO_CAPS) {
    this.#server = server;
    this.#caps = caps;
  }

  /** The last words on standard error, for a message to the user. */
  get lastWords(): string {
    return this.#stderr.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
  }

  get flooded(): boolean {
    return this.#flooded;
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { command, args, env } = this.#server;
      // Finds npx.cmd and the like on Windows, still without a shell.
      const child = spawn(command, [...args], {
        env: { ...inherited(), ...env },
        stdio: ["pipe", "pipe", "pipe"],
        shell: false,
        windowsHide: true,
      });
      this.#child = child;
      child.once("spawn", () => resolve());
      child.once("error", (error) => {
        reject(error);
        this.onerror?.(error);
      });
      child.once("close", () => {
        this.#child = null;
        this.onclose?.();
      });
      child.stdin?.on("error", () => {});
      child.stdout?.on("data", (chunk: Buffer) => this.#receive(chunk));
      child.stderr?.on("data", (chunk: Buffer) => {
        this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-STDERR_KEPT);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new CredenceError("mcp.gone", { name: this.#server.name }));
    this.#bytes = 0;
    this.#messages = 0;
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.stdin?.end();
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    await ended;
    clearTimeout(timer);
  }

  #receive(chunk: Buffer): void {
    if (this.#flooded) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#caps.floodBytes) {
      this.#flood();
      return;
    }
    let rest = chunk;
    for (;;) {
      const end = rest.indexOf(10);
      if (end < 0) break;
      this.#parts.push(rest.subarray(0, end));
      const line = Buffer.concat(this.#parts).toString("utf8");
      this.#parts = [];
      this.#held = 0;
      rest = rest.subarray(end + 1);
      if (++this.#messages > this.#caps.floodMessages) {
        this.#flood();
        return;
      }
      this.#deliver(line);
    }
    if (rest.length > 0) {
      this.#parts.push(rest);
      this.#held += rest.length;
      if (this.#held > this.#caps.messageBytes) this.#flood();
    }
  }

  #deliver(line: string): void {
    const text = line.trim();
    if (text === "") return;
    try {
      this.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(text)));
    } catch (error) {
      // Servers print greetings to standard output: noise is not fatal.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #flood(): void {
    this.#flooded = true;
    this.#parts = [];
    this.#held = 0;
    this.onerror?.(new CredenceError("mcp.flooded", { name: this.#server.name, limitBytes: this.#caps.messageBytes }));
    this.#child?.kill("SIGKILL");
  }
}

function inherited(): Record<string, string> {
  const names = process.platform === "win32" ? [...PASSED_ON, ...PASSED_ON_WINDOWS] : PASSED_ON;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && names.includes(name.toUpperCase())) env[name] = value;
  }
  return env;
}

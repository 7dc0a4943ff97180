import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { isCredenceError } from "../../../core/contract/index.ts";
import { createParser, extractFile, type Parser } from "../../../core/parsing/index.ts";
import { type ChildHost, type ChildPort, ManualClock, silentLog, systemClock } from "../../../core/platform/index.ts";
import { nodeChildHost } from "../../../core/platform/node-child-host.ts";
import { documentCases, endlessPdf } from "../../fixtures/documents/cases/index.ts";

const entry = join(import.meta.dirname, "../../../core/parsing/process/main.ts");
const open: { close(): void }[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const parser of open.splice(0)) parser.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function realParser(change: { timeMs?: number; memoryMb?: number; size?: number } = {}): Parser {
  const parser = createParser({
    host: nodeChildHost({ engine: entry, parser: entry }),
    clock: systemClock,
    log: silentLog,
    size: 1,
    ...change,
  });
  open.push(parser);
  return parser;
}

function file(name: string, bytes: Buffer | string): string {
  const folder = mkdtempSync(join(tmpdir(), "credence-parser-test-"));
  folders.push(folder);
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

const kindOf = (thrown: unknown) => (isCredenceError(thrown) ? thrown.kind : thrown);

/** A host whose processes do what the test says. */
class ScriptedHost implements ChildHost {
  readonly children: {
    port: ChildPort;
    posted: unknown[];
    say(message: unknown): void;
    exit(code: number | null, signal?: string | null): void;
    killed: boolean;
  }[] = [];
  spawn(): ChildPort {
    const messages: ((message: unknown) => void)[] = [];
    const exits: ((code: number | null, signal: string | null) => void)[] = [];
    const child = {
      posted: [] as unknown[],
      killed: false,
      say: (message: unknown) => {
        for (const tell of messages) tell(message);
      },
      exit: (code: number | null, signal: string | null = null) => {
        for (const tell of exits) tell(code, signal);
      },
      port: {
        pid: undefined,
        post: (message: unknown) => void child.posted.push(message),
        onMessage: (tell: (message: unknown) => void) => void messages.push(tell),
        onExit: (tell: (code: number | null, signal: string | null) => void) => void exits.push(tell),
        kill: () => {
          child.killed = true;
        },
      },
    };
    this.children.push(child);
    return child.port;
  }
}

function scriptedParser(size = 1) {
  const host = new ScriptedHost();
  const clock = new ManualClock();
  const parser = createParser({ host, clock, log: silentLog, size, timeMs: 10_000 });
  const job = (child: number) => (host.children[child]!.posted.at(-1) as { id: number }).id;
  return { host, clock, parser, job };
}

describe("the parser process", () => {
  it("reads a file, cuts it into passages and gives its hash", async () => {
    const fixture = documentCases.find((one) => one.file === "heads.pdf")!;
    const result = await extractFile(realParser(), { path: file("heads.pdf", fixture.bytes as Buffer) });
    expect(result.passages.map(({ place, page }) => [place, page])).toEqual([
      ["p. 1", 1],
      ["p. 2", 2],
      ["p. 3", 3],
      ["p. 4", 4],
    ]);
    for (const passage of result.passages) expect(result.text.slice(passage.start, passage.end).trim()).not.toBe("");
    expect(result.hash).toMatch(/^[0-9a-f]{64}$/);
    const again = await extractFile(realParser(), { bytes: fixture.bytes as Buffer, name: "other name.pdf" });
    expect(again.passages).toEqual(result.passages);
  });

  it("ends a file that would never end, and reads the next one", async () => {
    const parser = realParser({ timeMs: 1500, memoryMb: 1200 });
    const thrown: unknown = await extractFile(parser, { path: file("endless.pdf", endlessPdf()) }).catch(
      (error: unknown) => error,
    );
    expect(["documents.time-limit", "documents.memory-limit"]).toContain(kindOf(thrown));
    expect((await extractFile(parser, { bytes: Buffer.from("Still here."), name: "a.txt" })).text).toBe("Still here.");
  }, 60_000);

  it("ends a file that takes too much memory, and says how much was allowed", async () => {
    const parser = realParser({ memoryMb: 150 });
    const thrown: unknown = await extractFile(parser, { path: file("large.txt", "word ".repeat(30_000_000)) }).catch(
      (error: unknown) => error,
    );
    expect(kindOf(thrown)).toBe("documents.memory-limit");
    expect((thrown as Error).message).toContain("150 MB");
  }, 60_000);

  it("says what is wrong with a path before it reads a byte", async () => {
    const parser = realParser();
    const reasons = await Promise.all(
      [tmpdir(), join(tmpdir(), "not-there-at-all"), "/dev/null"].map((path) =>
        extractFile(parser, { path }).catch((error: unknown) =>
          isCredenceError(error, "documents.not-readable") ? error.facts.reason : error,
        ),
      ),
    );
    expect(reasons).toEqual(["folder", "missing", "not-a-file"]);
  });

  it("stops a job at once when it is cancelled", async () => {
    const parser = realParser();
    const stop = new AbortController();
    const reading = extractFile(parser, { path: file("endless.pdf", endlessPdf()) }, { signal: stop.signal });
    setTimeout(() => stop.abort(), 300);
    expect(kindOf(await reading.catch((error: unknown) => error))).toBe("general.cancelled");
    expect(parser.pending()).toBe(0);
  }, 30_000);
});

describe("the parser's client", () => {
  it("tries a job three times when its process dies, then sets it aside", async () => {
    const { host, parser } = scriptedParser();
    const restarts: number[] = [];
    const result = parser
      .run("file.hash", { path: "x" }, { onRestart: () => restarts.push(1) })
      .catch((error: unknown) => error);
    for (let i = 0; i < 3; i++) host.children[i]!.exit(null, "SIGSEGV");
    expect(kindOf(await result)).toBe("documents.quarantined");
    expect(restarts).toHaveLength(2);
    expect(host.children).toHaveLength(3);
  });

  it("goes on with the other files while one is set aside", async () => {
    const { host, parser, job } = scriptedParser();
    const bad = parser.run("file.hash", { path: "bad" }).catch((error: unknown) => error);
    const good = parser.run("file.hash", { path: "good" });
    for (let i = 0; i < 3; i++) host.children[i]!.exit(139);
    expect(kindOf(await bad)).toBe("documents.quarantined");
    host.children[3]!.say({ type: "done", id: job(3), result: { hash: "h", bytes: 1 }, rssMb: 50 });
    expect(await good).toEqual({ hash: "h", bytes: 1 });
  });

  it("ends a process that does not answer the soft stop", async () => {
    const { host, clock, parser } = scriptedParser();
    const result = parser.run("file.hash", { path: "x" }).catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(host.children[0]!.killed).toBe(false);
    await clock.advance(5_000);
    expect(host.children[0]!.killed).toBe(true);
    host.children[0]!.exit(null, "SIGKILL");
    expect(kindOf(await result)).toBe("documents.time-limit");
  });

  it("counts a full heap as memory, not as a crash", async () => {
    const { host, parser } = scriptedParser();
    const result = parser.run("file.hash", { path: "x" }).catch((error: unknown) => error);
    host.children[0]!.exit(134, "SIGABRT");
    expect(kindOf(await result)).toBe("documents.memory-limit");
  });

  it("gives each process one job and starts no more processes than it may", async () => {
    const { host, parser, job } = scriptedParser(2);
    const results = [1, 2, 3].map((n) => parser.run("file.hash", { path: String(n) }));
    expect(host.children).toHaveLength(2);
    for (const child of [0, 1]) host.children[child]!.say({ type: "done", id: job(child), result: child, rssMb: 10 });
    host.children[0]!.say({ type: "done", id: job(0), result: 2, rssMb: 10 });
    expect(await Promise.all(results)).toEqual([0, 1, 2]);
  });

  it("replaces a process that keeps too much memory", async () => {
    const { host, parser, job } = scriptedParser();
    const first = parser.run("file.hash", { path: "1" });
    host.children[0]!.say({ type: "done", id: job(0), result: 1, rssMb: 900 });
    await first;
    expect(host.children[0]!.killed).toBe(true);
    void parser.run("file.hash", { path: "2" });
    expect(host.children).toHaveLength(2);
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConversationId, TurnId } from "../../../../core/contract/index.ts";
import { createEgress, type Egress } from "../../../../core/egress/index.ts";
import { readable } from "../../../../core/parsing/readable.ts";
import { silentLog, systemClock } from "../../../../core/platform/index.ts";
import type { Connection } from "../../../../core/storage/index.ts";
import {
  createApprovalGate,
  createProductivity,
  type ResearchDeps,
  type Tool,
  type ToolContext,
  webResearch,
} from "../../../../core/tools/index.ts";
import { type Loopback, loopback } from "../../../support/loopback.ts";
import { migratedDatabase } from "../../../support/profile.ts";

const article = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body><nav>Home About</nav><article><h1>${title}</h1>${body}</article><footer>Imprint</footer></body></html>`;

const filler =
  "<p>This paragraph keeps the page long enough to be an article and tells about the people who work there every day.</p>".repeat(
    4,
  );

let db: Connection;
let server: Loopback;
let egress: Egress;
let tool: Tool<never>;
let engine: string | null;
let labels: string[];

const context = (more: Partial<ToolContext> = {}): ToolContext => ({
  conversationId: "c" as ConversationId,
  turnId: "t" as TurnId,
  callId: "call",
  userText: "What did the pilot plant cost?",
  scope: null,
  ephemeral: false,
  signal: new AbortController().signal,
  progress: (label) => labels.push(label),
  ...more,
});

const run = async (args: Record<string, unknown>, more: Partial<ToolContext> = {}) =>
  tool.execute(tool.schema.parse(args) as never, context(more));

beforeEach(async () => {
  db = migratedDatabase();
  labels = [];
  server = await loopback((path, response) => {
    const at = (name: string) => `http://127.0.0.1:${server.port}${name}`;
    if (path.startsWith("/search?")) {
      response.setHeader("content-type", "application/json").end(
        JSON.stringify({
          results: [
            { url: at("/other"), title: "Gardening in spring", content: "Roses and tulips." },
            { url: at("/cost#top"), title: "What the pilot plant cost", content: "The pilot plant cost 4 million." },
            { url: "javascript:alert(1)", title: "bad", content: "" },
            { title: "no address" },
          ],
        }),
      );
    } else if (path === "/cost") {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(
        article("Pilot plant", `<p>The pilot plant cost 4.2 million euros in 2024. The roof is green.</p>${filler}`),
      );
    } else if (path === "/other") {
      response
        .setHeader("content-type", "text/html")
        .end(article("Gardening", `<p>Roses like sun and water.</p>${filler}`));
    } else if (path === "/image") response.setHeader("content-type", "image/png").end("png");
    else if (path === "/hang") return;
    else response.writeHead(500).end();
  });
  engine = server.origin;
  egress = createEgress({ db, clock: systemClock, userAgent: "Credence/test", env: {}, online: () => true });
  tool = webResearch(deps()) as Tool<never>;
});

function deps(): ResearchDeps {
  return {
    egress,
    reader: {
      async read({ bytes, url }) {
        const page = await readable({ html: bytes, url });
        return { title: page.title, text: page.text, publishedAt: page.publishedAt };
      },
    },
    embed: async () => null,
    productivity: createProductivity(db, systemClock),
    engine: () => engine,
    log: silentLog,
  };
}

afterEach(async () => {
  await egress.close();
  await server.close();
  db.close();
});

describe("web research", () => {
  it("that is off answers at once that it is off, is not asked about, and sends nothing", async () => {
    const output = await run({ question: "What did the pilot plant cost?" });
    expect(output).toEqual({
      text: "Web search is off. Nothing was looked up and nothing was sent. The user can allow it under Privacy. Say so, and answer from what is known.",
      summary: "Web search is off. Nothing was sent",
    });
    expect(
      createApprovalGate({ db, clock: systemClock }).decide(
        tool,
        tool.schema.parse({ question: "x" }),
        "c" as ConversationId,
      ).kind,
    ).toBe("allow");
    expect([server.seen, egress.requestsEver()]).toEqual([[], 0]);
  });

  it("that is allowed asks first, and says what would leave", () => {
    egress.setAllowed("web-research", true);
    const args = tool.schema.parse({ question: "pilot plant cost", depth: "focused" }) as never;
    expect(createApprovalGate({ db, clock: systemClock }).decide(tool, args, "c" as ConversationId)).toEqual({
      kind: "ask",
    });
    expect(tool.leaves?.(args)).toBe(
      `The words “pilot plant cost” to 127.0.0.1:${server.port}, the search service you set up, and requests for up to 6 pages. Each site sees your network address. No file, belief or message is sent.`,
    );
  });

  it("refuses to read pages on this machine that a search service names", async () => {
    egress.setAllowed("web-research", true);
    const output = await run({ question: "What did the pilot plant cost?", depth: "quick" });
    expect(output.summary).toBe("Nothing found on 0 pages");
    expect(output.text).toContain("lies on this machine or its own network");
    expect(server.seen.map(({ line }) => line.split("?")[0])).toEqual(["GET /search"]);
  });

  it("reads addresses that the user named, and gives facts with their sources", async () => {
    egress.setAllowed("web-research", true);
    engine = null;
    const url = `${server.origin}/cost`;
    const output = await run(
      { question: "What did the pilot plant cost?", depth: "glance", addresses: [url] },
      { userText: `What did it cost, see ${url}` },
    );
    expect(output.summary).toBe("1 fact from 1 page");
    expect(output.text).toContain("The pilot plant cost 4.2 million euros in 2024. (Pilot plant, 127.0.0.1)");
    expect(output.passages).toMatchObject([{ kind: "web", sourceId: url, title: "Pilot plant", place: "127.0.0.1" }]);
    expect(createProductivity(db, systemClock).of("127.0.0.1")).toBeCloseTo(5 / 3);
    expect(egress.ledger({}).entries).toMatchObject([
      { purpose: "web-research", what: "1 page", agreedBy: "You, for this answer", outcome: "ok" },
    ]);
  });

  it("on a machine without network answers at once, unless the search service runs on it", async () => {
    const offline = createEgress({ db, clock: systemClock, userAgent: "t", env: {}, online: () => false });
    offline.setAllowed("web-research", true);
    tool = webResearch({ ...deps(), egress: offline }) as Tool<never>;
    engine = "https://search.example/";
    expect((await run({ question: "anything" })).summary).toBe("This machine has no network. Nothing was sent");
    engine = server.origin;
    expect((await run({ question: "What did the pilot plant cost?", depth: "glance" })).summary).toBe(
      "Nothing found on 0 pages",
    );
    await offline.close();
  });

  it("needs a search service or an address", async () => {
    egress.setAllowed("web-research", true);
    engine = null;
    await expect(run({ question: "anything" })).rejects.toMatchObject({ kind: "tools.no-search-engine" });
  });

  it("tells what could not be read and goes on", async () => {
    egress.setAllowed("web-research", true);
    engine = null;
    const addresses = [`${server.origin}/image`, `${server.origin}/broken`, `${server.origin}/cost`];
    const output = await run(
      { question: "What did the pilot plant cost?", depth: "quick", addresses },
      { userText: addresses.join(" ") },
    );
    expect(output.text).toContain("4.2 million");
    expect(output.text).toContain("not a page (image/png)");
    expect(output.text).toContain("status 500");
  });

  it("stops at once when the turn is stopped", async () => {
    egress.setAllowed("web-research", true);
    engine = null;
    const stop = new AbortController();
    const url = `${server.origin}/hang`;
    const running = run({ question: "x", addresses: [url] }, { userText: url, signal: stop.signal });
    setTimeout(() => stop.abort(), 30);
    const started = performance.now();
    await expect(running).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it("takes arguments as models write them", () => {
    expect(tool.schema.parse({ question: "q", depth: "very deep", addresses: "https://a.example/", known: 3 })).toEqual(
      {
        question: "q",
        depth: "focused",
        known: "",
        addresses: ["https://a.example/"],
      },
    );
    expect(tool.schema.safeParse({}).success).toBe(false);
  });
});

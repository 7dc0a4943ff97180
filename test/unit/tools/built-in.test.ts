import { describe, expect, it } from "vitest";
import type { ConversationId, TurnId } from "../../../core/contract/index.ts";
import { ManualClock } from "../../../core/platform/index.ts";
import {
  type BuiltInPorts,
  builtInTools,
  type Passage,
  type ToolContext,
  wordsForNothing,
} from "../../../core/tools/index.ts";

const passage = (title: string): Passage => ({
  kind: "document",
  sourceId: title,
  title,
  place: "p. 1",
  text: `About ${title}.`,
  mark: null,
  score: 1,
  why: "same words",
});

const context = (more: Partial<ToolContext> = {}): ToolContext => ({
  conversationId: "c" as ConversationId,
  turnId: "t" as TurnId,
  callId: "call",
  userText: "the whole message",
  scope: ["collection"],
  ephemeral: false,
  signal: new AbortController().signal,
  progress: () => {},
  ...more,
});

/** Ports that write down what they are asked and give what the test wants. */
function rig(found: readonly Passage[] = [passage("eels"), passage("weirs")]) {
  const asked: Record<string, unknown>[] = [];
  const clock = new ManualClock();
  const note =
    <Value>(name: string, value: Value) =>
    async (request: object) => {
      asked.push({ name, ...request, signal: undefined });
      return value;
    };
  const ports: BuiltInPorts = {
    memory: { search: note("memory", found) },
    library: {
      search: note("library", found),
      read: note("read", { documentId: "d", title: "Lease", text: "x".repeat(100), totalChars: 250, nextOffset: 150 }),
    },
    knowledge: { integrate: note("knowledge", { stored: 1, known: 1, notes: [] }) },
    beliefs: {
      find: note("beliefs", [
        {
          beliefId: "b",
          topic: "coffee",
          statement: "Coffee is healthy",
          valence: 0.4,
          confidence: 0.3,
          supports: 2,
          contradicts: 1,
          evidence: ["supports, empirical data 0.62"],
          history: ["moved by 0.1"],
        },
      ]),
    },
    feeds: { find: note("feeds", found) },
  };
  const tools = new Map(builtInTools(ports, clock).map((tool) => [tool.name, tool]));
  const run = (name: string, args: object, more: Partial<ToolContext> = {}) => {
    const tool = tools.get(name)!;
    return tool.execute(tool.schema.parse(args), context(more));
  };
  return { asked, tools, run, clock };
}

describe("the built-in tools", () => {
  it("are there for the ports that are there, all safe, each with a schema for the model", () => {
    expect([...rig().tools.keys()].sort()).toEqual([
      "ask_user",
      "integrate_knowledge",
      "look_up_beliefs",
      "look_up_feeds",
      "read_document",
      "recall_memory",
      "search_library",
    ]);
    expect(builtInTools({}, new ManualClock()).map((tool) => tool.name)).toEqual(["ask_user"]);
    for (const tool of rig().tools.values()) {
      expect(tool.safety).toBe("safe");
      expect(tool.parameters).toMatchObject({ type: "object" });
    }
  });

  it("take empty arguments for a question about the whole message, and odd limits for the usual one", async () => {
    const { run, asked } = rig();
    await run("recall_memory", {});
    await run("search_library", { query: "", limit: "many" });
    expect(asked).toMatchObject([
      { name: "memory", query: "the whole message", limit: 8 },
      { name: "library", query: "the whole message", limit: 8, scope: ["collection"] },
    ]);
  });

  it("give passages as text that folds and as sources, and say plainly when there are none", async () => {
    const output = await rig().run("search_library", { query: "eels" });
    expect(output).toMatchObject({
      text: "[eels, p. 1]\nAbout eels.\n\n[weirs, p. 1]\nAbout weirs.",
      summary: "2 passages in 2 places",
    });
    expect(output.passages).toHaveLength(2);
    const nothing = await rig([]).run("search_library", { query: "eels" });
    expect([nothing.summary, wordsForNothing("search_library", nothing.summary)]).toEqual([
      "Nothing found",
      "I found nothing about this in your library.",
    ]);
  });

  it("read a document a stretch at a time and say how to read on", async () => {
    const { run, asked } = rig();
    const output = await run("read_document", { document: "lease", offset: "50" });
    expect(output.text).toContain("[Characters 50 to 150 of 250; read on with offset 150.]");
    expect(output.summary).toBe("Read 40 % of “Lease”");
    expect(asked).toMatchObject([{ document: "lease", offset: 50, scope: ["collection"] }]);
  });

  it("look in feeds for a topic, for what is new, and for the time that the message names", async () => {
    const { run, asked, clock } = rig();
    await run("look_up_feeds", { query: "anything new in my feeds on batteries" });
    await run("look_up_feeds", { query: "what's new" }, { userText: "what's new today? only unread please" });
    await run("look_up_feeds", { query: "eels", days: 3 });
    const day = 24 * 3_600_000;
    expect(asked).toMatchObject([
      { query: "batteries", from: null, unreadOnly: false },
      { query: "", from: clock.now() - day, unreadOnly: true },
      { query: "eels", from: clock.now() - 3 * day },
    ]);
  });

  it("tell beliefs with confidence, evidence and history, and keep facts given one by one", async () => {
    const { run, asked } = rig();
    expect((await run("look_up_beliefs", { query: "coffee" })).text).toBe(
      "Belief: Coffee is healthy\nStance: leans to yes (0.40 of -1 to 1), confidence 0.30, 2 for, 1 against\nEvidence: supports, empirical data 0.62\nChanged: moved by 0.1",
    );
    expect((await run("integrate_knowledge", { statements: "Eels cross at night." })).summary).toBe(
      "Kept 1 new fact; 1 already known.",
    );
    expect(asked.at(-1)).toMatchObject({ statements: ["Eels cross at night."], userText: "the whole message" });
  });

  it("ask the user back instead of running", () => {
    const ask = rig().tools.get("ask_user")!;
    expect(ask.asks?.(ask.schema.parse({ question: "Which season?", options: "no list" }))).toEqual({
      question: "Which season?",
      options: [],
    });
  });
});

import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createProposerFor, createRouter, type ProposalRequest } from "../../../../core/agent/proposers/index.ts";
import { addressesIn, beliefTopicOf, depthOf, queryOf, standingAlone } from "../../../../core/agent/proposers/query.ts";
import type { ChatModel } from "../../../../core/models/types.ts";
import { silentLog } from "../../../../core/platform/index.ts";
import type { AnyTool } from "../../../../core/tools/index.ts";

const tool = (name: string): AnyTool => ({
  name,
  description: name,
  schema: z.object({}),
  parameters: {},
  safety: "safe",
  timeoutMs: 1,
  label: () => name,
  execute: async () => ({ text: "", summary: "" }),
});

const tools = ["recall_memory", "search_library", "look_up_feeds", "web_research"].map(tool);

function request(userText: string, more: Partial<ProposalRequest> = {}): ProposalRequest {
  return {
    userText,
    history: [],
    iteration: 1,
    tools,
    past: [],
    found: 0,
    plan: "",
    findings: "",
    model: {} as ChatModel,
    messages: [],
    maxPromptTokens: 1000,
    signal: new AbortController().signal,
    ...more,
  };
}

const router = createRouter({ embedder: async () => null, log: silentLog });
const proposer = (kind: "native" | "grammar" | "harness" | null) =>
  createProposerFor({ router, kindFor: () => kind })({} as ChatModel);

describe("the harness", () => {
  it("is who proposes while nothing is known of a model", async () => {
    expect((await proposer(null)).kind).toBe("harness");
  });

  it("answers what needs no look-up, without a model call", async () => {
    expect(await (await proposer(null)).propose(request("Good morning!"))).toEqual({
      proposal: { kind: "answer", confidence: 0.98, reason: "a greeting" },
      promptTokens: 0,
      generatedTokens: 0,
    });
  });

  it("calls the tool of the place where the answer lies, with what to look for", async () => {
    const { proposal } = await (await proposer("harness")).propose(
      request("Could you search my documents for force majeure?"),
    );
    expect(proposal).toMatchObject({
      kind: "calls",
      calls: [{ name: "search_library", args: { query: "force majeure" } }],
    });
    const web = await (await proposer("harness")).propose(
      request("Look up the current price of gold on the web, see https://gold.example/today."),
    );
    expect(web.proposal).toMatchObject({
      calls: [{ name: "web_research", args: { depth: "quick", addresses: ["https://gold.example/today"] } }],
    });
  });

  it("answers from what was found instead of looking again", async () => {
    const past = [{ tool: "recall_memory", args: {}, outcome: "ok" as const, summary: "1 note" }];
    const { proposal } = await (await proposer("harness")).propose(
      request("What did I tell you about my sister?", { past }),
    );
    expect(proposal.kind).toBe("answer");
  });

  it("says itself that there is nothing, that the network is off, or that it was refused, instead of having it phrased", async () => {
    const wordsAfter = async (tool: string, outcome: "ok" | "denied" | "error", summary: string, found = 0) => {
      const past = [{ tool, args: {}, outcome, summary }];
      const { proposal } = await (await proposer("harness")).propose(request("x", { past, found }));
      return proposal.kind === "answer" ? proposal.text : null;
    };
    expect(await wordsAfter("recall_memory", "ok", "Nothing found")).toBe(
      "I found nothing about this in what you told me.",
    );
    expect(await wordsAfter("web_research", "ok", "Web search is off. Nothing was sent")).toBe(
      "Web search is off. I looked nothing up, and nothing was sent. You can change that under Privacy.",
    );
    expect(await wordsAfter("web_research", "denied", "The user refused")).toBe(
      "You did not allow it, so I looked nothing up.",
    );
    expect(await wordsAfter("search_library", "error", "The disk is full.")).toBe(
      "That did not work. The disk is full.",
    );
    expect(await wordsAfter("search_library", "ok", "2 passages")).toBeUndefined();
    expect(await wordsAfter("recall_memory", "ok", "Nothing found", 2)).toBeUndefined();
    // What was said a moment ago is no memory yet: it stands in the conversation itself.
    const past = [{ tool: "recall_memory", args: {}, outcome: "ok" as const, summary: "Nothing found" }];
    const history = [{ role: "user" as const, content: "My sister Anna works as a nurse." }];
    const asked = request("What did I tell you about my sister's job?", { past, history });
    expect((await (await proposer("harness")).propose(asked)).proposal).not.toHaveProperty("text");
  });

  it("answers when the tool is not there, and says so", async () => {
    const { proposal } = await (await proposer("harness")).propose(
      request("What did I tell you about my sister?", { tools: [] }),
    );
    expect(proposal).toMatchObject({ kind: "answer", reason: expect.stringContaining("nothing can look there now") });
  });
});

describe("a model that chooses under a grammar", () => {
  const choosing = (value: unknown) =>
    ({
      async structured(asked: { schema: z.ZodType }) {
        return { value: asked.schema.parse(value), promptTokens: 7, generatedTokens: 3 };
      },
    }) as unknown as ChatModel;

  it("may only pick a tool on offer or an answer, and its tokens are counted", async () => {
    const grammar = await proposer("grammar");
    expect(
      await grammar.propose(request("x", { model: choosing({ action: "look_up_feeds", query: "bees" }) })),
    ).toEqual({
      proposal: {
        kind: "calls",
        calls: [{ name: "look_up_feeds", args: { query: "bees" } }],
        confidence: 0.5,
        reason: "The model chose it.",
      },
      promptTokens: 7,
      generatedTokens: 3,
    });
    expect(
      (await grammar.propose(request("x", { model: choosing({ action: "answer", query: "" }) }))).proposal.kind,
    ).toBe("answer");
  });

  it("that cannot choose leaves it to an answer", async () => {
    const grammar = await proposer("grammar");
    expect(
      (await grammar.propose(request("x", { model: choosing({ action: "drop_tables", query: "" }) }))).proposal.kind,
    ).toBe("answer");
  });
});

it("a model with native calls gets its tools", async () => {
  expect((await (await proposer("native")).propose(request("x"))).proposal).toEqual({ kind: "ask-model" });
});

describe("the words to look for", () => {
  it.each([
    ["Please search my files for the tax number", "the tax number"],
    ["Can you google cheap flights to Rome?", "cheap flights to Rome"],
    ["do you remember what I said about Peter", "what I said about Peter"],
    ["anything new on batteries in my feeds", "anything new on batteries"],
    ["search the web", "search the web"],
    ["?", "?"],
  ])("of “%s” are “%s”", (message, query) => {
    expect(queryOf(message)).toBe(query);
  });

  it.each([
    ["what do you believe about coffee and why", "coffee"],
    ["How sure are you that meditation works?", "meditation works"],
    ["what's your opinion on zoos", "zoos"],
    ["Has your view on nuclear power changed?", "nuclear power"],
    ["where do you stand on assisted dying", "assisted dying"],
    ["show me your beliefs on energy", "energy"],
    ["what evidence supports your belief about exercise", "exercise"],
  ])("of the question of belief “%s” are “%s”", (message, topic) => {
    expect(beliefTopicOf(message)).toBe(topic);
  });

  it.each([
    ["it up online", "How tall is the new tower in Graz?", "How tall is the new tower in Graz"],
    [
      "does it say anything about pets",
      "What does my lease say about smoking?",
      "does it say anything about pets (What does my lease say about smoking)",
    ],
    ["heat pump prices", "Hello!", "heat pump prices"],
    ["it up online", null, "it up online"],
  ])("“%s” after “%s” are “%s”", (query, before, alone) => {
    expect(standingAlone(query, before)).toBe(alone);
  });

  it("of a follow-up come from the message before it", async () => {
    const history = [
      { role: "user" as const, content: "How tall is the new tower in Graz?" },
      { role: "assistant" as const, content: "I do not know." },
    ];
    const { proposal } = await (await proposer("harness")).propose(request("look it up online please", { history }));
    expect(proposal).toMatchObject({
      calls: [{ name: "web_research", args: { question: "How tall is the new tower in Graz" } }],
    });
  });

  it("name addresses and a depth", () => {
    expect(addressesIn("see www.a.example/x, and (https://b.example/y?z=1).")).toEqual([
      "https://www.a.example/x",
      "https://b.example/y?z=1",
    ]);
    expect([
      depthOf("do a deep dive"),
      depthOf("compare thoroughly"),
      depthOf("weather today"),
      depthOf("what is a heat pump"),
    ]).toEqual(["deep", "thorough", "quick", "focused"]);
  });
});

/** The pictures of the mock-ups as scripts: invented figures and topics, the real window. */
import type { FoundPassage, InstalledModel, TurnEvent } from "../../core/contract/index.ts";
import { beliefScript } from "./belief-scene.ts";
import { libraryScript } from "./library-scene.ts";
import { memoryScript } from "./memory-scene.ts";
import { conversation, message, model, type Script, turnEvents } from "./scripted-core.ts";

const now = Date.now();
const hours = (n: number) => now - n * 3_600_000;
const days = (n: number) => hours(24 * n);

const list = [
  conversation({
    id: "eels",
    title: "Eels at Brackwell weir",
    pinned: true,
    updatedAt: now,
    turns: 13,
    activeTurn: "t-eels" as never,
    scope: ["Weir study, 4 files"],
  }),
  conversation({ id: "moor", title: "Moor Line timetable consultation", pinned: true, updatedAt: days(3), turns: 23 }),
  conversation({
    id: "heat",
    title: "Heat pumps in solid-wall houses",
    updatedAt: hours(0.4),
    turns: 5,
    scope: ["Heat pumps, 212 files"],
  }),
  conversation({ id: "pilot", title: "Which figures are from the pilot year?", updatedAt: hours(0.9), turns: 2 }),
  conversation({ id: "draft", title: "Draft questions for the water board", updatedAt: days(5), turns: 9 }),
  conversation({ id: "rack", title: "Trash-rack spacing, old and new", updatedAt: days(6), turns: 14 }),
  conversation({ id: "table", title: "Translate the spawning table", updatedAt: days(6.2), turns: 1 }),
  conversation({ id: "loop", title: "Passing loop at Hexley: who pays", updatedAt: days(7), turns: 6 }),
  conversation({ id: "depot", title: "Notes from the depot visit", updatedAt: days(9), turns: 3 }),
  conversation({ id: "long", title: "Ten thousand messages", updatedAt: days(40), turns: 5000 }),
];

const passage = (number: number, part: Partial<FoundPassage>): FoundPassage => ({
  number,
  kind: "document",
  sourceId: `p${number}`,
  title: "",
  place: "",
  text: "",
  mark: null,
  score: 1 / number,
  why: "meaning",
  cited: false,
  ...part,
});
const marked = (text: string): Pick<FoundPassage, "text" | "mark"> => {
  const start = text.indexOf("{");
  const end = text.indexOf("}") - 1;
  return { text: text.replace(/[{}]/g, ""), mark: start === -1 ? null : [start, end] };
};

const found: FoundPassage[] = [
  passage(1, {
    title: "Silver eel passage, report",
    place: "p. 14",
    cited: true,
    why: "same words and meaning",
    ...marked(
      "Of 118 tagged silver eels that reached the forebay, 97 crossed between sunset and sunrise; {71 did so within twelve hours of a rise above 14 m³/s.}",
    ),
  }),
  passage(2, {
    title: "Silver eel passage, report",
    place: "p. 22",
    cited: true,
    ...marked(
      "In the dry autumns of 2021 and 2022 {passage was spread over seven weeks,} and 21 fish turned back at the rack.",
    ),
  }),
  passage(3, {
    title: "Turbine log, station B.xlsx",
    place: "Nights, rows 40–61",
    cited: true,
    why: "figures match",
    ...marked("19 nights with a forecast rise; {lost output 212 MWh of 8,940} (2.4 %)."),
  }),
  passage(4, {
    title: "Minutes of the river forum",
    place: "p. 3",
    why: "opinion, no figures",
    ...marked("Members said that eels had “always run in October”; no counts were tabled."),
  }),
  passage(5, {
    title: "Flow forecast note",
    place: "§ 2",
    ...marked("A rise is called when the two-day forecast exceeds 14 m³/s at the upper gauge."),
  }),
  passage(6, {
    kind: "memory",
    title: "You said",
    place: "today 13:38",
    ...marked("You write the summary for the river forum on Friday."),
  }),
  passage(7, {
    kind: "message",
    title: "Eels at Brackwell weir",
    place: "turn 4",
    ...marked("The pilot year is 2021, before the new rack."),
  }),
];

const liveAnswer =
  "Most tagged eels crossed **at night, on rising water**. Of 118 that reached the forebay, 97 passed between sunset and sunrise, and 71 of those within twelve hours of a rise above 14 m³/s.[1] The two dry autumns differ: passage was spread over seven weeks and 21 fish turned back.[2]\n\nFor night stops that points to forecasts, not a calendar: stopping on the 19 nights with a forecast rise would have cost 2.4 % of yearly output.[3] In a dry year the same rule would miss";

const budget = {
  window: 32768,
  effective: 21299,
  reserved: 4096,
  system: 612,
  snapshot: 498,
  beliefs: 344,
  tools: 780,
  history: 4120,
  memories: 3174,
  workingMemory: 416,
  total: 9944,
  dropped: [
    {
      what: "Messages 1 to 6",
      tokens: 1840,
      reason: "This chat passed 20 messages, so they are carried as a summary of 212 tokens.",
    },
  ],
};

const start = now - 14_000;
const eelSteps: Parameters<typeof turnEvents>[2] = [
  {
    type: "turn.started",
    userMessageId: "m3" as never,
    assistantMessageId: "m4" as never,
    modelName: "Qwen2.5 7B",
    at: start,
  },
  { type: "turn.phase", phase: "CONTEXT", iteration: 0, limit: 12, label: "Getting ready", at: start },
  { type: "turn.phase", phase: "THINKING", iteration: 1, limit: 12, label: "Thinking", at: start + 400 },
  { type: "turn.prompt", step: "Step 1", budget, artifactId: "001-prompt", at: start + 420 },
  {
    type: "turn.tool.started",
    callId: "k1",
    tool: "search_library",
    label: "Searching your library for “night passage flow”",
    args: { query: "night passage flow", scope: "Weir study", limit: 6 },
    proposer: "native",
    at: start + 3500,
  },
  {
    type: "turn.tool.ended",
    callId: "k1",
    tool: "search_library",
    outcome: "ok",
    summary: "6 passages",
    durationMs: 300,
    outputChars: 19044,
    artifactId: "002-output",
    at: start + 3800,
  },
  { type: "turn.found", passages: found, at: start + 3800 },
  {
    type: "turn.consolidated",
    longTerm: "97 of 118 tagged eels passed at night, 71 on a rise above 14 m³/s (p. 14). Dry years differ (p. 22).",
    shortTerm: "Read pages 14 to 22 of the report, then answer.",
    method: "model",
    note: null,
    durationMs: 2100,
    tokens: 137,
    at: start + 5900,
  },
  { type: "turn.phase", phase: "THINKING", iteration: 2, limit: 12, label: "Thinking", at: start + 5900 },
  { type: "turn.prompt", step: "Step 2", budget, artifactId: "003-prompt", at: start + 5900 },
  {
    type: "turn.tool.started",
    callId: "k2",
    tool: "read_document",
    label: "Read",
    args: { title: "Silver eel passage, pp. 14–22" },
    proposer: "native",
    at: start + 7100,
  },
  {
    type: "turn.tool.ended",
    callId: "k2",
    tool: "read_document",
    outcome: "ok",
    summary: "2,460 tokens",
    durationMs: 7900,
    outputChars: 9044,
    artifactId: "004-output",
    at: start + 7300,
  },
  { type: "turn.phase", phase: "THINKING", iteration: 3, limit: 12, label: "Thinking", at: start + 9000 },
  {
    type: "turn.belief",
    note: {
      beliefId: "b1",
      revisionId: "r1",
      outcome: "moved",
      statement: "Silver eels at Brackwell pass mostly at night, on rising flow.",
      before: 0.35,
      after: 0.43,
      uncertainty: 0.17,
      why: "measured data, strength 0.62",
    },
    at: start + 9500,
  },
  { type: "turn.phase", phase: "THINKING", iteration: 4, limit: 12, label: "Thinking", at: start + 9500 },
  { type: "turn.prompt", step: "Step 4", budget, artifactId: "005-prompt", at: start + 9500 },
  {
    type: "turn.usage",
    promptTokens: 11076,
    cachedTokens: 9000,
    generatedTokens: 164,
    budget: 21299,
    tokensPerSecond: 18.4,
    at: start + 9600,
  },
];
const tokens = liveAnswer
  .split(/(?<=\s)/)
  .map((text, i) => ({ type: "turn.token" as const, channel: "answer" as const, text, at: start + 9700 + i * 54 }));
const eelTurn = turnEvents("t-eels", "eels", [...eelSteps, ...tokens]);

const refusedTrail = turnEvents("t-eels-0", "eels", [
  { type: "turn.started", userMessageId: "m1" as never, assistantMessageId: "m2" as never, modelName: "Qwen2.5 7B" },
  { type: "turn.found", passages: [found[0]!] },
  {
    type: "turn.belief",
    note: {
      beliefId: "b2",
      revisionId: null,
      outcome: "did-not-move",
      statement: "Eels have stopped passing Brackwell",
      before: -0.22,
      after: -0.22,
      uncertainty: 0.2,
      why: "Many people saying so is social pressure, not evidence. Kept as a claim.",
    },
  },
  { type: "turn.ended", outcome: "completed", messageId: "m2" as never, note: null, durationMs: 4000 },
]);

const richText = `The three lowest are all houses where the **flow temperature stayed above 50 °C**.[1] With one winter of data each, the order between them means little.

| House | Walls | Flow, °C | Days | Seasonal factor |
|---|---|--:|--:|--:|
| H-118 | solid brick | 54 | 207 | 2.31 |
| H-042 | solid stone | 52 | 211 | 2.36 |
| H-290 | solid brick | 51 | 198 | 2.44 |

The report divides heat delivered by all electricity taken, hot water and pumps included:[2]

$$F = \\frac{Q_{\\text{space}} + Q_{\\text{water}}}{E_{\\text{meter}}}$$

\`\`\`python
d = pd.read_csv("seasonal-factors.csv")
d["f"] = (d.q_space + d.q_water) / d.e_meter  # as in section 2.3
print(d.nsmallest(3, "f")[["house", "days", "f"]])
\`\`\``;

const richTrail = turnEvents("t-heat", "heat", [
  { type: "turn.started", userMessageId: "h1" as never, assistantMessageId: "h2" as never, modelName: "Qwen2.5 7B" },
  { type: "turn.phase", phase: "THINKING", iteration: 1, limit: 12, label: "Thinking" },
  {
    type: "turn.tool.started",
    callId: "k1",
    tool: "search_library",
    label: "Searching your library for “night passage flow”",
    args: { query: "seasonal factor" },
    proposer: "native",
  },
  {
    type: "turn.tool.ended",
    callId: "k1",
    tool: "search_library",
    outcome: "ok",
    summary: "6 passages",
    durationMs: 300,
    outputChars: 100,
    artifactId: null,
  },
  {
    type: "turn.tool.started",
    callId: "k2",
    tool: "read_document",
    label: "Read 2 files",
    args: {},
    proposer: "native",
  },
  {
    type: "turn.tool.ended",
    callId: "k2",
    tool: "read_document",
    outcome: "ok",
    summary: "2 files",
    durationMs: 4300,
    outputChars: 100,
    artifactId: null,
  },
  { type: "turn.found", passages: found },
  {
    type: "turn.usage",
    promptTokens: 5908,
    cachedTokens: 0,
    generatedTokens: 402,
    budget: 21299,
    tokensPerSecond: 18.1,
  },
  { type: "turn.token", channel: "answer", text: "." },
  { type: "turn.ended", outcome: "completed", messageId: "h2" as never, note: null, durationMs: 22_000 },
]);

export const models: InstalledModel[] = [
  model({
    id: "qwen7",
    name: "Qwen2.5 7B Instruct",
    sizeBytes: 4.7e9,
    memoryBytes: 6.6e9,
    active: true,
    state: "ready",
    tokensPerSecond: 18.4,
    profile: {
      checkedAt: now,
      proposer: "native",
      nativeCalls: 0.9,
      grammarChoice: 1,
      copiesFacts: 1,
      followsSystem: 1,
      languages: ["en", "de", "fr", "es"],
      recallsBack: 28000,
    },
  }),
  model({
    id: "smol",
    name: "SmolLM2 135M Instruct",
    sizeBytes: 98e6,
    memoryBytes: 0.4e9,
    starter: true,
    quantization: "Q4_1",
    trainedContext: 8192,
    window: 8192,
    tokensPerSecond: 96,
    profile: {
      checkedAt: now,
      proposer: "harness",
      nativeCalls: 0,
      grammarChoice: 0.5,
      copiesFacts: 1,
      followsSystem: 0.38,
      languages: ["en"],
      recallsBack: 2000,
    },
  }),
  model({
    id: "coder",
    name: "Qwen2.5 Coder 0.5B Instruct",
    sizeBytes: 531e6,
    memoryBytes: 1e9,
    quantization: "Q8_0",
    state: "loading",
    loadProgress: 0.38,
  }),
  model({ id: "mixtral", name: "Mixtral 8x7B Instruct", sizeBytes: 26.4e9, memoryBytes: 28e9, fits: "no" }),
  model({ id: "minilm", name: "MiniLM L6 v2", role: "embed", sizeBytes: 25e6, memoryBytes: 50e6, active: true }),
];

const longThread = () =>
  Array.from({ length: 10_000 }, (_, i) =>
    message({
      id: `l${i}`,
      conversationId: "long",
      role: i % 2 === 0 ? "user" : "assistant",
      content:
        i % 2 === 0
          ? `Question ${i / 2 + 1}: what about item ${i}?`
          : `Answer ${(i + 1) / 2}. ${"Some words that make the lines differ in length. ".repeat((i * 7) % 9)}`,
    }),
  );

const output = JSON.stringify({
  query: "night passage flow",
  searched: 1284,
  found: 6,
  by: ["meaning", "words"],
  passages: found,
});

export function baseScript(): Script {
  return {
    conversations: list,
    models,
    messages: {
      eels: [
        message({
          id: "m1",
          conversationId: "eels",
          role: "user",
          content: "Everyone on the council says the eels are gone. Settled, then?",
        }),
        message({
          id: "m2",
          conversationId: "eels",
          turnId: "t-eels-0",
          content:
            "I would not call it settled: 118 tagged eels reached the forebay in 2023.[1] If the council has counts, add them and I will weigh them.",
        }),
        message({
          id: "m3",
          conversationId: "eels",
          role: "user",
          content: "When do eels pass, and does it change the case for night stops?",
        }),
        message({ id: "m4", conversationId: "eels", turnId: "t-eels", state: "streaming" }),
      ],
      heat: [
        message({
          id: "h1",
          conversationId: "heat",
          role: "user",
          content: "Compare the three lowest seasonal factors, with the formula and a check.",
        }),
        message({
          id: "h2",
          conversationId: "heat",
          turnId: "t-heat",
          content: richText,
          generatedTokens: 402,
          tokensPerSecond: 18.1,
          modelName: "Qwen2.5 7B",
          versions: { index: 1, count: 2 },
        }),
      ],
      pilot: [
        message({ id: "p1", conversationId: "pilot", role: "user", content: "Which figures are from the pilot year?" }),
        message({
          id: "p2",
          conversationId: "pilot",
          content: "The pilot year is 2021. Its figures are",
          state: "interrupted",
          note: "You stopped this answer. What was written is kept.",
          reasoning:
            "The user asks which figures are from the pilot year. I should look at the dates in the table first.",
        }),
        message({ id: "p3", conversationId: "pilot", role: "user", content: "And the others?" }),
        message({
          id: "p4",
          conversationId: "pilot",
          content: "",
          state: "failed",
          note: "The model ran out of memory at 11,240 tokens. What was written is kept. It restarts by itself with a window of 8,192.",
        }),
      ],
      long: longThread(),
    },
    trails: { m2: refusedTrail, h2: richTrail, m4: eelTurn },
    running: { "t-eels": eelTurn },
    artifacts: {
      "002-output": output,
      "001-prompt": "System\n\nYou are Credence.",
      "003-prompt": "x",
      "005-prompt": "y",
    },
  };
}

/** The turn waits at step 3 for a permission. */
export function approvalScript(): Script {
  const script = baseScript();
  const events = turnEvents("t-eels", "eels", [
    ...eelSteps.slice(0, 12),
    { type: "turn.phase", phase: "WAITING_APPROVAL", iteration: 3, limit: 12, label: "Waiting for you" },
    {
      type: "turn.approval",
      callId: "k3",
      tool: "web_research",
      label: "Searching the web for what night shutdowns cost",
      safety: "sensitive",
      leaves:
        "The words “silver eel weir passage night shutdown cost” to search.example.net, the search service you set up\nRequests for up to 6 pages from the results. Each site sees your network address. No file, belief or message is sent.",
      args: {
        question: "What did night shutdowns for eels cost at comparable weirs?",
        depth: "focused: 6 pages, checklist of 5 questions",
        already_known: "2.4 % of output at station B (passage 3)",
      },
    },
  ]);
  return { ...script, running: { "t-eels": events } };
}

/** The turn asks back. */
export function clarifyScript(): Script {
  const script = baseScript();
  const events: TurnEvent[] = turnEvents("t-eels", "eels", [
    ...eelSteps.slice(0, 9),
    { type: "turn.phase", phase: "CLARIFYING", iteration: 2, limit: 12, label: "Asking you" },
    {
      type: "turn.question",
      question: "Two files cover “last season” and they disagree. Which should I use?",
      options: [
        "September to December, from the turbine log",
        "April to March, from the yearly summary",
        "Both, side by side",
      ],
    },
  ]);
  return { ...script, running: { "t-eels": events } };
}

export function finishedEels(): Script {
  const script = baseScript();
  const ended = turnEvents("t-eels", "eels", [
    ...eelSteps,
    ...tokens,
    { type: "turn.ended", outcome: "completed", messageId: "m4" as never, note: null, durationMs: 31_000 },
  ]);
  return {
    ...script,
    conversations: list.map((each) => ({ ...each, activeTurn: null })),
    messages: {
      ...script.messages,
      eels: script.messages!["eels"]!.map((each) =>
        each.id === "m4" ? { ...each, state: "complete", content: liveAnswer } : each,
      ),
    },
    trails: { ...script.trails, m4: ended },
    running: {},
  };
}

/** A long answer with everything in it: about `tokens` pieces of four characters. */
function longAnswer(tokens: number): string {
  const parts = [
    "## Part NUMBER\n\nThe flow through the weir follows from the head $h_{NUMBER}$ and the width $b$, so that a rise of a few centimetres matters more than a change of the season. ",
    "What was measured agrees with it within the error of the gauge.[1]\n\n",
    "$$Q_{NUMBER} = \\frac{2}{3} \\mu b \\sqrt{2 g}\\, h^{3/2} + \\int_0^{T} \\alpha(t)\\,dt$$\n\n",
    "- the first point of part NUMBER, with **bold** words and `code`\n- the second, which is longer and runs over the end of the line so that it has to break somewhere\n\n",
    '```python\ndef discharge_NUMBER(h: float, b: float = 12.0) -> float:\n    """Discharge in cubic metres a second."""\n    for step in range(10):\n        h = h + 0.01 * step  # a comment\n    return 2 / 3 * 0.62 * b * (2 * 9.81) ** 0.5 * h ** 1.5\n```\n\n',
    "| Night | Head, m | Flow, m³/s |\n|---|--:|--:|\n| NUMBER | 0.42 | 14.1 |\n| next | 0.47 | 16.8 |\n\n",
  ];
  let text = "";
  for (let number = 1; text.length < tokens * 4; number += 1)
    text += parts.join("").replaceAll("NUMBER", String(number));
  return text;
}

/** For the benchmark: one conversation whose answer streams in when asked to, a short one, and a very long one. */
export function benchScript(): Script {
  const script = baseScript();
  const begun = turnEvents("t-bench", "bench", [
    { type: "turn.started", userMessageId: "b1" as never, assistantMessageId: "b2" as never, modelName: "M" },
    { type: "turn.phase", phase: "THINKING", iteration: 1, limit: 12, label: "Thinking" },
    { type: "turn.found", passages: found },
  ]);
  const pieces = longAnswer(5000).match(/[\s\S]{1,4}/g) ?? [];
  const all = turnEvents("t-bench", "bench", [
    ...begun,
    ...pieces.map((text) => ({ type: "turn.token" as const, channel: "answer" as const, text })),
  ]);
  Object.assign(globalThis, { __tokens: () => all.slice(begun.length) });
  return {
    ...script,
    conversations: [
      conversation({ id: "bench", title: "A long answer", activeTurn: "t-bench" as never }),
      conversation({ id: "short", title: "Short" }),
      conversation({ id: "new-bench", title: "Begin" }),
      ...list,
    ],
    messages: {
      ...script.messages,
      bench: [
        message({ id: "b1", conversationId: "bench", role: "user", content: "Explain everything." }),
        message({ id: "b2", conversationId: "bench", turnId: "t-bench", state: "streaming" }),
      ],
      "new-bench": [message({ id: "n1", conversationId: "new-bench", role: "user", content: "Begin." })],
      short: Array.from({ length: 10 }, (_, i) =>
        message({
          id: `s${i}`,
          conversationId: "short",
          role: i % 2 === 0 ? "user" : "assistant",
          content: `Words ${i}.`,
        }),
      ),
    },
    running: { ...script.running, "t-bench": begun },
  };
}

/** The belief screens beside everything else. */
export const beliefScene = (count = 60): Script => beliefScript({ count, script: baseScript() });

export const memoryScene = (): Script => memoryScript(baseScript());
export const emptyMemory = (): Script =>
  memoryScript(baseScript(), [], {
    everything: 0,
    said: 0,
    documents: 0,
    feeds: 0,
    pinned: 0,
    archived: 0,
    thisWeek: 0,
    thisYear: 0,
    topics: [],
    tidied: null,
  });

/** The library beside everything else. */
export const libraryScene = (): Script => libraryScript(baseScript());
export const emptyLibrary = (): Script =>
  libraryScript(
    baseScript(),
    {
      total: 0,
      recent: 0,
      needYou: 0,
      collections: [],
      watched: [],
      queue: {
        waiting: 0,
        reading: 0,
        paused: 0,
        done: 0,
        total: 0,
        failed: 0,
        remainingMs: null,
        allPaused: false,
        scanning: false,
      },
    },
    [],
  );

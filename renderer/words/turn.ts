import { count, plural } from "../format/numbers.ts";

/** What the agent is doing, in words. */
export const turn = {
  context: "Context",
  thinking: "Thinking",
  writing: "Writing the answer",
  wrote: "Wrote the answer",
  notesKept: "Notes kept",
  notesBy: { model: "Kept by the model", extract: "Kept as an extract: the model gave no notes" },
  weighed: "Weighed the evidence",
  allowed: "You allowed it",
  refused: "You refused it",
  asking: "Asking you",
  asked: "Asked you",
  nudged: "Answers from what it has",
  attached: "Your message became a document",
  proposed: (label: string) => `Proposed: ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
  beliefs: (moved: number, still: number) =>
    [
      moved > 0 ? `${plural(moved, "belief")} moved` : "",
      still > 0 ? (moved > 0 ? `${count(still)} unchanged` : `${plural(still, "belief")} unchanged`) : "",
    ]
      .filter(Boolean)
      .join(", "),
  /** Built-in tools once they are done; others keep the label that they came with. */
  did: {
    recall_memory: "Recalled",
    search_library: "Searched the library",
    read_document: "Read",
    integrate_knowledge: "Weighed the evidence",
    ask_user: "Asked you",
    web_research: "Searched the web",
    search_feeds: "Looked through the feeds",
    feeds: "Looked through the feeds",
    beliefs: "Looked at beliefs",
  } as Readonly<Record<string, string>>,
  toolOutcome: {
    error: "It failed",
    denied: "You refused it",
    repeated: "Same call as before, not run again",
    interrupted: "Stopped",
    "circuit-open": "Paused after repeated failures",
    invalid: "The call was not valid",
  },
  stepOf: (step: number, limit: number) => `Step ${count(step)} of at most ${count(limit)}`,
  starting: "Starting",
  needsAnswer: "needs one answer from you",
  needsApproval: "waits for your permission",
  steps: (n: number) => plural(n, "step"),
  live: "Answering",
  waiting: "Waiting for you",
} as const;

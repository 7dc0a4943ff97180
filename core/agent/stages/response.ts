import type { Message } from "../../contract/index.ts";
import type { Ending, InterruptedBy } from "../automaton.ts";
import { checkCitations } from "../citations.ts";
import type { AgentParts } from "../deps.ts";
import { GENERIC_FALLBACK_TEXT } from "../prompts.ts";
import { dropRepeatedSentences, trimRepetition } from "../repetition.ts";
import type { Turn } from "../turn.ts";

/** Ends a turn for the user: the answer checked and stored, the stream closed, the cost told. */
export function respond(parts: AgentParts, turn: Turn, ending: Ending): Message {
  if (ending.outcome === "completed") polish(turn);
  const words = endWords(turn, ending);
  if (words.text !== null) turn.publisher.replace(words.text, words.note ?? "The turn ended without an answer.");
  if (ending.outcome === "degraded" && turn.problem) {
    parts.log.error("turn.degraded", { turnId: turn.key.turnId, reason: turn.problem.reason });
    turn.trail.add({ type: "turn.degraded", reason: turn.problem.reason, action: turn.problem.action });
  }
  turn.publisher.close();

  const reply = turn.lastReply;
  const message = parts.conversations.endAnswer(turn.key.messageId, {
    state: ending.outcome === "completed" ? "complete" : ending.outcome === "interrupted" ? "interrupted" : "failed",
    content: turn.publisher.answer,
    reasoning: turn.publisher.reasoning,
    generatedTokens: turn.cost.total.generatedTokens || null,
    tokensPerSecond: reply && reply.decodeMs > 0 ? (reply.generatedTokens / reply.decodeMs) * 1_000 : null,
    note: words.note,
  });
  const { total, sideCalls } = turn.cost;
  parts.log.info("turn.ended", {
    turnId: turn.key.turnId,
    outcome: ending.outcome,
    ...total,
    sideCalls,
    cost: turn.cost.cost,
  });
  turn.trail.add({
    type: "turn.ended",
    outcome: ending.outcome,
    messageId: turn.key.messageId,
    note: words.note,
    durationMs: parts.clock.monotonic() - turn.startedAt,
  });
  return message;
}

/** What a loop of the model left behind goes, and so do citations that their source does not bear out. */
function polish(turn: Turn): void {
  const streamed = turn.publisher.answer;
  const whole = withoutLoops(turn, streamed);
  const { text, cited } = checkCitations(whole, turn.found);
  if (text.trim() !== "" && text.trimEnd() !== streamed.trimEnd()) {
    turn.publisher.replace(
      text,
      whole === text ? "It began to repeat itself." : "A citation was not borne out by its source.",
    );
  }
  if (cited.size === 0) return;
  for (const [i, passage] of turn.found.entries()) turn.found[i] = { ...passage, cited: cited.has(passage.number) };
  turn.trail.add({ type: "turn.found", passages: [...turn.found] });
}

/** A very small model repeats itself also where it comes to an end by itself; code may say the same twice. */
function withoutLoops(turn: Turn, text: string): string {
  if (turn.lastReply?.stopped === "repetition") return trimRepetition(text);
  return turn.context?.style === "brief" && !text.includes("```") ? dropRepeatedSentences(text) : text;
}

/** `text` takes the place of what was streamed (null keeps it); `note` says why the turn ended as it did. */
function endWords(turn: Turn, ending: Ending): { text: string | null; note: string | null } {
  switch (ending.outcome) {
    case "completed":
      return { text: null, note: null };
    case "interrupted":
      return { text: null, note: interruptedNotes[ending.by] };
    case "degraded": {
      const problem = turn.problem ?? {
        reason: "Something went wrong inside Credence.",
        action: "Try the message again.",
      };
      const partial = turn.publisher.answer.trim() !== "";
      return { text: partial ? null : GENERIC_FALLBACK_TEXT, note: `${problem.reason} ${problem.action}` };
    }
    case "failed": {
      const note = failedNote(turn, ending.reason);
      return { text: withFindings(note, turn), note };
    }
  }
}

const interruptedNotes: Record<InterruptedBy, string> = {
  stop: "You stopped this answer.",
  "new-message": "Your next message stopped this answer.",
  shutdown: "Credence was closed in the middle of this answer.",
};

function failedNote(turn: Turn, reason: "ceiling" | "stalled" | "budget"): string {
  switch (reason) {
    case "ceiling":
      return `I stopped after ${turn.limit} steps, the most that one message may take.`;
    case "stalled":
      return "I could not bring what I found into an answer.";
    case "budget":
      return `${turn.problem?.reason ?? "This turn has used its budget."} I stopped here.`;
  }
}

/** A turn that ends without an answer still leaves the user with what it found. */
function withFindings(note: string, turn: Turn): string {
  const partial = turn.publisher.answer.trim();
  const findings = turn.memory.findings.map((finding) => `- ${finding}`).join("\n");
  return [partial, note, findings === "" ? "" : `What I found:\n${findings}`]
    .filter((text) => text !== "")
    .join("\n\n");
}

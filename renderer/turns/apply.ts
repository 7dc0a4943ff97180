/** What each event does to the view, once it is its turn. */
import type { TurnEvent } from "../../core/contract/index.ts";
import { count, plural } from "../format/numbers.ts";
import { turn as words } from "../words/turn.ts";
import { blank, changeCall, changeLast, finishRunning, inThePast, mergeFound, withAnswer } from "./steps.ts";
import type { Step, TurnView } from "./view.ts";

/** Applies the event that follows the last one. */
export function applyNext(before: TurnView, event: TurnEvent): TurnView {
  const view: TurnView = { ...before, seq: event.seq, lastAt: Math.max(before.lastAt, event.at) };
  switch (event.type) {
    case "turn.started":
      return {
        ...view,
        userMessageId: event.userMessageId,
        assistantMessageId: event.assistantMessageId,
        modelName: event.modelName,
        startedAt: event.at,
      };
    case "turn.phase":
      return onPhase(view, event);
    case "turn.token":
      return onToken(view, event);
    case "turn.retract":
      return { ...view, answer: "", streamed: 0, steps: view.steps.filter((each) => each.kind !== "answer") };
    case "turn.prompt":
      return {
        ...view,
        budget: event.budget,
        promptArtifactId: event.artifactId,
        steps: changeLast(view.steps, (each) => each.kind === "thinking" || each.kind === "context", {
          budget: event.budget,
          promptArtifactId: event.artifactId,
        }),
      };
    case "turn.tool.started":
      return {
        ...view,
        steps: [
          ...finishRunning(view.steps, event.at, "thinking", { detail: words.proposed(event.label) }),
          {
            ...blank(view, event.at, "tool", `tool-${event.callId}`),
            title: event.label,
            callId: event.callId,
            tool: event.tool,
            args: event.args,
            proposer: event.proposer,
            safety: view.approvals.some((each) => each.callId === event.callId) ? "asked" : "safe",
          },
        ],
      };
    case "turn.tool.progress":
      return { ...view, steps: changeCall(view.steps, event.callId, { note: event.label }) };
    case "turn.tool.ended":
      return {
        ...view,
        steps: changeCall(view.steps, event.callId, {
          ...inThePast(view, event),
          endedAt: event.at,
          durationMs: event.durationMs,
          figure: event.summary,
          note: null,
          outcome: event.outcome === "ok" ? "ok" : "problem",
          artifactId: event.artifactId,
          outputChars: event.outputChars,
          ...(event.outcome === "ok" ? {} : { note: words.toolOutcome[event.outcome] }),
        }),
      };
    case "turn.consolidated":
      return {
        ...view,
        steps: [
          ...view.steps,
          {
            ...blank(view, event.at - event.durationMs, "notes", `notes-${event.seq}`),
            title: words.notesKept,
            detail: event.note ?? words.notesBy[event.method],
            figure: event.tokens > 0 ? plural(event.tokens, "token") : "",
            endedAt: event.at,
            durationMs: event.durationMs,
            outcome: "ok",
            longTerm: event.longTerm,
            shortTerm: event.shortTerm,
            note: event.note,
          },
        ],
      };
    case "turn.attached":
      return {
        ...view,
        steps: [
          ...view.steps,
          {
            ...blank(view, event.at, "attached", `attached-${event.seq}`),
            title: words.attached,
            detail: event.title,
            figure: plural(event.characters, "character"),
            endedAt: event.at,
            outcome: "ok",
          },
        ],
      };
    case "turn.found":
      return {
        ...view,
        found: mergeFound(view.found, event.passages),
        steps: changeLast(view.steps, (each) => each.kind === "context" && each.outcome === "running", {
          figure: plural(event.passages.length, "passage"),
        }),
      };
    case "turn.belief":
      return onBelief(view, event);
    case "turn.approval":
      return { ...view, approvals: [...view.approvals.filter((each) => each.callId !== event.callId), event] };
    case "turn.approval.decided":
      return {
        ...view,
        approvals: view.approvals.filter((each) => each.callId !== event.callId),
        steps: [
          ...view.steps,
          {
            ...blank(view, event.at, "approval", `approval-${event.seq}`),
            title: event.decision === "allow" ? words.allowed : words.refused,
            detail: event.remembered,
            endedAt: event.at,
            outcome: "ok",
            callId: event.callId,
          },
        ],
      };
    case "turn.question":
      return {
        ...view,
        question: { question: event.question, options: event.options },
        steps: [
          ...finishRunning(view.steps, event.at, "thinking"),
          {
            ...blank(view, event.at, "question", `question-${event.seq}`),
            title: words.asking,
            detail: event.question,
          },
        ],
      };
    case "turn.question.answered":
      return {
        ...view,
        question: null,
        steps: changeLast(view.steps, (each) => each.kind === "question", {
          title: words.asked,
          figure: event.text,
          endedAt: event.at,
          outcome: "ok",
        }),
      };
    case "turn.nudge":
      return {
        ...view,
        steps: [
          ...view.steps,
          {
            ...blank(view, event.at, "nudge", `nudge-${event.seq}`),
            title: words.nudged,
            detail: event.reason,
            endedAt: event.at,
            outcome: "ok",
          },
        ],
      };
    case "turn.usage":
      return {
        ...view,
        usage: {
          promptTokens: event.promptTokens,
          cachedTokens: event.cachedTokens,
          generatedTokens: event.generatedTokens,
          budget: event.budget,
          tokensPerSecond: event.tokensPerSecond,
        },
      };
    case "turn.heartbeat":
      return { ...view, label: event.label };
    case "turn.degraded":
      return { ...view, degraded: { reason: event.reason, action: event.action } };
    case "turn.ended":
      return onEnded(view, event);
    default:
      return view; // of a newer core: numbered, but nothing to show
  }
}

function onPhase(view: TurnView, event: Extract<TurnEvent, { type: "turn.phase" }>): TurnView {
  const next = { ...view, phase: event.phase, iteration: event.iteration, limit: event.limit, label: event.label };
  if (event.phase === "CONTEXT") {
    return {
      ...next,
      steps: [...next.steps, { ...blank(next, event.at, "context", "context"), title: words.context }],
    };
  }
  if (event.phase === "THINKING") {
    const steps = finishRunning(next.steps, event.at, "context");
    const id = `thinking-${event.iteration}`;
    if (steps.some((each) => each.id === id)) return { ...next, steps };
    return { ...next, steps: [...steps, { ...blank(next, event.at, "thinking", id), title: words.thinking }] };
  }
  return { ...next, steps: finishRunning(next.steps, event.at, "context") };
}

function onToken(view: TurnView, event: Extract<TurnEvent, { type: "turn.token" }>): TurnView {
  if (event.channel === "reasoning") return { ...view, reasoning: view.reasoning + event.text };
  const next = { ...view, answer: view.answer + event.text, streamed: view.streamed + 1 };
  if (next.steps.some((each) => each.kind === "answer" && each.outcome === "running")) return next;
  const thinking = [...next.steps].reverse().find((each) => each.kind === "thinking");
  return {
    ...next,
    steps: [
      ...finishRunning(next.steps, event.at, "thinking"),
      {
        ...blank(next, event.at, "answer", `answer-${event.seq}`),
        title: words.writing,
        budget: thinking?.budget ?? next.budget,
        promptArtifactId: thinking?.promptArtifactId ?? next.promptArtifactId,
      },
    ],
  };
}

function onBelief(view: TurnView, event: Extract<TurnEvent, { type: "turn.belief" }>): TurnView {
  const beliefs = [...view.beliefs, event.note];
  const moved = beliefs.filter((each) => each.outcome !== "did-not-move").length;
  const still = beliefs.length - moved;
  const last = view.steps.find((each) => each.kind === "belief" && each.iteration === view.iteration);
  const detail = words.beliefs(moved, still);
  if (last) return { ...view, beliefs, steps: changeLast(view.steps, (each) => each.id === last.id, { detail }) };
  return {
    ...view,
    beliefs,
    steps: [
      ...view.steps,
      {
        ...blank(view, event.at, "belief", `belief-${event.seq}`),
        title: words.weighed,
        detail,
        endedAt: event.at,
        outcome: "ok",
      },
    ],
  };
}

function onEnded(view: TurnView, event: Extract<TurnEvent, { type: "turn.ended" }>): TurnView {
  const tokens = view.usage?.generatedTokens ?? view.streamed;
  const steps = withAnswer(view.steps).map((each): Step => {
    if (each.outcome !== "running") return each;
    const done = { ...each, endedAt: event.at, outcome: event.outcome === "completed" ? "ok" : "problem" } as const;
    return each.kind === "answer"
      ? {
          ...done,
          title: words.wrote,
          figure: tokens > 0 ? `${count(tokens)} ${tokens === 1 ? "token" : "tokens"}` : "",
        }
      : done;
  });
  return {
    ...view,
    steps,
    approvals: [],
    question: null,
    ended: {
      outcome: event.outcome,
      messageId: event.messageId,
      note: event.note,
      durationMs: event.durationMs,
      at: event.at,
    },
  };
}

import type { App } from "../app.ts";
import type { AppEventOf, ConversationId, FoundPassage, Message, TurnEvent, TurnId } from "../contract/index.ts";

type Approval = AppEventOf<"turn.approval">;
type Question = AppEventOf<"turn.question">;

export interface TurnWatcher {
  /** Words of the answer as they come. */
  onAnswer?(text: string): void;
  onReasoning?(text: string): void;
  /** One line of what the agent is doing now. */
  onActivity?(label: string): void;
  /** What was streamed so far turned out not to be an answer. */
  onRetract?(): void;
  /** Decides a tool call; absent means no. */
  onApproval?(
    approval: Approval,
  ): Promise<{ decision: "allow" | "deny"; remember: "once" | "conversation" | "always" }>;
  /** Answers a question back; absent or null stops the turn with the question as its answer. */
  onQuestion?(question: Question): Promise<string | null>;
}

export interface TurnReport {
  readonly turnId: TurnId;
  readonly message: Message;
  readonly outcome: "completed" | "interrupted" | "failed" | "degraded";
  readonly note: string | null;
  readonly found: readonly FoundPassage[];
  /** Set when the turn ended with a question to the user instead of an answer. */
  readonly question: string | null;
  readonly usage: { promptTokens: number; cachedTokens: number; generatedTokens: number; budget: number } | null;
  readonly tools: readonly string[];
  readonly durationMs: number;
}

/** Sends one message, follows the turn to its end and reports it. An aborted signal stops the turn. */
export async function runTurn(
  app: App,
  conversationId: ConversationId,
  text: string,
  watcher: TurnWatcher,
  signal: AbortSignal,
): Promise<TurnReport> {
  const queue: TurnEvent[] = [];
  let wake = () => {};
  const off = app.on((event) => {
    if (!("turnId" in event) || event.conversationId !== conversationId) return;
    queue.push(event);
    wake();
  });
  try {
    const { turnId } = await app.call("turns.send", { conversationId, text });
    const stop = () => void app.call("turns.stop", { turnId }).catch(() => {});
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    const report = emptyReport();
    for (;;) {
      const event = queue.shift();
      if (!event) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (queue.length > 0) resolve();
        });
        continue;
      }
      if (event.turnId !== turnId) continue;
      await follow(app, event, watcher, report);
      if (event.type === "turn.ended") {
        signal.removeEventListener("abort", stop);
        const page = await app.call("conversations.messages", { id: conversationId, limit: 1 });
        return {
          ...report,
          turnId,
          message: page.messages[0]!,
          outcome: event.outcome,
          note: event.note,
          durationMs: event.durationMs,
        };
      }
    }
  } finally {
    off();
  }
}

interface Gathered {
  found: FoundPassage[];
  question: string | null;
  usage: TurnReport["usage"];
  tools: string[];
}

function emptyReport(): Gathered {
  return { found: [], question: null, usage: null, tools: [] };
}

async function follow(app: App, event: TurnEvent, watcher: TurnWatcher, report: Gathered): Promise<void> {
  switch (event.type) {
    case "turn.token":
      if (event.channel === "answer") watcher.onAnswer?.(event.text);
      else watcher.onReasoning?.(event.text);
      return;
    case "turn.retract":
      watcher.onRetract?.();
      return;
    case "turn.phase":
    case "turn.tool.progress":
      watcher.onActivity?.(event.label);
      return;
    case "turn.tool.started":
      report.tools.push(event.tool);
      watcher.onActivity?.(event.label);
      return;
    case "turn.found":
      report.found = event.passages;
      return;
    case "turn.usage": {
      const { promptTokens, cachedTokens, generatedTokens, budget } = event;
      report.usage = { promptTokens, cachedTokens, generatedTokens, budget };
      return;
    }
    case "turn.approval": {
      const answer = (await watcher.onApproval?.(event)) ?? { decision: "deny" as const, remember: "once" as const };
      await app.call("turns.decide", { turnId: event.turnId, callId: event.callId, ...answer });
      return;
    }
    case "turn.question": {
      const answer = (await watcher.onQuestion?.(event)) ?? null;
      report.question = answer === null ? event.question : null;
      if (answer === null) await app.call("turns.stop", { turnId: event.turnId });
      else await app.call("turns.clarify", { turnId: event.turnId, text: answer });
      return;
    }
    default:
      return;
  }
}

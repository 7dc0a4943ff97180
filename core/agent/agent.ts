import { createSummaryStore } from "../context/index.ts";
import { type ConversationId, CredenceError, type MessageId, type TurnEvent, type TurnId } from "../contract/index.ts";
import { jobsAfter, performJob, warmUp } from "./aftermath.ts";
import { createArtifacts } from "./artifacts.ts";
import { createBookkeeping } from "./bookkeeping.ts";
import { createCallRecognizer } from "./calls/index.ts";
import type { ActiveModel, AgentDeps, AgentParts } from "./deps.ts";
import { type IngestReport, type IngestRequest, runIngest } from "./run-ingest.ts";
import { beginTurn, type RunningTurn, runTurn, type TurnRequest } from "./run-turn.ts";
import { createSessionLocks } from "./session-lock.ts";
import { answerQuestion, decideCall } from "./stages/acting.ts";
import { createStateKeeper } from "./state-keeper.ts";
import { createTrails } from "./trail.ts";
import type { TurnContext } from "./turn.ts";

export interface StartedTurn {
  readonly turnId: TurnId;
  readonly userMessageId: MessageId;
  readonly assistantMessageId: MessageId;
}

/** The agent: receives a message, prepares its context, runs the loop, answers. One turn at a time in each conversation. */
export interface Agent {
  /** Stores the message and starts a turn; one still running in the conversation is interrupted first. */
  send(request: { conversationId: ConversationId; text: string }): Promise<StartedTurn>;
  /** Answers the same question again; the earlier answer is kept as a version. */
  regenerate(messageId: MessageId): Promise<StartedTurn>;
  /** Stops a turn and waits until what it wrote is stored. A turn that has ended is left alone. */
  stop(turnId: TurnId): Promise<void>;
  decide(request: {
    turnId: TurnId;
    callId: string;
    decision: "allow" | "deny";
    remember: "once" | "conversation" | "always";
    reason?: string | undefined;
  }): void;
  clarify(turnId: TurnId, text: string): void;
  replay(turnId: TurnId, afterSeq: number): { events: TurnEvent[]; ended: boolean };
  trail(messageId: MessageId): { turnId: TurnId | null; events: TurnEvent[] };
  artifact(
    turnId: TurnId,
    artifactId: string,
    offset: number,
  ): Promise<{ text: string; totalChars: number; nextOffset: number | null }>;
  /** Loads the chat model and evaluates what every new conversation begins with, so that the first answer starts soon. */
  warmUp(signal: AbortSignal): Promise<void>;
  /** Runs the same loop on an item that is read in the background; resolves when everything it stores is stored. */
  ingest(request: IngestRequest): Promise<IngestReport>;
  /** Whether a turn of a conversation runs or waits. */
  readonly busy: boolean;
  /** After a crash: gives open turns their end. Bookkeeping that was left goes on by itself. */
  recover(): void;
  /** A conversation is gone for good: so is what its turns kept outside the database. */
  forget(conversationId: ConversationId): Promise<void>;
  /** Resolves when no turn runs and nothing is left to do after one. */
  idle(): Promise<void>;
  /** Interrupts running turns, stores what they wrote, lets bookkeeping go. */
  close(): Promise<void>;
}

export function createAgent(deps: AgentDeps): Agent {
  const parts: AgentParts = {
    ...deps,
    recognizer: deps.recognizer ?? createCallRecognizer(),
    trails: createTrails(deps),
    artifacts: createArtifacts({
      folder: deps.artifactsDir,
      log: deps.log,
      ...(deps.artifactsMaxBytes ? { maxBytes: deps.artifactsMaxBytes } : {}),
    }),
    summaries: createSummaryStore(deps.db),
    counters: new Map(),
  };
  const locks = createSessionLocks<ConversationId>();
  const running = new Map<TurnId, RunningTurn>();
  /** The newest request of each conversation: an older one that still waited for the lock is stopped as it begins. */
  const newest = new Map<ConversationId, symbol>();
  const contexts = new Map<ConversationId, TurnContext>();
  const states = createStateKeeper({ clock: deps.clock, save: deps.models.saveState?.bind(deps.models) });
  let closed = false;

  const bookkeeping = createBookkeeping({
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    adopt: deps.adoptBookkeeping ?? true,
    perform: (job, signal) => performJob(parts, job, signal, contexts.get(job.conversationId) ?? null),
  });

  /** The newest prepared context of a few conversations, for the bookkeeping that follows. */
  function remember(conversationId: ConversationId, context: TurnContext): void {
    contexts.delete(conversationId);
    contexts.set(conversationId, context);
    if (contexts.size > 16) contexts.delete(contexts.keys().next().value as ConversationId);
  }

  /** Resolves as soon as the turn has begun; the turn goes on behind, holding its conversation's lock to the end. */
  function start(request: TurnRequest & { readonly regenerated: boolean }): Promise<StartedTurn> {
    const mine = Symbol(request.conversationId);
    newest.set(request.conversationId, mine);
    for (const other of running.values()) {
      if (other.turn.conversation.id === request.conversationId) other.interrupt("new-message");
    }
    const resume = bookkeeping.pause();
    states.hold();
    return new Promise<StartedTurn>((resolve, reject) => {
      locks
        .hold(request.conversationId, async () => {
          const model = await activeModel();
          if (closed) throw new CredenceError("general.cancelled", {});
          const turn = beginTurn(parts, request, model);
          const work = runTurn(parts, turn, {
            onContext: (context) => remember(request.conversationId, context),
            onEnd: (ending) => bookkeeping.queue(jobsAfter(parts, turn, ending, request.regenerated)),
          });
          running.set(turn.key.turnId, work);
          void work.done.then(() => running.delete(turn.key.turnId));
          if (newest.get(request.conversationId) !== mine) work.interrupt("new-message");
          resolve({ turnId: turn.key.turnId, userMessageId: turn.user.id, assistantMessageId: turn.key.messageId });
          await work.done;
          if (!turn.conversation.ephemeral) states.rest(request.conversationId);
        })
        .catch(reject)
        .finally(() => {
          if (newest.get(request.conversationId) === mine) newest.delete(request.conversationId);
          resume();
        });
    });
  }

  /** Only for the label of the answer: a model that cannot even be named is reported by the context stage. */
  async function activeModel(): Promise<ActiveModel | null> {
    return (await deps.activeModel?.().catch(() => null)) ?? null;
  }

  function runningTurn(turnId: TurnId): RunningTurn {
    const found = running.get(turnId);
    if (!found) throw new CredenceError("agent.turn-not-running", { turnId });
    return found;
  }

  return {
    async send({ conversationId, text }) {
      deps.conversations.get(conversationId);
      return start({
        conversationId,
        question: (turnId) => deps.conversations.appendUser(conversationId, text, turnId),
        regenerated: false,
      });
    },
    async regenerate(messageId) {
      const answer = deps.conversations.message(messageId);
      const question = deps.conversations.questionOf(messageId);
      if (!question) throw new CredenceError("agent.only-answers-regenerate", { messageId });
      return start({ conversationId: answer.conversationId, question: () => question, regenerated: true });
    },
    async stop(turnId) {
      const found = running.get(turnId);
      found?.interrupt("stop");
      await found?.done;
    },
    decide({ turnId, callId, ...answer }) {
      const { turn, loop } = runningTurn(turnId);
      const waits = loop.state.batch.some((call) => call.callId === callId && call.status === "waiting");
      if (!waits) throw new CredenceError("agent.nothing-to-decide", { callId });
      decideCall(parts, turn, callId, answer);
      loop.dispatch({ type: "decided", callId, decision: answer.decision });
    },
    clarify(turnId, text) {
      const { turn, loop } = runningTurn(turnId);
      const asking = loop.state.batch.find((call) => call.status === "asking");
      if (!asking) throw new CredenceError("agent.nothing-asked", { turnId });
      answerQuestion(turn, asking.callId, text);
      loop.dispatch({ type: "question-answered", callId: asking.callId });
    },
    replay: (turnId, afterSeq) => parts.trails.replay(turnId, afterSeq),
    trail: (messageId) => parts.trails.ofMessage(messageId),
    async artifact(turnId, artifactId, offset) {
      const conversationId = parts.trails.conversationOf(turnId);
      if (!conversationId) throw new CredenceError("general.not-found", { what: "turn", id: turnId });
      return parts.artifacts.read({ conversationId, turnId }, artifactId, offset);
    },
    async forget(conversationId) {
      contexts.delete(conversationId);
      await parts.artifacts.forget(conversationId);
      await deps.models.dropState?.(conversationId).catch(() => {});
    },
    warmUp: (signal) => warmUp(parts, signal),
    ingest: (request) => runIngest(parts, request),
    get busy() {
      return locks.held > 0;
    },
    recover() {
      const open = parts.trails.closeOpen();
      if (open > 0) deps.log.info("turns.closed-after-crash", { count: open });
    },
    async idle() {
      while (running.size > 0) await Promise.all([...running.values()].map((entry) => entry.done));
      await bookkeeping.idle();
      await parts.artifacts.settled();
    },
    async close() {
      closed = true;
      states.hold();
      const open = [...running.values()];
      for (const entry of open) entry.interrupt("shutdown");
      await Promise.all(open.map((entry) => entry.done));
      await bookkeeping.close();
      await parts.artifacts.settled();
    },
  };
}

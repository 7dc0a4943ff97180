import { createSummaryStore } from "../context/index.ts";
import {
  asCredenceError,
  type ConversationId,
  CredenceError,
  type Message,
  type MessageId,
  type ModelId,
  type TurnEvent,
  type TurnId,
} from "../contract/index.ts";
import { newId } from "../platform/index.ts";
import { jobsAfter, performJob } from "./aftermath.ts";
import { createArtifacts } from "./artifacts.ts";
import type { Ending, InterruptedBy } from "./automaton.ts";
import { createBookkeeping } from "./bookkeeping.ts";
import { createCallRecognizer } from "./calls/index.ts";
import { createCostTracker } from "./cost.ts";
import type { AgentDeps, AgentParts } from "./deps.ts";
import { createSharedActivityState, startProgressHeartbeat } from "./heartbeat.ts";
import { actionFor, type Loop, startLoop } from "./loop.ts";
import { createTokenStreamPublisher } from "./publisher.ts";
import { createSessionLocks } from "./session-lock.ts";
import {
  answerQuestion,
  askApproval,
  askUser,
  consolidateAction,
  consultGate,
  decideCall,
  noteRefusal,
  runCall,
} from "./stages/acting.ts";
import { prepareContext } from "./stages/context.ts";
import { thinkStep } from "./stages/inference.ts";
import { respond } from "./stages/response.ts";
import { titleFrom } from "./title.ts";
import { createTrails } from "./trail.ts";
import { newTurn, type Turn, type TurnContext } from "./turn.ts";

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
  /** After a crash: gives open turns their end. Bookkeeping that was left goes on by itself. */
  recover(): void;
  /** A conversation is gone for good: so is what its turns kept outside the database. */
  forget(conversationId: ConversationId): Promise<void>;
  /** Resolves when no turn runs and nothing is left to do after one. */
  idle(): Promise<void>;
  /** Interrupts running turns, stores what they wrote, lets bookkeeping go. */
  close(): Promise<void>;
}

type ActiveModel = { readonly id: ModelId; readonly name: string };

interface RunningTurn {
  readonly turn: Turn;
  interrupt(by: InterruptedBy): void;
  loop: Loop | null;
  readonly done: Promise<void>;
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
  let closed = false;

  const bookkeeping = createBookkeeping({
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    adopt: deps.adoptBookkeeping ?? true,
    perform: (job, signal) => performJob(parts, job, signal, contexts.get(job.conversationId) ?? null),
  });

  interface Request {
    readonly conversationId: ConversationId;
    /** Makes or finds the question once the lock is held. */
    readonly question: (turnId: TurnId) => Message;
    readonly regenerated: boolean;
  }

  /** Resolves as soon as the turn has begun; the turn goes on behind, holding its conversation's lock to the end. */
  function start(request: Request): Promise<StartedTurn> {
    const mine = Symbol(request.conversationId);
    newest.set(request.conversationId, mine);
    for (const other of running.values()) {
      if (other.turn.conversation.id === request.conversationId) other.interrupt("new-message");
    }
    const resume = bookkeeping.pause();
    return new Promise<StartedTurn>((resolve, reject) => {
      locks
        .hold(request.conversationId, async () => {
          const turn = begin(request, await activeModel());
          const work = run(turn, request.regenerated);
          if (newest.get(request.conversationId) !== mine) work.interrupt("new-message");
          resolve({ turnId: turn.key.turnId, userMessageId: turn.user.id, assistantMessageId: turn.key.messageId });
          await work.done;
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

  /** Writes the rows of the turn: whatever happens from here on, the question and the text so far are stored. */
  function begin(request: Request, model: ActiveModel | null): Turn {
    if (closed) throw new CredenceError("general.cancelled", {});
    const { clock, conversations } = deps;
    const conversation = conversations.get(request.conversationId);
    const turnId = newId("turn", clock.now()) as TurnId;
    const user = request.question(turnId);
    const answer = conversations.beginAnswer({
      conversationId: conversation.id,
      turnId,
      replyTo: user.id,
      modelId: model?.id ?? null,
      modelName: model?.name ?? null,
    });
    if (!conversation.titled && conversation.turns === 0)
      conversations.deriveTitle(conversation.id, titleFrom(user.content));
    const key = { turnId, conversationId: conversation.id, messageId: answer.id };
    const trail = parts.trails.open(key);
    const turn = newTurn({
      key,
      conversation,
      user,
      trail,
      publisher: createTokenStreamPublisher({ trail, conversations, messageId: answer.id, clock }),
      cost: createCostTracker({ clock, ...(deps.costLimits ? { limits: deps.costLimits } : {}) }),
      activity: createSharedActivityState(),
      limit: deps.settings().maxIterations,
      startedAt: clock.monotonic(),
    });
    conversations.setActiveTurn(conversation.id, turnId);
    trail.add({
      type: "turn.started",
      userMessageId: user.id,
      assistantMessageId: answer.id,
      modelName: model?.name ?? "",
    });
    trail.add({ type: "turn.phase", phase: "CONTEXT", iteration: 0, limit: turn.limit, label: "Getting ready" });
    return turn;
  }

  function run(turn: Turn, regenerated: boolean): RunningTurn {
    const loop = startLoop(turn, performersFor(turn), { limit: turn.limit });
    const heartbeat = startProgressHeartbeat({
      clock: deps.clock,
      lastHeard: () => turn.trail.lastAt,
      beat: () => turn.trail.add({ type: "turn.heartbeat", label: turn.activity.summary() || "Working" }),
    });
    const cancelLimit = deps.clock.after(turn.cost.remainingMs(), () => {
      turn.problem ??= {
        reason: turn.cost.exceeded() ?? "This turn has used its time.",
        action: "Send a new message to go on from here.",
      };
      loop.dispatch({ type: "budget-spent" });
    });
    const entry: RunningTurn = {
      turn,
      loop,
      interrupt: (by) => loop.dispatch({ type: "interrupted", by }),
      done: stages(turn, loop, regenerated).finally(() => {
        heartbeat.stop();
        cancelLimit();
        turn.abort.abort();
        running.delete(turn.key.turnId);
      }),
    };
    running.set(turn.key.turnId, entry);
    return entry;
  }

  /** Context, inference, response. Nothing that goes wrong in them gets past here: the turn always ends. */
  async function stages(turn: Turn, loop: Loop, regenerated: boolean): Promise<void> {
    prepareContext(parts, turn).then(
      (context) => {
        turn.context = context;
        contexts.delete(turn.conversation.id);
        contexts.set(turn.conversation.id, context);
        if (contexts.size > 16) contexts.delete(contexts.keys().next().value as ConversationId);
        loop.dispatch({ type: "context-ready" });
      },
      (thrown: unknown) => {
        const error = asCredenceError(thrown);
        turn.problem ??= { reason: error.message, action: actionFor(error.retry) };
        loop.dispatch({ type: "engine-failed" });
      },
    );
    const ending = await loop.ended;
    try {
      respond(parts, turn, ending);
      bookkeeping.queue(jobsAfter(parts, turn, ending, regenerated));
    } catch (thrown) {
      endAnyhow(turn, ending, thrown);
    } finally {
      deps.conversations.setActiveTurn(turn.conversation.id, null);
    }
  }

  /** The response stage itself failed (a full disk): the window must still learn that the turn is over, and why. */
  function endAnyhow(turn: Turn, ending: Ending, thrown: unknown): void {
    const error = asCredenceError(thrown);
    deps.log.error("turn.response-failed", {
      turnId: turn.key.turnId,
      outcome: ending.outcome,
      kind: error.kind,
      detail: error.facts,
    });
    turn.trail.add({ type: "turn.degraded", reason: error.message, action: actionFor(error.retry) });
    turn.trail.add({
      type: "turn.ended",
      outcome: "degraded",
      messageId: turn.key.messageId,
      note: error.message,
      durationMs: deps.clock.monotonic() - turn.startedAt,
    });
  }

  function performersFor(turn: Turn) {
    return {
      think: (step: { iteration: number; nudge: "stalled" | "malformed" | null }) => {
        if (step.nudge) turn.trail.add({ type: "turn.nudge", reason: nudgeWords[step.nudge] });
        return thinkStep(parts, turn, step);
      },
      consultGate: (callId: string) => consultGate(parts, turn, callId),
      runCall: (callId: string) => runCall(parts, turn, callId),
      askApproval: (callId: string) => askApproval(turn, callId),
      askUser: (callId: string) => askUser(turn, callId),
      noteRefusal: noteRefusal.bind(null, turn),
      noteMalformed: (problem: string) => {
        turn.memory = { ...turn.memory, problem };
      },
      consolidate: (callIds: readonly string[]) => consolidateAction(parts, turn, callIds),
    };
  }

  function runningTurn(turnId: TurnId): RunningTurn & { loop: Loop } {
    const found = running.get(turnId);
    if (!found?.loop) throw new CredenceError("agent.turn-not-running", { turnId });
    return found as RunningTurn & { loop: Loop };
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
      const open = [...running.values()];
      for (const entry of open) entry.interrupt("shutdown");
      await Promise.all(open.map((entry) => entry.done));
      await bookkeeping.close();
      await parts.artifacts.settled();
    },
  };
}

const nudgeWords = {
  stalled: "The same steps came again without progress: it answers from what it has.",
  malformed: "Its tool calls could not be read: it answers from what it has.",
} as const;

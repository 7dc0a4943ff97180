/**
 * The composition root: the only place where the parts of the core meet. Electron's main process, the command line,
 * tests and benchmarks all start Credence here.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  createAgent,
  createAptitude,
  createCallRecognizer,
  createProposerFor,
  createRouter,
  headStore,
  routeHandlers,
  turnHandlers,
} from "./agent/index.ts";
import { beliefHandlers, createBeliefPorts, createBeliefs, type ReasoningType, refusalWords } from "./beliefs/index.ts";
import {
  type AppEvent,
  asCredenceError,
  type ConversationId,
  CredenceError,
  type Handlers,
  type Job,
  type MethodName,
  methods,
  type Params,
  type Result,
} from "./contract/index.ts";
import { Conversations, conversationHandlers } from "./conversations/index.ts";
import { attachPort, Library, libraryHandlers } from "./documents/index.ts";
import { createEgress, privacyHandlers } from "./egress/index.ts";
import { Feeds, feedFetcher, feedHandlers, feedParser, pictureFetcher } from "./feeds/index.ts";
import { IngestQueue, jobHandlers, queueSettings, Reading } from "./ingest/index.ts";
import { createMemory, episodesPort, memoryHandlers, recallPort } from "./memory/index.ts";
import { createModels, modelHandlers } from "./models/index.ts";
import { chunk, createParser } from "./parsing/index.ts";
import { type ChildHost, type Clock, EventBus, fileLog, type Log, systemClock } from "./platform/index.ts";
import { createSettings, settingsHandlers } from "./settings/index.ts";
import {
  applyRestore,
  backUp,
  listBackups,
  lockProfile,
  migrations,
  type NativePaths,
  openStorage,
  scheduleRestore,
} from "./storage/index.ts";
import {
  builtInTools,
  createApprovalGate,
  createCircuitBreaker,
  createMcp,
  createProductivity,
  createToolRegistry,
  feedLookupPort,
  libraryPort,
  mcpHandlers,
  memorySearchPort,
  modelPlanner,
  toolHandlers,
  webResearch,
} from "./tools/index.ts";
import { VERSION } from "./version.ts";

/** Below this size a model is not asked to weigh evidence: the rules alone are better. */
const LEAST_SCORING_PARAMETERS = 1e9;

/** The window opens first; the model is loaded while the user looks at it. */
const WARM_UP_AFTER_MS = 1_500;
/** Tool servers are other programs: a short command must not start them. */
const TOOL_SERVERS_AFTER_MS = 1_500;

export interface AppOptions {
  /** The profile: everything that Credence keeps lies in this folder. */
  readonly dataDir: string;
  /** Folders that may hold models shipped with Credence, searched in order. */
  readonly modelDirs: readonly string[];
  readonly childHost: ChildHost;
  readonly native?: NativePaths;
  readonly clock?: Clock;
  readonly log?: Log;
  /** `share` leaves start-up housekeeping to the Credence that owns the profile (the command line beside an open window). */
  readonly profile?: "own" | "share";
  /** Whether the machine runs on battery: background reading waits then. */
  readonly onBattery?: () => boolean;
  /** Loads the chat model soon after the start and evaluates what every chat begins with: the first answer starts sooner. */
  readonly warmUp?: boolean;
}

export interface App {
  readonly dataDir: string;
  /** Checks the parameters, runs the method. Everything it throws is a `CredenceError`. */
  call<Name extends MethodName>(method: Name, params: Params<Name>): Promise<Result<Name>>;
  on(listener: (event: AppEvent) => void): () => void;
  /** Ends running turns, stores what they wrote, stops the child processes and closes the database. */
  close(): Promise<void>;
}

/** Starts the core on a profile. Throws the errors of `openStorage` and `lockProfile`. */
export async function createApp(options: AppOptions): Promise<App> {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? fileLog(options.dataDir, () => clock.now());
  const own = options.profile !== "share";
  if (own) applyRestore(options.dataDir, log);
  const { connection, rescue } = await openStorage({
    dataDir: options.dataDir,
    migrations,
    native: options.native,
    log,
  });
  let unlock = () => {};
  try {
    if (own) unlock = lockProfile(options.dataDir);
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
  const stopped = new AbortController();
  const bus = new EventBus<AppEvent>((thrown) => log.error("listener", { detail: String(thrown) }));

  const settings = createSettings({
    db: connection,
    onChanged: (changed) => bus.emit({ type: "settings.changed", settings: changed }),
  });
  const conversations = new Conversations({
    db: connection,
    clock,
    onChanged: (ids) => bus.emit({ type: "conversations.changed", ids: [...ids] }),
  });
  const models = createModels({
    db: connection,
    clock,
    log,
    childHost: options.childHost,
    dataDir: options.dataDir,
    modelDirs: options.modelDirs,
    contextLimit: () => settings.get().contextLimit,
    onChanged: (changed) => bus.emit({ type: "models.changed", models: changed }),
    onEngineState: (state) => bus.emit({ type: "engine.state", ...state }),
  });
  const beliefs = createBeliefs({
    db: connection,
    clock,
    log,
    embedder: () => models.embedder(),
    model: async () => {
      // A small model has nothing to add to the rules; a larger one must first pass the scorer's trial.
      const current = await models.current();
      return (current?.facts.parameters ?? 0) >= LEAST_SCORING_PARAMETERS ? models.chat("structured") : null;
    },
    propositions: async (statements, { source, at, strength, claim, signal }) => {
      const stored = await memory.knowledge.add(
        statements.map((statement) => ({ statement, cites: [], at, strength, claim })),
        signal,
      );
      log.info("beliefs.propositions", { kind: source.kind, count: stored.length });
      const known = stored.filter((one) => one.outcome === "cited").length;
      return { stored: stored.length - known, known };
    },
    onChanged: (ids) => bus.emit({ type: "beliefs.changed", ids: [...ids] }),
  });
  const beliefPorts = createBeliefPorts(beliefs, {
    now: () => clock.now(),
    titleOf: (id) => conversations.title(id as ConversationId),
    messageOf: (turnId) =>
      connection
        .read<{ id: string }>("SELECT id FROM messages WHERE turn_id = ? AND role = 'user' ORDER BY seq LIMIT 1")
        .get(turnId)?.id ?? null,
    mayAskModel: () => true,
  });
  const turnsRunning = new Set<string>();
  const memory = createMemory({
    db: connection,
    clock,
    log,
    embedder: () => models.embedder(),
    thread: { path: connection.path, native: options.native },
    busy: () => turnsRunning.size > 0,
    onBattery: options.onBattery ?? (() => false),
    capable: async () => {
      const current = await models.current();
      return (current?.facts.parameters ?? 0) >= LEAST_SCORING_PARAMETERS ? models.chat("structured") : null;
    },
    titleOf: (id) => conversations.title(id),
    hiddenSources: () => conversations.hidden(),
    // Evidence in a conversation points to the message; memory keeps its pieces.
    soleEvidence: (id) =>
      beliefs.sources.isSoleEvidence(
        connection.read<{ message_id: string | null }>("SELECT message_id FROM derivatives WHERE id = ?").get(id)
          ?.message_id ?? id,
      ),
    onChanged: () => bus.emit({ type: "memory.changed" }),
  });
  let embedding: string | null = null;
  bus.on((event) => {
    if (event.type === "turn.started") {
      turnsRunning.add(event.turnId);
      queue.yieldToChat();
    } else if (event.type === "turn.ended") turnsRunning.delete(event.turnId);
    else if (event.type === "models.changed") {
      const current = event.models.find((model) => model.role === "embed" && model.active)?.id ?? null;
      if (embedding !== null && current !== null && current !== embedding) memory.embedderChanged();
      embedding = current ?? embedding;
    }
  });
  const readers = Math.min(4, Math.max(1, availableParallelism() - 1));
  const parser = createParser({ host: options.childHost, clock, log, size: readers });
  const library = new Library({
    db: connection,
    clock,
    log,
    parser,
    index: memory.index,
    readers,
    ocrFolder: join(options.dataDir, "ocr"),
    beliefs: {
      standingOn: (passageIds) => beliefs.sources.standingOn(passageIds),
      forget: (ids) => {
        for (const id of ids) beliefs.sources.forget("document", id);
      },
    },
    evidence: {
      hasRoom: () => queue.hasRoom(),
      offer: ({ passageId, documentId, title, from, text, at }) =>
        void queue.submit({
          kind: "document",
          sourceId: passageId,
          containerId: documentId,
          from,
          title,
          text,
          publishedAt: at,
        }),
    },
    onChanged: (change) => bus.emit({ type: "library.changed", ...change }),
  });
  const egress = createEgress({
    db: connection,
    clock,
    userAgent: `Credence/${VERSION}`,
    onChanged: () => bus.emit({ type: "privacy.changed" }),
  });
  const reading: Reading = new Reading({
    beliefs,
    read: (request) => agent.ingest(request),
    refusal: (type) => refusalWords[type as ReasoningType] ?? refusalWords.no_argument,
    clock,
  });
  const queue = new IngestQueue({
    db: connection,
    clock,
    log,
    weigh: reading.weigh,
    work: reading.work,
    // Conversations lock themselves one by one; what keeps the queue out of their way is that it yields to any of them.
    lock: (task) => task(),
    chatting: () => turnsRunning.size > 0,
    onBattery: options.onBattery ?? (() => false),
    settings: queueSettings(connection),
    onChanged: (state, job) => {
      bus.emit({ type: "jobs.changed", queue: state, job });
      if (state.waiting * 2 < state.capacity) offerWaiting();
    },
  });
  const feeds: Feeds = new Feeds({
    db: connection,
    clock,
    log,
    fetch: feedFetcher(egress),
    parser: feedParser(parser),
    fetchPicture: pictureFetcher(egress),
    index: memory.index,
    split: (text) => chunk({ text, sections: [] }, { key: "feed" }).map(({ start, end }) => text.slice(start, end)),
    allowed: () => egress.refusal("feeds") === null,
    offer: ({ entryId, feedId, feedTitle, title, text, at }) => {
      if (!queue.hasRoom()) return false;
      queue.submit({
        kind: "feed",
        sourceId: entryId,
        containerId: feedId,
        from: feedTitle,
        title,
        text,
        publishedAt: at,
      });
      return true;
    },
    evidenceOf: (entryId) => evidenceNote(queue.find("feed", entryId)),
    evidenceIds: () => beliefs.store.evidenceSources("feed"),
    onForgotten: (entryIds) => {
      if (beliefs.sources.standingOn(entryIds).length === 0) return;
      for (const id of entryIds) beliefs.sources.forget("feed", id);
    },
    isEvidence: (entryId) => beliefs.store.evidenceOn({ refIds: [entryId] }).length > 0,
    onChanged: (ids) => bus.emit({ type: "feeds.changed", ids: [...ids] }),
  });
  const tools = createToolRegistry();
  const gate = createApprovalGate({ db: connection, clock });
  const breaker = createCircuitBreaker(clock);
  const router = createRouter({ embedder: () => models.embedder(), log, store: headStore(connection) });
  const lookUps = {
    memory: memorySearchPort(memory),
    library: libraryPort(library, memory.index),
    feeds: feedLookupPort(feeds, memory.index),
    beliefs: beliefPorts.lookup,
    knowledge: reading.knowledge(beliefPorts.knowledge),
  };
  const aptitude = createAptitude({ models, clock, log, busy: () => turnsRunning.size > 0 });
  const research = webResearch({
    egress,
    reader: { read: ({ bytes, url }, signal) => parser.run("html.readable", { html: bytes, url }, { signal }) },
    embed: async (texts, signal) => (await models.embedder())?.embed(texts, { signal }) ?? null,
    // A model that the harness has to steer makes no better checklist than rules do.
    planner: modelPlanner(async () => {
      const model = await models.chat("structured");
      return ((await aptitude.kindFor(model)) ?? "harness") === "harness" ? null : model;
    }),
    productivity: createProductivity(connection, clock),
    engine: () => settings.get().searchEngine ?? null,
    log,
  });
  for (const tool of [...builtInTools(lookUps, clock), research]) tools.register(tool);
  const mcp = createMcp({
    db: connection,
    egress,
    registry: tools,
    clock,
    log,
    version: VERSION,
    onChanged: () => bus.emit({ type: "tools.changed" }),
  });
  tools.onChange(() => bus.emit({ type: "tools.changed" }));
  const agent = createAgent({
    db: connection,
    conversations,
    models,
    activeModel: async () => {
      const current = await models.current();
      return current && { id: current.id, name: current.facts.name };
    },
    clock,
    log,
    publish: (event) => bus.emit(event),
    artifactsDir: join(options.dataDir, "artifacts"),
    recall: recallPort(memory),
    beliefs: beliefPorts.loop,
    episodes: episodesPort(
      memory,
      () => clock.now(),
      (text, signal) => beliefs.score(text, signal, false),
    ),
    attach: attachPort(library),
    settings: () => settings.get(),
    adoptBookkeeping: own && !rescue,
    tools,
    gate,
    breaker,
    recognizer: createCallRecognizer(),
    proposerFor: createProposerFor({ router, kindFor: aptitude.kindFor }),
    canCopyFacts: aptitude.canCopyFacts,
  });
  const offerWaiting = () => {
    feeds.offerPending();
    library.offerEvidence();
  };
  const purge = async () => {
    for (const id of conversations.purgeDeleted()) {
      await agent.forget(id);
      gate.endConversation(id);
      memory.forgetConversation(id);
      beliefs.sources.forget("message", id);
    }
    memory.purgeDeleted();
  };
  if (own && !rescue) {
    await purge();
    beliefs.start();
    conversations.markInterrupted();
    agent.recover();
    memory.start();
    feeds.purgeRemoved();
    feeds.refresher.start();
    if (options.warmUp) {
      clock.after(WARM_UP_AFTER_MS, () => void agent.warmUp(stopped.signal).catch(() => {}));
    }
    queue.start();
    stopped.signal.addEventListener("abort", clock.after(TOOL_SERVERS_AFTER_MS, mcp.start), { once: true });
    // A turn comes first: the check stops for it within a token, and goes on in the quiet after it.
    bus.on((event) => {
      if (event.type === "turn.started") aptitude.giveWay();
      else if (event.type === "turn.ended" || event.type === "models.changed") aptitude.wake();
    });
    if (options.warmUp) aptitude.wake();
  }
  if (!rescue) await library.start({ recover: own });

  const handlers: Partial<Handlers> = {
    "app.info": () => ({
      version: VERSION,
      dataDir: options.dataDir,
      runtime: process.versions["electron"]
        ? `Electron ${process.versions["electron"]}`
        : `Node ${process.versions.node}`,
      platform: `${process.platform} ${process.arch}`,
      readOnly: rescue
        ? {
            reason: rescue.reason,
            backup: rescue.backup && { path: rescue.backup.path, createdAt: rescue.backup.createdAt },
          }
        : null,
      requestsEver: egress.requestsEver(),
    }),
    "backups.create": () => backUp(connection, options.dataDir, "manual"),
    "backups.list": () => listBackups(options.dataDir),
    "backups.restore": ({ path }) => {
      const newest = migrations.at(-1)?.version ?? 0;
      scheduleRestore({ dataDir: options.dataDir, path, newest, native: options.native });
      return null;
    },
    ...settingsHandlers(settings),
    ...conversationHandlers(conversations),
    ...modelHandlers(models),
    ...turnHandlers(agent),
    ...routeHandlers(router),
    ...toolHandlers({ tools: () => tools.all(), gate, breaker, serverOf: mcp.serverOf }),
    ...memoryHandlers(memory),
    ...beliefHandlers(beliefs, stopped.signal),
    ...mcpHandlers(mcp),
    ...privacyHandlers(egress),
    ...jobHandlers(queue),
    ...feedHandlers(feeds, stopped.signal),
    ...libraryHandlers(library, memory.index, parser),
  };

  let closed = false;
  return {
    dataDir: options.dataDir,
    async call(method, params) {
      const handler = handlers[method] as ((params: unknown) => unknown) | undefined;
      const spec = methods[method];
      if (!handler || !spec) throw new CredenceError("general.unknown-method", { method });
      const parsed = spec.params.safeParse(params);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        const problem = issue ? `${issue.path.join(".") || "the parameters"}: ${issue.message}` : "wrong shape";
        throw new CredenceError("general.invalid-request", { method, problem });
      }
      try {
        return (await handler(parsed.data)) as Result<typeof method>;
      } catch (thrown) {
        const error = readOnlyError(thrown, rescue?.reason ?? null) ?? asCredenceError(thrown);
        if (error.kind === "general.unexpected") {
          log.error("method.failed", {
            method,
            detail: error.facts,
            stack: thrown instanceof Error ? thrown.stack : null,
          });
        }
        throw error;
      }
    },
    on: (listener) => bus.on(listener),
    async close() {
      if (closed) return;
      closed = true;
      stopped.abort();
      await queue.close();
      await agent.close();
      if (own && !rescue) await purge();
      await feeds.close();
      await library.close();
      await aptitude.close();
      await mcp.close();
      await egress.close();
      parser.close();
      await memory.close();
      await models.close();
      connection.close();
      unlock();
    },
  };
}

/** What weighing came to, for the row of a feed entry. */
function evidenceNote(job: Job | null): { state: string; note: string } | null {
  if (!job) return null;
  if (job.endedAt === null)
    return { state: job.state, note: job.state === "waiting" ? "Waiting to be weighed" : "Being weighed" };
  if (job.state === "skipped") return { state: job.state, note: "Stored only" };
  const moved = job.beliefs.some((note) => note.outcome !== "did-not-move");
  return { state: job.state, note: moved ? "Moved a belief" : (job.reason ?? "Weighed") };
}

/** In read-only rescue every write fails in SQLite; the user hears why instead of how. */
function readOnlyError(thrown: unknown, reason: string | null): CredenceError | null {
  if (reason === null || !(thrown instanceof Error) || !("code" in thrown)) return null;
  return String(thrown.code).startsWith("SQLITE_READONLY") ? new CredenceError("storage.read-only", { reason }) : null;
}

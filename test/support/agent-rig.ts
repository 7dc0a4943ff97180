import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { AgentDeps } from "../../core/agent/deps.ts";
import { type Agent, createAgent } from "../../core/agent/index.ts";
import type { Proposer } from "../../core/agent/proposers/types.ts";
import type { ConversationId, TurnEvent, TurnId } from "../../core/contract/index.ts";
import { Conversations } from "../../core/conversations/index.ts";
import { silentLog, systemClock } from "../../core/platform/index.ts";
import { Connection, migrate, migrations } from "../../core/storage/index.ts";
import type { AnyTool, ApprovalGate, Tool, ToolContext, ToolOutput, ToolRegistry } from "../../core/tools/types.ts";
import { RAW, type ScriptedModel } from "./scripted-model.ts";

/** An agent on a database of its own, with a scripted model and every event at hand. */
export interface AgentRig {
  readonly agent: Agent;
  readonly conversations: Conversations;
  readonly db: Connection;
  readonly events: TurnEvent[];
  readonly conversationId: ConversationId;
  /** Sends and waits for the end of the turn; gives the events of that turn. */
  ask(text: string, conversationId?: ConversationId): Promise<TurnEvent[]>;
  eventsOf(turnId: TurnId): TurnEvent[];
  /** Resolves with the first event of the type, past or to come. */
  until<Type extends TurnEvent["type"]>(type: Type, turnId?: TurnId): Promise<Extract<TurnEvent, { type: Type }>>;
  close(): Promise<void>;
}

export interface RigOptions extends Partial<Omit<AgentDeps, "tools" | "models">> {
  readonly model: ScriptedModel | (() => Promise<ScriptedModel>);
  readonly tools?: readonly AnyTool[];
  /** In place of a fixed list of tools. */
  readonly registry?: ToolRegistry;
  readonly maxIterations?: number;
  readonly ephemeral?: boolean;
  readonly path?: string;
}

/** Lets the model's own reply decide: what the scripted replies then contain is what happens. */
export const askModel: Proposer = {
  kind: "native",
  propose: async () => ({ proposal: { kind: "ask-model" }, promptTokens: 0, generatedTokens: 0 }),
};

export function openRig(options: RigOptions): AgentRig {
  const { model, tools = [], registry, maxIterations = 12, ephemeral = false, path, ...rest } = options;
  const folder = mkdtempSync(join(tmpdir(), "credence-agent-"));
  const db = new Connection(path ?? join(folder, "test.db"));
  migrate(db, migrations);
  const clock = rest.clock ?? systemClock;
  const conversations = new Conversations({ db, clock });
  const events: TurnEvent[] = [];
  const listeners = new Set<() => void>();
  const agent = createAgent({
    db,
    conversations,
    models: { chat: async () => (typeof model === "function" ? model() : model), embedder: async () => null },
    clock,
    log: silentLog,
    artifactsDir: join(folder, "artifacts"),
    settings: () => ({ maxIterations }),
    tools: registry ?? fixedRegistry(tools),
    proposerFor: async () => askModel,
    ...rest,
    publish(event) {
      events.push(event);
      rest.publish?.(event);
      for (const listener of listeners) listener();
    },
  });
  const conversationId = conversations.create({ ephemeral }).id;
  const rig: AgentRig = {
    agent,
    conversations,
    db,
    events,
    conversationId,
    async ask(text, id = conversationId) {
      const { turnId } = await agent.send({ conversationId: id, text });
      await rig.until("turn.ended", turnId);
      return rig.eventsOf(turnId);
    },
    eventsOf: (turnId) => events.filter((event) => event.turnId === turnId),
    until(type, turnId) {
      return new Promise((resolve) => {
        const look = () => {
          const found = events.find(
            (event) => event.type === type && (turnId === undefined || event.turnId === turnId),
          );
          if (!found) return;
          listeners.delete(look);
          resolve(found as never);
        };
        listeners.add(look);
        look();
      });
    },
    async close() {
      await agent.close();
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return rig;
}

export function fixedRegistry(tools: readonly AnyTool[]): ToolRegistry {
  const all = [...tools];
  return {
    register(tool) {
      all.push(tool);
      return () => all.splice(all.indexOf(tool), 1);
    },
    get: (name) => all.find((tool) => tool.name === name),
    available: () => all.filter((tool) => tool.unavailable?.() == null),
    onChange: () => () => {},
  };
}

const Query = z.object({ query: z.string().default("") });

/** A tool that takes `{query}` and records its calls; its output carries the mark of raw output. */
export function fakeTool(
  name: string,
  options: Partial<Tool<{ query: string }>> & {
    run?: (args: { query: string }, context: ToolContext) => Promise<ToolOutput> | ToolOutput;
  } = {},
): AnyTool & { readonly calls: { query: string }[] } {
  const calls: { query: string }[] = [];
  const { run, ...rest } = options;
  return {
    name,
    description: `A tool named ${name}.`,
    schema: Query,
    parameters: { type: "object", properties: { query: { type: "string" } } },
    safety: "safe",
    timeoutMs: 10_000,
    label: (args) => `${name} ${args.query}`,
    async execute(args, context) {
      calls.push(args);
      return run ? run(args, context) : { text: `${RAW} output of ${name} for ${args.query}`, summary: "1 result" };
    },
    calls,
    ...rest,
  };
}

/** A gate that decides everything alike and keeps what it was told. */
export function fixedGate(
  kind: "allow" | "ask" | "deny",
  reason = "Not allowed here.",
): ApprovalGate & { readonly remembered: unknown[] } {
  const remembered: unknown[] = [];
  return {
    remembered,
    decide: () => (kind === "allow" ? { kind, because: "test" } : kind === "ask" ? { kind } : { kind, reason }),
    remember(tool, args, conversationId, decision, remember) {
      remembered.push({ tool: tool.name, args, conversationId, decision, remember });
      return remember;
    },
  };
}

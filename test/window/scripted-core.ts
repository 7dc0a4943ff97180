/**
 * A core made of data, for window tests and screenshots: it answers the bridge's methods from a script and says events
 * when told to. It decides nothing; nothing of it is in the product.
 */
import type {
  BridgeEvent,
  BridgeMethod,
  BridgeParams,
  BridgeResult,
  CredenceBridge,
} from "../../core/contract/bridge.ts";
import type { Conversation, InstalledModel, Machine, Message, Settings, TurnEvent } from "../../core/contract/index.ts";

type Answers = {
  [Name in BridgeMethod]?: (params: BridgeParams<Name>) => BridgeResult<Name> | Promise<BridgeResult<Name>>;
};

export interface Script {
  settings?: Partial<Settings>;
  conversations?: Conversation[];
  messages?: Record<string, Message[]>;
  /** Trails by message. */
  trails?: Record<string, TurnEvent[]>;
  /** Events of turns that run, by turn. */
  running?: Record<string, TurnEvent[]>;
  artifacts?: Record<string, string>;
  models?: InstalledModel[];
  machine?: Machine;
  readOnly?: string | null;
  requestsEver?: number;
  answers?: Answers;
  platform?: CredenceBridge["platform"];
}

export interface ScriptedCore extends CredenceBridge {
  readonly calls: { method: BridgeMethod; params: unknown }[];
  emit(event: BridgeEvent): void;
  callsOf<Name extends BridgeMethod>(method: Name): BridgeParams<Name>[];
}

export const defaultSettings: Settings = {
  theme: "light",
  firstStartDone: true,
  contextLimit: null,
  maxIterations: 12,
  sendWithEnter: true,
  textSize: 1,
};

export const defaultMachine: Machine = {
  memoryBytes: 16e9,
  freeMemoryBytes: 9.1e9,
  physicalCores: 8,
  gpu: null,
  gpuMemoryBytes: null,
  suggestedBillions: 12,
};

const refuse = (method: string) => ({
  kind: "general.unknown-method",
  message: `There is no method named ${method}.`,
  facts: { method },
  retry: "never" as const,
});

export function createScriptedCore(script: Script = {}): ScriptedCore {
  const listeners = new Set<(event: BridgeEvent) => void>();
  const calls: ScriptedCore["calls"] = [];
  let settings: Settings = { ...defaultSettings, ...script.settings };
  let conversations = [...(script.conversations ?? [])];
  const messages = script.messages ?? {};
  const deleted = new Map<string, Conversation>();
  const emit = (event: BridgeEvent) => {
    for (const listener of [...listeners]) listener(structuredClone(event));
  };
  const find = (id: string) => {
    const found = conversations.find((each) => each.id === id);
    if (!found)
      throw { kind: "general.not-found", message: "There is no such conversation.", facts: {}, retry: "never" };
    return found;
  };
  const change = (id: string, part: Partial<Conversation>) => {
    conversations = conversations.map((each) => (each.id === id ? { ...each, ...part } : each));
    emit({ type: "conversations.changed", ids: [id as Conversation["id"]] });
    return find(id);
  };

  const answers: Answers = {
    "app.startup": () => ({ state: "ready" }),
    "app.info": () => ({
      version: "0.1.0",
      dataDir: "/home/ada/Documents/Credence",
      runtime: "Electron 33",
      platform: "linux",
      readOnly: script.readOnly ? { reason: script.readOnly, backup: null } : null,
      requestsEver: script.requestsEver ?? 0,
    }),
    "settings.get": () => settings,
    "settings.set": (part) => {
      settings = { ...settings, ...part };
      emit({ type: "settings.changed", settings });
      return settings;
    },
    "shell.setTheme": () => null,
    "shell.copyText": () => null,
    "shell.revealPath": () => null,
    "shell.openExternal": () => null,
    "shell.openFiles": () => ({ paths: [] }),
    "shell.saveText": () => ({ path: "/tmp/saved" }),
    "conversations.list": ({ query }) => {
      const needle = query?.toLowerCase();
      return conversations.filter((each) => !needle || each.title.toLowerCase().includes(needle));
    },
    "conversations.get": ({ id }) => find(id),
    "conversations.create": ({ ephemeral }) => {
      const made = conversation({
        id: `c${conversations.length + 100}`,
        title: "",
        ephemeral: ephemeral ?? false,
        turns: 0,
      });
      conversations = [made, ...conversations];
      messages[made.id] = [];
      emit({ type: "conversations.changed", ids: [made.id] });
      return made;
    },
    "conversations.rename": ({ id, title }) => change(id, { title, titled: true }),
    "conversations.pin": ({ id, pinned }) => change(id, { pinned }),
    "conversations.setScope": ({ id, scope }) => change(id, { scope }),
    "conversations.delete": ({ id }) => {
      deleted.set(id, find(id));
      conversations = conversations.filter((each) => each.id !== id);
      emit({ type: "conversations.changed", ids: [id as Conversation["id"]] });
      return null;
    },
    "conversations.restore": ({ id }) => {
      const back = deleted.get(id)!;
      conversations = [back, ...conversations];
      emit({ type: "conversations.changed", ids: [back.id] });
      return back;
    },
    "conversations.messages": ({ id, before, limit = 50 }) => {
      const all = messages[id] ?? [];
      const end = before ? all.findIndex((each) => each.id === before) : all.length;
      const start = Math.max(0, end - limit);
      return { messages: all.slice(start, end), total: all.length, hasOlder: start > 0 };
    },
    "turns.replay": ({ turnId, afterSeq }) => ({
      events: (script.running?.[turnId] ?? []).filter((each) => each.seq > afterSeq),
      ended: false,
    }),
    "turns.trail": ({ messageId }) => {
      const events = script.trails?.[messageId] ?? [];
      return { turnId: events[0]?.turnId ?? null, events };
    },
    "turns.artifact": ({ artifactId, offset = 0 }) => {
      const text = script.artifacts?.[artifactId];
      if (text === undefined)
        throw { kind: "general.not-found", message: "It is no longer kept.", facts: {}, retry: "never" };
      const page = text.slice(offset, offset + 64_000);
      const next = offset + page.length;
      return { text: page, totalChars: text.length, nextOffset: next < text.length ? next : null };
    },
    "turns.decide": () => null,
    "turns.clarify": () => null,
    "turns.stop": () => null,
    "backups.list": () => [],
    "tools.list": () => [],
    "mcp.list": () => [],
    "models.list": () => ({ models: script.models ?? [], machine: script.machine ?? defaultMachine }),
    ...script.answers,
  };

  return {
    calls,
    emit,
    platform: script.platform ?? "linux",
    async call(method, params) {
      calls.push({ method, params });
      await Promise.resolve();
      const answer = answers[method] as ((params: unknown) => unknown) | undefined;
      if (!answer) throw refuse(method);
      return structuredClone(await answer(params)) as never;
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pathForFile: (file) => `/dropped/${file.name}`,
    callsOf: (method) => calls.filter((each) => each.method === method).map((each) => each.params) as never,
  };
}

export function conversation(part: Partial<Omit<Conversation, "id">> & { id: string }): Conversation {
  return {
    title: "",
    titled: true,
    pinned: false,
    createdAt: Date.now(),
    updatedAt: Date.now(),
    turns: 1,
    activeTurn: null,
    scope: null,
    ephemeral: false,
    ...part,
  } as Conversation;
}

export function message(
  part: Partial<Omit<Message, "id" | "conversationId" | "turnId">> & {
    id: string;
    conversationId?: string;
    turnId?: string | null;
  },
): Message {
  return {
    conversationId: "c1",
    turnId: null,
    role: "assistant",
    content: "",
    reasoning: "",
    state: "complete",
    createdAt: Date.now(),
    modelName: null,
    modelId: null,
    generatedTokens: null,
    tokensPerSecond: null,
    note: null,
    versions: null,
    damaged: null,
    ...part,
  } as Message;
}

export function model(part: Partial<Omit<InstalledModel, "id">> & { id: string }): InstalledModel {
  return {
    name: part.id,
    fileName: `${part.id}.gguf`,
    path: `/models/${part.id}.gguf`,
    role: "chat",
    starter: false,
    sizeBytes: 1e9,
    architecture: "llama",
    parameters: null,
    quantization: "Q4_K_M",
    trainedContext: 32768,
    window: 32768,
    memoryBytes: 1.4e9,
    fits: "yes",
    licence: "Apache-2.0",
    active: false,
    state: "idle",
    loadProgress: null,
    problem: null,
    tokensPerSecond: null,
    profile: null,
    ...part,
  } as InstalledModel;
}

type WithoutBase<Event> = Event extends TurnEvent
  ? Omit<Event, "turnId" | "conversationId" | "seq" | "at"> & { at?: number }
  : never;

/** Numbers and dates the events of one turn, a second apart unless they say otherwise. */
export function turnEvents(
  turnId: string,
  conversationId: string,
  events: readonly WithoutBase<TurnEvent>[],
  start = 1_700_000_000_000,
): TurnEvent[] {
  let at = start;
  return events.map((event, index) => {
    at = event.at ?? at + 1000;
    return { ...event, turnId, conversationId, seq: index + 1, at } as TurnEvent;
  });
}

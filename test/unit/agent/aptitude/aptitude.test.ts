import { describe, expect, it } from "vitest";
import { checkAptitude, copiesFaithfully, createAptitude, proposerOf } from "../../../../core/agent/aptitude/index.ts";
import { ACTION_TASKS, CONSOLIDATION_TASKS, COPY_TASKS } from "../../../../core/agent/aptitude/tasks.ts";
import type { ModelId } from "../../../../core/contract/index.ts";
import type { ChatMessage, ChatModel, ChatRequest, ChatResult } from "../../../../core/models/types.ts";
import { ManualClock, silentLog } from "../../../../core/platform/index.ts";

const result = (text: string, calls: ChatResult["calls"] = []): ChatResult => ({
  text,
  reasoning: "",
  calls,
  stopped: "end",
  promptTokens: 1,
  cachedTokens: 0,
  generatedTokens: 1,
  promptMs: 1,
  decodeMs: 1,
});

interface Mind {
  readonly reply: (message: string, request: ChatRequest) => ChatResult | Promise<ChatResult>;
  readonly choose: (message: string, messages: readonly ChatMessage[]) => unknown;
}

function model(mind: Mind): ChatModel {
  return {
    description: {
      id: "m",
      name: "m",
      architecture: "x",
      trainedContext: 32_768,
      window: 32_768,
      supportsTools: true,
      reasons: false,
    },
    async generate(request, { signal }) {
      signal.throwIfAborted();
      return mind.reply(request.messages.at(-1)!.content, request);
    },
    countPrompt: async () => 1,
    countTokens: async (texts) => texts.map(() => 1),
    prefill: async () => {},
    async structured(request) {
      const value = request.schema.parse(mind.choose(request.messages.at(-1)!.content, request.messages));
      return { value, promptTokens: 1, generatedTokens: 1 } as never;
    },
  };
}

const task = (message: string) => ACTION_TASKS.find((each) => each.message === message);

const able: Mind = {
  reply(message, request) {
    if (request.tools) {
      const wanted = task(message)?.tool;
      return wanted ? result("", [{ name: wanted, args: { query: message } }]) : result("Certainly.");
    }
    if (message.includes("boathouse")) return result("Behind the blue clock.");
    const system = request.messages[0]!.content;
    if (system.includes("OKAPI")) return result("Green. OKAPI");
    if (system.includes("one word")) return result("Cat.");
    if (system.includes("Theodora")) return result("My name is Theodora.");
    if (message.includes("Deutsch")) return result("Regen ist Wasser, das aus den Wolken auf die Erde fällt.");
    if (message.includes("français")) return result("La pluie est de l'eau qui tombe des nuages.");
    if (message.includes("español")) return result("I only speak English, sorry about that.");
    return result("Rain is water that falls from the clouds to the ground.");
  },
  choose(message) {
    const action = task(message);
    if (action) return { action: action.tool ?? "answer", query: "" };
    const consolidation = CONSOLIDATION_TASKS.find((each) => message.includes(each.output));
    if (consolidation) return { long_term_memory: consolidation.output, short_term_memory: "Enough to answer." };
    return COPY_TASKS.find((copy) => copy.text === message)?.facts;
  },
};

const unable: Mind = {
  reply: () => result("The the the the."),
  choose: (_, messages) =>
    messages[0]!.content.startsWith("Copy")
      ? { who: "", when: "", amount: "" }
      : messages[0]!.content.startsWith("Choose")
        ? { action: "recall_memory", query: "x" }
        : { long_term_memory: "the mill, ".repeat(60), short_term_memory: "" },
};

const options = () => ({ signal: new AbortController().signal, clock: new ManualClock() });

describe("the aptitude check", () => {
  it("finds what an able model can do, and lets it propose by itself", async () => {
    const found = await checkAptitude(model(able), options());
    expect(found).toEqual({
      nativeCalls: 1,
      grammarChoice: 1,
      copiesFacts: 1,
      followsSystem: 1,
      languages: ["en", "de", "fr"],
      recallsBack: 10_000,
    });
    expect([proposerOf(found), copiesFaithfully(found)]).toEqual(["native", true]);
  });

  it("leaves the choice to the harness when a model picks the same for everything", async () => {
    const found = await checkAptitude(model(unable), options());
    expect(found).toEqual({
      nativeCalls: 0.4,
      grammarChoice: 0.25,
      copiesFacts: 0,
      followsSystem: 0,
      languages: [],
      recallsBack: 0,
    });
    expect([proposerOf(found), copiesFaithfully(found)]).toEqual(["harness", false]);
  });

  it("counts calls written as text, and calls of no tool on offer as wrong", async () => {
    const writes: Mind = {
      ...able,
      reply(message, request) {
        const wanted = request.tools ? task(message)?.tool : undefined;
        if (wanted) return result(`{"name": "${wanted}", "arguments": {"query": "${message}"}}`);
        if (request.tools && message.includes("12 times")) return result('{"name": "get_product", "arguments": {}}');
        return able.reply(message, request);
      },
    };
    expect((await checkAptitude(model(writes), options())).nativeCalls).toBe(0.92);
  });

  it("on a slow machine measures less instead of longer, and what was not measured proves nothing", async () => {
    const clock = new ManualClock();
    let calls = 0;
    const slow: Mind = {
      async reply(message, request) {
        calls++;
        await clock.advance(10_000);
        return able.reply(message, request);
      },
      choose: able.choose,
    };
    const found = await checkAptitude(model(slow), { signal: new AbortController().signal, clock });
    expect([found.nativeCalls, proposerOf(found)]).toEqual([0.89, "grammar"]);
    expect(found.recallsBack).toBeGreaterThan(0);
    expect(calls).toBeLessThan(16);
  });
});

describe("the check in the background", () => {
  function rig(mind: Mind) {
    const clock = new ManualClock();
    const stored = new Map<string, never>();
    let busy = false;
    const service = createAptitude({
      models: {
        chat: async () => model(mind),
        current: async () => ({ id: "m" as ModelId, profile: stored.get("m") ?? null }),
        setProfile: (id, profile) => stored.set(id, profile as never),
      },
      clock,
      log: silentLog,
      busy: () => busy,
    });
    return { clock, stored, service, setBusy: (value: boolean) => (busy = value) };
  }

  it("waits for quiet, runs once, keeps the profile, and decides who proposes", async () => {
    const { clock, stored, service } = rig(able);
    expect(await service.kindFor(model(able))).toBeNull();
    expect(service.canCopyFacts(model(able))).toBe(false);
    service.wake();
    await clock.advance(10_000);
    expect(stored.size).toBe(0);
    service.wake();
    await clock.advance(20_000);
    await expect.poll(() => stored.size).toBe(1);
    expect(stored.get("m")).toMatchObject({ proposer: "native", recallsBack: 10_000 });
    expect(await service.kindFor(model(able))).toBe("native");
    expect(service.canCopyFacts(model(able))).toBe(true);
    await service.close();
  });

  it("gives way to a turn and goes on with what is not measured yet", async () => {
    let choices = 0;
    let release = () => {};
    const halting: Mind = {
      choose(message) {
        choices++;
        return able.choose(message, []);
      },
      reply: (message, request) =>
        release === never
          ? able.reply(message, request)
          : new Promise((_, reject) => {
              release = () => reject(new DOMException("stopped", "AbortError"));
            }),
    };
    const { clock, stored, service, setBusy } = rig(halting);
    service.wake();
    await clock.advance(20_000);
    await expect.poll(() => choices).toBe(ACTION_TASKS.length + COPY_TASKS.length + CONSOLIDATION_TASKS.length);
    setBusy(true);
    service.giveWay();
    release();
    await clock.advance(60_000);
    expect(stored.size).toBe(0);
    release = never;
    setBusy(false);
    service.wake();
    await clock.advance(20_000);
    await expect.poll(() => stored.size).toBe(1);
    expect(choices).toBe(ACTION_TASKS.length + COPY_TASKS.length + CONSOLIDATION_TASKS.length);
    await service.close();
  });
});

const never = () => {};

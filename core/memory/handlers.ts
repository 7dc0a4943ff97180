import type { Handlers } from "../contract/index.ts";
import { exportMemory } from "./export.ts";
import { type Memory, toRecalled } from "./service.ts";

export type MemoryMethods = Extract<keyof Handlers, `memory.${string}`>;

/** The methods of memory for the table of calls. */
export function memoryHandlers(memory: Memory): Pick<Handlers, MemoryMethods> {
  return {
    "memory.counts": () => memory.counts(),
    "memory.list": (params) => memory.list(params),
    "memory.get": ({ id }) => memory.detail(id),
    "memory.edit": ({ id, text }) => memory.edit(id, text),
    "memory.delete": ({ ids }) => {
      memory.delete(ids);
      return null;
    },
    "memory.undelete": ({ ids }) => {
      memory.undelete(ids);
      return null;
    },
    "memory.pin": ({ id, pinned }) => memory.pin(id, pinned),
    "memory.dismiss": ({ conversationId, sourceId, dismissed }) => {
      memory.dismiss(conversationId, sourceId, dismissed ?? true);
      return null;
    },
    "memory.remember": async ({ text, at }) => ({ ids: await memory.remember(text, at) }),
    "memory.recall": async ({ query, limit, kinds, conversationId, from, to }) => {
      const answer = await memory.recall(query, {
        limit: limit ?? 10,
        filter: {
          ...(kinds ? { kinds } : {}),
          ...(from !== undefined ? { from } : {}),
          ...(to !== undefined ? { to } : {}),
        },
        ...(conversationId ? { conversationId } : {}),
      });
      return { route: answer.route, passages: toRecalled(answer, memory.messageOf), meaning: memory.counts().meaning };
    },
    "memory.export": ({ format, ids }) => exportMemory(memory, format, ids),
    "memory.pauseRebuild": ({ paused }) => {
      if (paused) memory.index.pauseEmbedding();
      else memory.index.resumeEmbedding();
      return null;
    },
  };
}

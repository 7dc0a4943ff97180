/** The union of everything that the core tells the outside without being asked. */
import { z } from "zod";
import { ConversationId } from "../ids.ts";
import { Settings } from "../methods/app.ts";
import { Job, QueueState } from "../methods/jobs.ts";
import { LibraryQueue } from "../methods/library.ts";
import { InstalledModel } from "../methods/models.ts";
import { BeliefsChanged } from "./beliefs.ts";
import { TurnEvent } from "./turn.ts";

export const AppEvent = z.discriminatedUnion("type", [
  ...TurnEvent.options,
  BeliefsChanged,
  z.object({ type: z.literal("conversations.changed"), ids: z.array(ConversationId) }),
  z.object({ type: z.literal("models.changed"), models: z.array(InstalledModel) }),
  /** Something was remembered, edited, deleted or embedded; at most one event a second. */
  z.object({ type: z.literal("memory.changed") }),
  z.object({ type: z.literal("feeds.changed"), ids: z.array(z.string()) }),
  z.object({ type: z.literal("jobs.changed"), queue: QueueState, job: Job.nullable() }),
  /** Consents or the ledger changed; at most one event a second. */
  z.object({ type: z.literal("privacy.changed") }),
  /** Tools or tool servers came, left or changed. */
  z.object({ type: z.literal("tools.changed") }),
  /** Documents that changed; null when too many to name, or when collections or watched folders did. */
  z.object({ type: z.literal("library.changed"), ids: z.array(z.string()).nullable(), queue: LibraryQueue }),
  z.object({ type: z.literal("settings.changed"), settings: Settings }),
  z.object({
    type: z.literal("engine.state"),
    state: z.enum(["starting", "ready", "restarting", "failed"]),
    /** In words, with what the user can do, when not ready. */
    message: z.string().nullable(),
    retryAt: z.number().nullable(),
  }),
  z.object({
    type: z.literal("notice"),
    id: z.string(),
    level: z.enum(["info", "problem"]),
    text: z.string(),
    action: z.string().nullable(),
  }),
]);
export type AppEvent = z.infer<typeof AppEvent>;
export type AppEventOf<Type extends AppEvent["type"]> = Extract<AppEvent, { type: Type }>;

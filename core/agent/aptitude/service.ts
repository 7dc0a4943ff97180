/** Runs the aptitude check in the background the first time a model answers, and remembers what it found. */
import { asCredenceError, type InstalledModel } from "../../contract/index.ts";
import type { ChatModel } from "../../models/types.ts";
import type { Clock, Log } from "../../platform/index.ts";
import type { ProposerKind } from "../proposers/types.ts";
import { checkAptitude, copiesFaithfully, type PartialAptitude, proposerOf } from "./check.ts";

export type Profile = NonNullable<InstalledModel["profile"]>;

export interface AptitudeDeps {
  readonly models: {
    chat(need: "chat"): Promise<ChatModel>;
    /** The chat model in use, with its profile; null when there is none. */
    current(): Promise<{ readonly id: InstalledModel["id"]; readonly profile: Profile | null } | null>;
    setProfile(id: InstalledModel["id"], profile: Profile): void;
  };
  readonly clock: Clock;
  readonly log: Log;
  /** True while a turn runs: the check gives way at once and goes on later. */
  readonly busy: () => boolean;
  /** Quiet time before the check begins. */
  readonly idleMs?: number;
}

export interface AptitudeService {
  /** Who proposes with this model; null while it is not known. */
  kindFor(model: ChatModel): Promise<ProposerKind | null>;
  /** Whether consolidation may be left to the model; not while it is not known: key sentences serve until then. */
  canCopyFacts(model: ChatModel): boolean;
  /** A turn began: the check stops within a token. */
  giveWay(): void;
  /** A turn ended or a model was loaded: the check may go on after a while. */
  wake(): void;
  close(): Promise<void>;
}

export function createAptitude(deps: AptitudeDeps): AptitudeService {
  const known = new Map<string, Profile>();
  const begun = new Map<string, PartialAptitude>();
  let running: { abort: AbortController; ended: Promise<void> } | null = null;
  let cancelTimer: (() => void) | null = null;
  let closed = false;

  async function profileOf(id: string): Promise<Profile | null> {
    const found = known.get(id);
    if (found) return found;
    const current = await deps.models.current();
    if (current?.id !== id || !current.profile) return null;
    known.set(id, current.profile);
    return current.profile;
  }

  async function run(signal: AbortSignal): Promise<void> {
    const current = await deps.models.current();
    if (!current || current.profile || signal.aborted) return;
    const model = await deps.models.chat("chat");
    if (model.description.id !== current.id) return;
    const done = begun.get(current.id) ?? {};
    begun.set(current.id, done);
    const aptitude = await checkAptitude(model, { signal, clock: deps.clock, done });
    const profile: Profile = {
      checkedAt: deps.clock.now(),
      proposer: proposerOf(aptitude),
      ...aptitude,
      languages: [...aptitude.languages],
    };
    begun.delete(current.id);
    known.set(current.id, profile);
    deps.models.setProfile(current.id, profile);
    deps.log.info("aptitude.checked", { model: current.id, ...profile });
  }

  function start(): void {
    if (closed || running || deps.busy()) return;
    const abort = new AbortController();
    const ended = run(abort.signal)
      .catch((thrown: unknown) => {
        if (!abort.signal.aborted) deps.log.warn("aptitude.failed", { kind: asCredenceError(thrown).kind });
      })
      .finally(() => {
        running = null;
      });
    running = { abort, ended };
  }

  return {
    kindFor: async (model) => (await profileOf(model.description.id))?.proposer ?? null,
    canCopyFacts(model) {
      const profile = known.get(model.description.id);
      return profile !== undefined && copiesFaithfully(profile);
    },
    giveWay() {
      cancelTimer?.();
      running?.abort.abort();
    },
    wake() {
      if (closed) return;
      cancelTimer?.();
      cancelTimer = deps.clock.after(deps.idleMs ?? 20_000, start);
    },
    async close() {
      closed = true;
      cancelTimer?.();
      running?.abort.abort();
      await running?.ended;
    },
  };
}

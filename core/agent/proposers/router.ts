/**
 * Decides where the answer to a message lies. Rules settle the plain cases; for the rest a linear head over the request's
 * vector and its linguistic cues, trained on labelled messages, gives probabilities. A doubtful case answers.
 */
import type { Embedder } from "../../models/types.ts";
import type { Log } from "../../platform/index.ts";
import { CUES, cuesOf } from "./cues.ts";
import { ACTIONS, type Action, type Head, probabilities } from "./head.ts";
import { settleForeign } from "./languages.ts";
import { requestOf } from "./request-text.ts";
import { settle } from "./rules.ts";
import { madeFor, shippedHeads } from "./shipped-head.ts";
import { embeddedText, featuresOf, framedMessages, labelledMessages, trainOn } from "./training-set.ts";

export interface Route {
  readonly action: Action;
  /** 0..1: how sure the router is of the action. */
  readonly confidence: number;
  /** In words: "asks to look on the web". */
  readonly reason: string;
}

/** Heads trained on this machine, kept by the embedder's id. */
export interface HeadStore {
  get(embedderId: string): Head | null;
  put(embedderId: string, head: Head): void;
}

export interface RouterDeps {
  /** Null or a throw: the router works with rules and cues alone. */
  readonly embedder: () => Promise<Embedder | null>;
  readonly log: Log;
  readonly store?: HeadStore;
}

export interface Router {
  route(message: string, signal?: AbortSignal): Promise<Route>;
}

/** Below this an action is doubtful: the assistant answers, and what pre-seeded recall found is shown beside the answer. */
const DOUBT = 0.4;

export function createRouter(deps: RouterDeps): Router {
  const heads = new Map<string, Head | Promise<void>>();
  let cueHead: Head | Promise<Head> | null = shippedHeads()?.cues ?? null;

  async function headFor(embedder: Embedder): Promise<Head | null> {
    const known = heads.get(embedder.id);
    if (known && !(known instanceof Promise)) return known;
    if (known) return null;
    const kept = deps.store?.get(embedder.id);
    if (kept && kept.inputs === embedder.dimensions + CUES.length) {
      heads.set(embedder.id, kept);
      return kept;
    }
    const shipped = shippedHeads();
    if (shipped && madeFor(shipped, await embedder.embed(shipped.probes.map((probe) => probe.text)))) {
      heads.set(embedder.id, shipped.full);
      return shipped.full;
    }
    heads.set(embedder.id, train(embedder));
    return null;
  }

  /** Another embedder: learn its space in the background; cues decide until then. */
  async function train(embedder: Embedder): Promise<void> {
    try {
      const messages = [...labelledMessages(), ...framedMessages()];
      const vectors: Float32Array[] = [];
      for (let i = 0; i < messages.length; i += 16) {
        const batch = messages.slice(i, i + 16).map(({ text }) => embeddedText(text));
        vectors.push(...(await embedder.embed(batch, { background: true })));
      }
      const head = await trainOn(messages, vectors, () => new Promise((resolve) => setImmediate(resolve)));
      heads.set(embedder.id, head);
      deps.store?.put(embedder.id, head);
    } catch (thrown) {
      heads.delete(embedder.id);
      deps.log.warn("router.training-failed", { detail: String(thrown) });
    }
  }

  async function vectorAndHead(
    message: string,
    signal?: AbortSignal,
  ): Promise<{ head: Head; vector: Float32Array | null }> {
    try {
      const embedder = await deps.embedder();
      const head = embedder ? await headFor(embedder) : null;
      if (embedder && head) {
        const [vector] = await embedder.embed([embeddedText(message)], signal ? { signal } : {});
        if (vector) return { head, vector };
      }
    } catch (thrown) {
      if (signal?.aborted) throw thrown;
      deps.log.warn("router.no-vector", { detail: String(thrown) });
    }
    cueHead ??= trainOn([...labelledMessages(), ...framedMessages()], null);
    return { head: await cueHead, vector: null };
  }

  return {
    async route(message, signal) {
      const request = requestOf(message);
      const settled = settleForeign(request.text) ?? settle(request);
      if (settled) return settled;
      const { head, vector } = await vectorAndHead(message, signal);
      return decide(message, head, featuresOf(message, vector));
    },
  };
}

/** The head's choice for features, with the reason in words. */
export function decide(message: string, head: Head, features: Float32Array): Route {
  const shares = probabilities(head, features);
  const best = shares.indexOf(Math.max(...shares));
  const action = ACTIONS[best]!;
  const confidence = round(shares[best]!);
  if (action !== "answer" && confidence < DOUBT) {
    return {
      action: "answer",
      confidence: round(Math.max(shares[0]!, 1 - confidence)),
      reason: `only perhaps ${WORDS[action]}`,
    };
  }
  return { action, confidence, reason: reasonFor(message, head, best) };
}

const WORDS: Readonly<Record<Action, string>> = {
  answer: "a question for the model itself",
  recall_memory: "about something said before",
  search_library: "about the library",
  feeds: "about the feeds",
  beliefs: "about beliefs",
  web_research: "for the web",
};

/** The cue that spoke most for the choice, or the likeness to known examples when none did. */
function reasonFor(message: string, head: Head, action: number): string {
  const cues = cuesOf(requestOf(message));
  const offset = head.inputs - CUES.length;
  let best = -1;
  for (let i = 0; i < cues.length; i++) {
    const pull = cues[i]! * head.weights[action]![offset + i]!;
    if (pull > 0.3 && (best < 0 || pull > head.weights[action]![offset + best]!)) best = i;
  }
  return best >= 0 ? CUES[best]!.name : `is like other messages ${WORDS[ACTIONS[action]!]}`;
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}

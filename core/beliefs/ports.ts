/** Beliefs as the loop and the tools take them. Shapes are theirs; these functions only fit them. */
import type { BeliefNote } from "../contract/index.ts";
import type { Beliefs } from "./service.ts";
import type { SourceRef } from "./types.ts";

interface MessageContext {
  readonly conversationId: string;
  readonly turnId: string;
  readonly signal: AbortSignal;
}

/** Messages of turns that a tool call has weighed already; bookkeeping must not weigh them twice. */
const REMEMBERED_TURNS = 200;

export function createBeliefPorts(
  beliefs: Beliefs,
  deps: {
    readonly now: () => number;
    readonly titleOf: (conversationId: string) => string;
    /** The user's message of a turn. */
    readonly messageOf: (turnId: string) => string | null;
    /** Whether a large model makes the wait worth it; the rules speak at once. */
    readonly mayAskModel: () => boolean;
  },
) {
  const weighed = new Set<string>();
  const remember = (turnId: string) => {
    weighed.add(turnId);
    if (weighed.size > REMEMBERED_TURNS) weighed.delete(weighed.values().next().value!);
  };
  const source = (conversationId: string, messageId: string): SourceRef => ({
    kind: "message",
    id: messageId,
    sourceId: conversationId,
    title: deps.titleOf(conversationId) || "A conversation",
    place: "",
  });

  return {
    loop: {
      snapshot: (): string => beliefs.snapshots.current()?.text ?? "",
      async relevant(request: { readonly text: string; readonly limit: number; readonly signal: AbortSignal }) {
        const found = await beliefs.relevant(request.text, request.limit, request.signal);
        return found.map((belief) => ({
          beliefId: belief.id,
          statement: belief.statement,
          valence: belief.state.valence,
          confidence: beliefs.held(belief),
          evidence: beliefs.overview.strongest(belief)?.quote,
        }));
      },
      async weigh(
        request: MessageContext & { readonly messageId: string; readonly text: string },
      ): Promise<readonly BeliefNote[]> {
        if (weighed.has(request.turnId)) return [];
        const { notes } = await beliefs.integrate(
          {
            text: request.text,
            source: source(request.conversationId, request.messageId),
            at: deps.now(),
            useModel: deps.mayAskModel(),
          },
          request.signal,
        );
        remember(request.turnId);
        return notes;
      },
    },
    lookup: {
      async find(request: { readonly query: string; readonly limit: number; readonly signal: AbortSignal }) {
        const found = await beliefs.relevant(request.query, request.limit, request.signal);
        return found.map((belief) => ({
          beliefId: belief.id,
          topic: belief.topic,
          statement: belief.statement,
          valence: belief.state.valence,
          confidence: beliefs.held(belief),
          supports: belief.state.supports,
          contradicts: belief.state.contradicts,
          ...beliefs.overview.inWords(belief),
        }));
      },
    },
    knowledge: {
      async integrate(request: MessageContext & { readonly statements: readonly string[]; readonly userText: string }) {
        if (weighed.has(request.turnId)) return { stored: 0, known: request.statements.length, notes: [] };
        const messageId = deps.messageOf(request.turnId) ?? request.turnId;
        const { stored, known, notes } = await beliefs.integrate(
          {
            text: request.userText,
            statements: request.statements,
            source: source(request.conversationId, messageId),
            at: deps.now(),
            useModel: deps.mayAskModel(),
          },
          request.signal,
        );
        remember(request.turnId);
        return { stored, known, notes };
      },
    },
  };
}

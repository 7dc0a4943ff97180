import type { FoundPassage } from "../contract/index.ts";
import { type Memory, toRecalled } from "./service.ts";

/** A passage as the agent takes it. */
export type Passage = Omit<FoundPassage, "number" | "cited">;

/** What was found is worth showing from here on; below it is only the least unlike of everything. */
const related = 0.3;
/** Words beside a passage bring it in only near the top. */
const nearTop = 3;

/** Recall for a turn: what belongs to the message, best first, and nothing when nothing does. */
export function recallPort(memory: Memory) {
  return {
    async recall(request: {
      readonly text: string;
      readonly conversationId: string;
      readonly messageId: string;
      readonly scope: readonly string[] | null;
      readonly limit: number;
      readonly signal: AbortSignal;
    }): Promise<readonly Passage[]> {
      const answer = await memory.recall(request.text, {
        limit: request.limit,
        conversationId: request.conversationId,
        messageId: request.messageId,
        scope: request.scope,
        signal: request.signal,
      });
      const fitting = answer.hits.filter(
        (hit, rank) =>
          (hit.similarity ?? 0) >= related ||
          hit.why.startsWith("same words") ||
          hit.why.startsWith("title") ||
          (rank < nearTop && hit.why === "words close by"),
      );
      memory.noteUse(
        fitting.map((hit) => hit.item.id),
        { conversationId: request.conversationId, messageId: request.messageId },
      );
      return toRecalled({ ...answer, hits: fitting }, memory.messageOf).map(
        ({ kind, sourceId, title, place, text, mark, score, why }) => ({
          kind,
          sourceId,
          title,
          place,
          text,
          mark,
          score,
          why,
        }),
      );
    },
  };
}

/** The scores of a message as evidence, from whoever weighs it. */
export type ScoreEvidence = (
  text: string,
  signal: AbortSignal,
) => Promise<{ readonly strength: number; readonly signals: object; readonly topics: readonly string[] }>;

/** Where turns become episodes. With a scorer, what was said counts and lasts by its evidence, and has its topics. */
export function episodesPort(memory: Memory, now: () => number, score?: ScoreEvidence) {
  return {
    async exchange(request: {
      readonly conversationId: string;
      readonly userMessageId: string;
      readonly assistantMessageId: string;
      readonly userText: string;
      readonly answer: string;
      readonly recalled: readonly Passage[];
      readonly signal: AbortSignal;
    }): Promise<void> {
      memory.rememberExchange({
        conversationId: request.conversationId,
        userMessageId: request.userMessageId,
        assistantMessageId: request.assistantMessageId,
        userText: request.userText,
        answer: request.answer,
        recalled: request.recalled.map((passage) => passage.text),
        at: now(),
      });
      const evidence = await score?.(request.userText, request.signal);
      if (!evidence) return;
      memory.noteEvidence(request.userMessageId, {
        strength: evidence.strength,
        signals: evidence.signals as Readonly<Record<string, number>>,
        topics: evidence.topics,
      });
    },
    async finding(request: {
      readonly conversationId: string;
      readonly tool: string;
      readonly text: string;
    }): Promise<void> {
      memory.rememberFinding({ ...request, recalled: [], at: now() });
    },
  };
}

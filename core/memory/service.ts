import type { MemoryEntry, RecalledPassage } from "../contract/index.ts";
import type { ChatModel, Embedder } from "../models/types.ts";
import { type Clock, contentId, type Log } from "../platform/index.ts";
import type { NativePaths, WritableDatabase } from "../storage/index.ts";
import { Browse } from "./browse.ts";
import { ConsolidationWorker } from "./consolidation.ts";
import { Edit } from "./edit.ts";
import { type Episode, Episodes, type Utterance } from "./episodes.ts";
import { createPassageIndex, type OwnedPassageIndex } from "./index/passage-index.ts";
import { inlineReader, threadReader } from "./index/reader.ts";
import { Knowledge } from "./knowledge.ts";
import { Learning } from "./learning.ts";
import { type Rerank, type RetrieveAnswer, type RetrieveOptions, Retriever } from "./retrieve.ts";
import type { RoutedQuery } from "./router.ts";
import { assistantSpeaker, userSpeaker } from "./types.ts";

export interface MemoryDeps {
  readonly db: WritableDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly embedder: () => Promise<Embedder | null>;
  /** Set to search on a thread of its own: the database's file, and where the native parts and the thread's script lie. */
  readonly thread?: {
    readonly path: string;
    readonly native?: NativePaths | undefined;
    readonly entry?: string | URL | undefined;
  };
  /** True while a turn runs or the user types: background work stands still. */
  readonly busy?: () => boolean;
  readonly onBattery?: () => boolean;
  /** Whether a living belief rests on this passage alone. */
  readonly soleEvidence?: (passageId: string) => boolean;
  /** A model that can extract facts and order passages; null leaves both to rules. */
  readonly capable?: () => Promise<ChatModel | null>;
  readonly route?: (text: string, signal?: AbortSignal) => Promise<RoutedQuery | null>;
  readonly rerank?: Rerank;
  readonly titleOf?: (conversationId: string) => string;
  /** Conversations that are deleted and can still be restored: nothing of them is recalled meanwhile. */
  readonly hiddenSources?: () => readonly string[];
  readonly onChanged?: () => void;
}

export interface Exchange {
  readonly conversationId: string;
  readonly userMessageId: string;
  readonly assistantMessageId: string;
  readonly userText: string;
  readonly answer: string;
  /** Texts of what was recalled for the answer. */
  readonly recalled: readonly string[];
  readonly at: number;
}

export interface RecallOptions extends RetrieveOptions {
  /** Message that asks: never its own memory. */
  readonly messageId?: string;
  /** Document collections or feeds to answer from; null or absent means from everything. */
  readonly scope?: readonly string[] | null;
  /** The answer that uses what is found: each use makes a memory last longer. */
  readonly usedIn?: { readonly conversationId: string; readonly messageId: string };
}

export type Memory = ReturnType<typeof createMemory>;

/** Memory as the rest of Credence uses it. */
export function createMemory(deps: MemoryDeps) {
  const inline = inlineReader(deps.db);
  const busy = deps.busy ?? (() => false);
  const index: OwnedPassageIndex = createPassageIndex({
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    embedder: deps.embedder,
    reader: deps.thread ? threadReader({ ...deps.thread, log: deps.log }, inline) : inline,
    busy,
    onProgress: () => tell(),
  });
  const soleEvidence = deps.soleEvidence ?? (() => false);
  const episodes = new Episodes(deps.db, index);
  const knowledge = new Knowledge({ db: deps.db, index, clock: deps.clock, log: deps.log, embedder: deps.embedder });
  const learning = new Learning({
    db: deps.db,
    index,
    knowledge,
    busy,
    capable: deps.capable ?? (async () => null),
    onLearned: () => tell(),
  });
  const retriever = new Retriever({
    db: deps.db,
    index,
    clock: deps.clock,
    ...(deps.route ? { route: deps.route } : {}),
    rerank: deps.rerank ?? learning.rerank,
  });
  const browse = new Browse({ db: deps.db, index, clock: deps.clock, soleEvidence });
  const edit = new Edit(deps.db, index, deps.clock);
  const worker = new ConsolidationWorker({
    db: deps.db,
    index,
    knowledge,
    clock: deps.clock,
    log: deps.log,
    busy,
    onBattery: deps.onBattery ?? (() => false),
    soleEvidence,
    extract: () => learning.next(),
  });
  let closing: AbortController | null = new AbortController();

  let told = false;
  /** Tells that memory changed, at most once a second, the last change included. */
  const tell = () => {
    if (told || !closing) return;
    told = true;
    deps.clock.after(1000, () => {
      told = false;
      if (closing) deps.onChanged?.();
    });
  };
  const changed = <Value>(value: Value): Value => {
    tell();
    return value;
  };

  async function recall(text: string, options: RecallOptions): Promise<RetrieveAnswer> {
    const own = options.messageId
      ? deps.db
          .read<{ id: string }>("SELECT id FROM derivatives WHERE message_id = ?")
          .all(options.messageId)
          .map((row) => row.id)
      : [];
    const answer = await retriever.retrieve(text, {
      ...options,
      filter: {
        ...options.filter,
        ...(options.scope ? { collectionIds: options.scope } : {}),
        excludeIds: [...(options.filter?.excludeIds ?? []), ...own],
        excludeSourceIds: [...(options.filter?.excludeSourceIds ?? []), ...(deps.hiddenSources?.() ?? [])],
      },
    });
    if (options.usedIn)
      noteUse(
        answer.hits.map((hit) => hit.item.id),
        options.usedIn,
      );
    return answer;
  }

  function noteUse(ids: readonly string[], where: { conversationId: string; messageId: string }): void {
    // In read-only rescue answers still recall; only that they did is not noted.
    if (!deps.db.writable) return;
    const now = deps.clock.now();
    deps.db.transaction(() => {
      for (const id of ids) {
        const first = deps.db
          .write("INSERT OR IGNORE INTO memory_uses (passage_id, conversation_id, message_id, at) VALUES (?, ?, ?, ?)")
          .run(id, where.conversationId, where.messageId, now);
        if (first.changes === 0) continue;
        deps.db
          .write(
            `INSERT INTO memory_state (passage_id, uses, last_used_at) VALUES (?, 1, ?)
             ON CONFLICT (passage_id) DO UPDATE SET uses = uses + 1, last_used_at = excluded.last_used_at`,
          )
          .run(id, now);
      }
      // What is used again comes back whole.
      index.archive(ids, false);
    });
  }

  return {
    /** For documents, feeds and beliefs: the one index. */
    index,
    knowledge,
    worker,

    rememberExchange(exchange: Exchange): string[] {
      return changed(
        episodes.add({
          kind: "exchange",
          sourceId: exchange.conversationId,
          title: deps.titleOf?.(exchange.conversationId) ?? "",
          recalled: exchange.recalled,
          utterances: [
            { messageId: exchange.userMessageId, speaker: userSpeaker, text: exchange.userText, at: exchange.at },
            {
              messageId: exchange.assistantMessageId,
              speaker: assistantSpeaker,
              text: exchange.answer,
              at: exchange.at + 1,
            },
          ],
        }),
      );
    },

    /** Talk that did not pass through a turn: imported conversations, two people's chat. */
    rememberTalk(sourceId: string, title: string, utterances: readonly Utterance[]): string[] {
      return changed(episodes.add({ kind: "exchange", sourceId, title, utterances }));
    },

    rememberFinding(finding: {
      conversationId: string;
      tool: string;
      text: string;
      recalled: readonly string[];
      at: number;
    }): string[] {
      if (finding.text.trim().length <= 50) return [];
      const episode: Episode = {
        kind: "finding",
        sourceId: finding.conversationId,
        title: deps.titleOf?.(finding.conversationId) ?? "",
        recalled: finding.recalled,
        utterances: [{ messageId: null, speaker: assistantSpeaker, text: finding.text, at: finding.at }],
      };
      return changed(episodes.add(episode));
    },

    /** What the user asks to remember, word for word. */
    async remember(text: string, at = deps.clock.now()): Promise<string[]> {
      const source = contentId("note", text.trim());
      const ids = episodes.add({
        kind: "note",
        sourceId: source,
        title: "",
        utterances: [{ messageId: null, speaker: userSpeaker, text, at }],
      });
      return changed(ids);
    },

    /** The evidence scores of a message: what it says counts, and lasts, by them. */
    noteEvidence(
      messageId: string,
      evidence: {
        strength: number;
        signals: Readonly<Record<string, number>>;
        topics: readonly string[];
      },
    ): void {
      const ids = deps.db
        .read<{ id: string }>("SELECT id FROM derivatives WHERE message_id = ?")
        .all(messageId)
        .map((row) => row.id);
      const values = Object.values(evidence.signals);
      const signal = values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
      deps.db.transaction(() => {
        for (const id of ids) {
          deps.db.write("UPDATE passages SET strength = ? WHERE id = ?").run(evidence.strength, id);
          deps.db
            .write(
              `INSERT INTO memory_state (passage_id, signal, signals) VALUES (?, ?, ?)
               ON CONFLICT (passage_id) DO UPDATE SET signal = excluded.signal, signals = excluded.signals`,
            )
            .run(id, signal, JSON.stringify(evidence.signals));
          for (const topic of evidence.topics) {
            deps.db.write("INSERT OR IGNORE INTO memory_topics (passage_id, topic) VALUES (?, ?)").run(id, topic);
          }
        }
      });
      changed(null);
    },

    recall,
    /** The message that a piece was said in; null for facts, documents and feeds. */
    messageOf: (id: string): string | null =>
      deps.db.read<{ message_id: string | null }>("SELECT message_id FROM derivatives WHERE id = ?").get(id)
        ?.message_id ?? null,
    noteUse,
    extractNext: () => learning.next(),

    /** Everything of a conversation goes from memory with it. */
    forgetConversation(conversationId: string): void {
      index.removeSource("message", conversationId);
      deps.db.write("DELETE FROM episodes WHERE source_id = ?").run(conversationId);
      knowledge.removeOrphans();
      changed(null);
    },

    list: browse.list.bind(browse),
    counts: () => browse.counts(),
    detail: (id: string) => browse.detail(id),
    edit(id: string, text: string): MemoryEntry {
      edit.edit(id, text);
      return changed(browse.entry(id));
    },
    pin(id: string, pinned: boolean): MemoryEntry {
      edit.pin(id, pinned);
      if (pinned) index.archive([id], false);
      return changed(browse.entry(id));
    },
    delete: (ids: readonly string[]) => changed(edit.delete(ids)),
    undelete: (ids: readonly string[]) => changed(edit.undelete(ids)),
    purgeDeleted: () => edit.purge(),
    dismiss: (conversationId: string, sourceId: string, dismissed = true) =>
      changed(edit.dismiss(conversationId, sourceId, dismissed)),

    /** Starts the idle worker. */
    start: () => worker.start(),
    /** Another embedding model may be installed or chosen: what it has not embedded yet is queued. */
    embedderChanged: () => index.embedderChanged(),
    async close(): Promise<void> {
      closing?.abort();
      closing = null;
      learning.stop();
      await worker.stop();
      await index.close();
    },
  };
}

/** What was retrieved as the window and the command line show it. */
export function toRecalled(answer: RetrieveAnswer, messageOf: (id: string) => string | null): RecalledPassage[] {
  return answer.hits.map(({ item, score, similarity, mark, why }) => ({
    id: item.id,
    kind: item.kind,
    sourceId:
      item.kind === "message" ? (messageOf(item.id) ?? item.id) : item.kind === "feed" ? item.sourceId : item.id,
    title: item.title || (item.speaker ?? ""),
    place: item.place || (item.kind === "message" ? new Date(item.at).toISOString().slice(0, 10) : ""),
    text: item.text,
    mark: mark ? [mark[0], mark[1]] : null,
    score,
    why,
    similarity,
    speaker: item.speaker ?? "",
    at: item.at,
    conversationId: item.kind === "message" ? item.sourceId : null,
  }));
}

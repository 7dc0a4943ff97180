// @vitest-environment jsdom
import { act, renderHook, waitFor } from "@testing-library/react";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConversationId, Message } from "../../../core/contract/index.ts";
import { findMatches, useFind } from "../../../renderer/screens/chat/find/useFind.ts";
import { groupConversations } from "../../../renderer/screens/chat/list/groups.ts";
import { joinTail, useThread } from "../../../renderer/screens/chat/thread/useThread.ts";
import { openWindow } from "../../window/dom.ts";
import { conversation, message, turnEvents } from "../../window/scripted-core.ts";

const id = "c1" as ConversationId;
const thread = (length: number): Message[] =>
  Array.from({ length }, (_, i) =>
    message({ id: `m${i}`, role: i % 2 === 0 ? "user" : "assistant", content: `Text ${i}` }),
  );
const open = (messages: Message[]) =>
  openWindow({ conversations: [conversation({ id })], messages: { [id]: messages } });

describe("a conversation's pages", () => {
  it("come newest first, and older ones join at the head without a gap", async () => {
    const all = thread(1000);
    open(all);
    const { result } = renderHook(() => useThread(id));
    await waitFor(() => expect(result.current.loading).toBe(false));
    expect(result.current.messages).toEqual(all.slice(-40));
    expect([result.current.total, result.current.hasOlder, result.current.headLoads]).toEqual([1000, true, 0]);
    while (result.current.hasOlder) await act(() => result.current.loadOlder(300));
    expect(result.current.messages).toEqual(all);
    expect(result.current.headLoads).toBe(4);
    await act(() => result.current.loadOlder());
    expect(result.current.messages).toEqual(all);
  });

  it("are asked for once, however often the head comes into view", async () => {
    const core = open(thread(500));
    const { result } = renderHook(() => useThread(id));
    await waitFor(() => expect(result.current.loading).toBe(false));
    const before = core.callsOf("conversations.messages").length;
    await act(() => Promise.all([result.current.loadOlder(), result.current.loadOlder(), result.current.loadOlder()]));
    expect(core.callsOf("conversations.messages").length - before).toBe(1);
    expect(result.current.messages).toHaveLength(160);
  });

  it("keep what was loaded when a new turn begins and ends", async () => {
    const all = thread(200);
    const core = open(all);
    const { result } = renderHook(() => useThread(id));
    await waitFor(() => expect(result.current.loading).toBe(false));
    await act(() => result.current.loadOlder(200));
    const ids = { userMessageId: "q" as never, assistantMessageId: "a" as never };
    const [started, ended] = turnEvents("t", id, [
      { type: "turn.started", ...ids, modelName: "M" },
      { type: "turn.ended", outcome: "completed", messageId: "a" as never, note: null, durationMs: 1 },
    ]);
    all.push(message({ id: "q", role: "user" }), message({ id: "a", state: "streaming" }));
    await act(async () => core.emit(started!));
    await waitFor(() => expect(result.current.messages.at(-1)?.state).toBe("streaming"));
    all[201] = message({ id: "a", content: "Done." });
    await act(async () => core.emit(ended!));
    await waitFor(() => expect(result.current.messages.at(-1)?.content).toBe("Done."));
    expect(result.current.messages.map((each) => each.id)).toEqual(all.map((each) => each.id));
  });

  it("join to the same list whatever was loaded before", () => {
    const all = thread(120);
    fc.assert(
      fc.property(fc.nat(120), fc.nat(120), fc.integer({ min: 1, max: 60 }), (from, to, tail) => {
        const loaded = all.slice(Math.min(from, to), Math.max(from, to));
        const joined = joinTail(loaded, all.slice(-tail));
        const first = all.findIndex((each) => each.id === joined[0]!.id);
        expect(joined).toEqual(all.slice(first));
      }),
    );
  });
});

describe("finding in a chat", () => {
  it("reads on to the beginning by itself, and shows the newest match", async () => {
    open(thread(3000));
    const shown: string[] = [];
    const { result } = renderHook(() => {
      const pages = useThread(id);
      return useFind(pages, "Text 7", null, (messageId) => shown.push(messageId));
    });
    await waitFor(() => expect(result.current.count).toBe(111));
    // 7, 70 to 79, 700 to 799
    expect([result.current.searching, result.current.at]).toEqual([false, 111]);
    expect(shown.at(-1)).toBe("m799");
    act(() => result.current.next());
    expect(result.current.at).toBe(1);
    act(() => result.current.previous());
    expect(result.current.at).toBe(111);
  });

  it("looks at what was said, whatever its case", () => {
    const messages = [
      message({ id: "a", content: "Eels pass" }),
      message({ id: "b", content: "No fish" }),
      message({ id: "c", content: "the EELS" }),
    ];
    expect(findMatches(messages, " eels ")).toEqual(["a", "c"]);
    expect(findMatches(messages, " ")).toEqual([]);
  });
});

describe("the list of chats in groups", () => {
  it("holds every chat once, the pinned first, each group under one heading", () => {
    const now = new Date(2026, 10, 26, 12).getTime();
    const chats = fc.array(
      fc
        .record({ pinned: fc.boolean(), ago: fc.nat(900) })
        .map(({ pinned, ago }) => ({ pinned, updatedAt: now - ago * 3_600_000 })),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(chats, (list) => {
        const all = list.map((each, i) => conversation({ id: `c${i}`, ...each }));
        const items = groupConversations(all, now);
        const shown = items.flatMap((item) => (item.kind === "chat" ? [item.conversation] : []));
        expect(new Set(shown)).toEqual(new Set(all));
        expect(shown).toHaveLength(all.length);
        const headings = items.flatMap((item) => (item.kind === "group" ? [item.title] : []));
        expect(new Set(headings).size).toBe(headings.length);
        const firstLoose = shown.findIndex((each) => !each.pinned);
        if (firstLoose !== -1) expect(shown.slice(firstLoose).some((each) => each.pinned)).toBe(false);
      }),
    );
  });
});

import type { Conversation, Message } from "../contract/index.ts";

/** A conversation as Markdown: a title, then each message under who said it and when. */
export function toMarkdown(conversation: Conversation, messages: readonly Message[]): string {
  const parts = [`# ${conversation.title}`, ""];
  for (const message of messages) {
    const who = message.role === "user" ? "You" : (message.modelName ?? "Credence");
    parts.push(`## ${who}, ${new Date(message.createdAt).toISOString().replace("T", " ").slice(0, 16)} UTC`, "");
    parts.push(message.content.trim() || "*(empty)*", "");
    const note = message.damaged ?? message.note;
    if (note) parts.push(`> ${note}`, "");
  }
  return parts.join("\n");
}

/** A conversation as one JSON document with a format version. */
export function toJson(conversation: Conversation, messages: readonly Message[]): string {
  return `${JSON.stringify({ format: "credence-conversation", version: 1, conversation, messages }, null, 2)}\n`;
}

/** A file name that every system takes: letters, digits, spaces and dashes of the title. */
export function exportFileName(conversation: Conversation, extension: "md" | "json"): string {
  const stem = conversation.title
    .normalize("NFC")
    .replace(/[^\p{L}\p{N} _-]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 80);
  return `${stem || "conversation"}.${extension}`;
}

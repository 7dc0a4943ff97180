import type { ChatMessage, ToolDefinition } from "../models/types.ts";

/** The prompt as a person reads it in the inspector: each message under its role, tool definitions at the end. */
export function renderTranscript(messages: readonly ChatMessage[], tools: readonly ToolDefinition[]): string {
  const parts = messages.map((message) => `--- ${message.role} ---\n${message.content}`);
  if (tools.length > 0) parts.push(`--- tools ---\n${tools.map((tool) => JSON.stringify(tool, null, 2)).join("\n")}`);
  return `${parts.join("\n\n")}\n`;
}

/** What was written and not sent, kept for each conversation across screens, reloads and restarts. */

const key = (conversationId: string): string => `draft:${conversationId}`;
const memory = new Map<string, string>();

export function readDraft(conversationId: string): string {
  const inMemory = memory.get(conversationId);
  if (inMemory !== undefined) return inMemory;
  try {
    return localStorage.getItem(key(conversationId)) ?? "";
  } catch {
    return "";
  }
}

/** `ephemeral` keeps it in this window only: a chat that leaves no trace leaves no draft either. */
export function writeDraft(conversationId: string, text: string, ephemeral = false): void {
  memory.set(conversationId, text);
  try {
    if (text === "" || ephemeral) localStorage.removeItem(key(conversationId));
    else localStorage.setItem(key(conversationId), text);
  } catch {
    // A full or forbidden store: the draft lives as long as the window.
  }
}

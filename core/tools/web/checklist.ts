import { contentWords } from "./words.ts";

/** A checklist made by rules: the question itself, and what one would ask next about it. */
export function checklistByRules(question: string, size: number): string[] {
  const asked = question.replace(/\s+/g, " ").trim();
  const parts = asked
    .split(/\?\s+|;\s+|\band (?=(?:what|how|who|when|where|why|which|is|are|does|do|did)\b)/i)
    .map((part) => part.trim())
    .filter((part) => contentWords(part).length > 0);
  const topic = topicOf(asked);
  const further = [
    `What figures are known about ${topic}?`,
    `What is the newest information on ${topic}?`,
    `Who says so about ${topic}, and how do they know?`,
    `What speaks against it, regarding ${topic}?`,
    `What does ${topic} cost, and what does it bring?`,
    `Where and when does this hold for ${topic}?`,
    `What causes ${topic}?`,
    `How does ${topic} compare with alternatives?`,
    `What is unclear about ${topic}?`,
    `What is the history of ${topic}?`,
    `Which studies deal with ${topic}?`,
  ];
  return tidy([asked, ...(parts.length > 1 ? parts : []), ...further], size);
}

/** Questions without blanks and repeats, at most `size`. */
export function tidy(questions: readonly string[], size: number): string[] {
  const seen = new Set<string>();
  const kept: string[] = [];
  for (const raw of questions) {
    const question = raw.replace(/\s+/g, " ").trim().slice(0, 300);
    const key = contentWords(question).sort().join(" ");
    if (key === "" || seen.has(key)) continue;
    seen.add(key);
    kept.push(question);
    if (kept.length === size) break;
  }
  return kept.length > 0 ? kept : questions.slice(0, 1).map((question) => question.slice(0, 300));
}

function topicOf(question: string): string {
  const topic = question
    .replace(
      /^(?:please |can you |could you )*(?:what|who|when|where|why|how|which)(?:['’]s| is| are| was| were| do| does| did| much| many| long)*\s+/i,
      "",
    )
    .replace(/[?!.]+$/, "")
    .trim();
  return topic === "" ? question : topic.slice(0, 120);
}

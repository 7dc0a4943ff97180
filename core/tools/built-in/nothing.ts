/**
 * Results that leave nothing to phrase: nothing was found, or nothing could be looked up. A tool says so by its summary, and
 * a harness that steers a weak model tells the user in these words instead of letting the model make something up.
 */
export const NOTHING_FOUND = "Nothing found";
export const NOTHING_SENT = "Nothing was sent";
export const NO_BELIEF = "No belief about this yet";

const NOT_THERE: Readonly<Record<string, string>> = {
  recall_memory: "I found nothing about this in what you told me.",
  search_library: "I found nothing about this in your library.",
  look_up_feeds: "I found nothing about this in your feeds.",
  web_research: "I found nothing about this on the web.",
  look_up_beliefs: "I have no belief about this yet, because I have weighed no evidence for it.",
};

/** What to tell the user when a call of the tool brought nothing; null when there is something to answer from. */
export function wordsForNothing(tool: string, summary: string): string | null {
  const words = NOT_THERE[tool];
  if (words === undefined) return null;
  if (summary.endsWith(NOTHING_SENT))
    return `${summary.slice(0, -NOTHING_SENT.length).trim()} I looked nothing up, and nothing was sent. You can change that under Privacy.`;
  return summary.startsWith(NOTHING_FOUND) || summary === NO_BELIEF ? words : null;
}

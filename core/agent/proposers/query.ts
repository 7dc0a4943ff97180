/** What to look for: the message without the words that say where to look. */
const OPENINGS = [
  /^(?:hi|hey|hello|ok(?:ay)?|so|well|and|also|please|pls)\b[,!]?\s+/i,
  /^(?:can|could|would|will) you (?:please |kindly )?(?:tell me |help me )?/i,
  /^(?:i(?:['’]d| would) like (?:you )?to|i want (?:you )?to|i need (?:you )?to) (?:know )?/i,
  /^(?:tell me|do you (?:still )?(?:remember|recall)|remind me(?: of)?)\s+(?=\w)/i,
  /^(?:search|look|check|go|find|browse|dig|scan)(?:ing)?\s+(?:through |in |into |up |on |out )?(?:(?:the |my |our |all |your )+(?:web|internet|documents?|files|library|feeds?|subscriptions|memory|chats|conversations|notes|pdfs|archive)\b|online\b)\s*(?:for|to see|to find out|whether|if|:|about)?\s*/i,
  /^(?:google|search for|look up|web search for|research|do (?:some |a )?(?:\w+ )?(?:web |internet |online )?research (?:on|about))\s+/i,
  /^(?:according to|in|from|using|based on) (?:my|the|our) (?:documents?|files|library|feeds?|notes|subscriptions),?\s*/i,
];
const CLOSINGS = [
  /\s*,?\s*(?:please|thanks|thank you)\s*$/i,
  /\s*,?\s*(?:(?:look|check|search) (?:it |that |this )?(?:up )?)?(?:on (?:the )?(?:web|internet)|online|in my (?:feeds?|documents?|files|library|subscriptions)|from my (?:feeds?|documents?|library|subscriptions))\s*$/i,
];

/** Never empty: a message that is nothing but such words stays whole. */
export function queryOf(request: string): string {
  let query = request.trim();
  for (const pattern of [...OPENINGS, ...OPENINGS, ...CLOSINGS]) {
    const ending = /[?!.\s]*$/.exec(query)![0];
    const next = query
      .slice(0, query.length - ending.length)
      .replace(pattern, "")
      .trim();
    if (next.length >= 3) query = next;
  }
  return query.replace(/[?!.\s]+$/, "").trim() || request.trim();
}

/** Web addresses that the message names, in order. */
export function addressesIn(text: string): string[] {
  const found = text.match(/\bhttps?:\/\/[^\s<>"'”“)\]]+|\bwww\.[^\s<>"'”“)\]]+/gi) ?? [];
  return [
    ...new Set(
      found.map((address) => address.replace(/[.,;:!?]+$/, "")).map((a) => (/^http/i.test(a) ? a : `https://${a}`)),
    ),
  ];
}

/** How much reading the words ask for. */
export function depthOf(text: string): "quick" | "focused" | "thorough" | "deep" {
  if (/\b(?:deep(?:ly)?|exhaustive(?:ly)?|in depth|in-depth)\b/i.test(text)) return "deep";
  if (/\b(?:thorough(?:ly)?|comprehensive(?:ly)?|detailed|in detail|compare|research)\b/i.test(text)) return "thorough";
  if (/\b(?:quick(?:ly)?|brief(?:ly)?|short|just|right now|today|current(?:ly)?|price|weather|score)\b/i.test(text))
    return "quick";
  return "focused";
}

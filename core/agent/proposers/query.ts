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

/** Words that stand for something said before, and words that only say "look". */
const REFERS = /\b(?:it|its|they|them|their|this|that|these|those|he|him|his|she|her|there|the same|one|both)\b/i;
const EMPTY =
  /\b(?:look(?:ing)?|find|search|google|check|browse|verify|confirm|research|up|out|for|on|in|at|the|a|an|web|internet|net|online|please|it|its|they|them|their|this|that|these|those|there|more|about|again|also|and|so|then|can|could|would|you|do|me|my|documents?|files?|library|feeds?|what|does|did|say|says|tell|just|now|again|memory|anything|something|new)\b/gi;

/**
 * A query that can stand alone: "look it up online" is about what was asked before. `before` is the user's previous
 * message, or null at the beginning of a conversation.
 */
export function standingAlone(query: string, before: string | null): string {
  if (before === null) return query;
  const previous = queryOf(before).slice(0, 300);
  const rest = query.replace(EMPTY, " ").replace(/[^\p{L}\p{N}]+/gu, "");
  if (rest.length < 2) return previous;
  const short = query.split(/\s+/).length <= 9;
  return short && REFERS.test(query) ? `${query} (${previous})` : query;
}

/** Words around a topic that only say what kind of thing is wanted of it. */
const BELIEF_FRAME = [
  /^(?:so |and |well,? )*(?:what(?:['’]?s| is| are| do| did| does)?|how|why|which|where|when|do|does|did|are|is|has|have|in|tell me|show me|list|give me|explain|give)\b.{0,60}\b(?:beliefs?|believe|opinions?|views?|stance|position|take|thoughts?|think|thinking|feel|stand|sure|certain|confident|convinced|mind|evidence|confidence|agree|reckon)\b(?: (?:are|is|do|did|have) you)?(?: (?:you )?(?:currently |really |actually )?(?:have|hold|are|is|has|had))?\s*(?:(?:about|of|on|in|that|regarding|concerning|for|against|behind|with|to|changed on|changed about)\b\s*)*(?:your (?:beliefs?|views?|opinions?|positions?) (?:about|on|of) )?/i,
];
const TAIL =
  /,?\s*(?:and|,)?\s*(?:why|how (?:sure|certain|confident) are you|on what (?:evidence|grounds)|with what confidence|and what supports it|changed(?: (?:lately|recently|this week|since .*))?|has changed)\s*$/i;

/** The topic of a question about beliefs: "what do you believe about coffee and why" asks for coffee. */
export function beliefTopicOf(request: string): string {
  let topic = queryOf(request).replace(TAIL, "");
  for (const frame of BELIEF_FRAME) topic = topic.replace(frame, "");
  topic = topic.replace(TAIL, "").trim();
  return topic.length >= 3 ? topic : queryOf(request);
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

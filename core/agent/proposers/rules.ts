/**
 * Rules that settle a request by themselves, tried in order before anything is learned from examples. Few, narrow and
 * readable: each gives the reason that the user may see.
 */
import type { Action } from "./head.ts";
import type { RequestText } from "./request-text.ts";

export interface Settled {
  readonly action: Action;
  readonly confidence: number;
  readonly reason: string;
}

const ASKS =
  /\?|^(?:please |can you |could you |just )*(?:what|which|who|when|where|why|how|whats|tell me|find|search|look|show|list|give|check|summari[sz]e|remind|read|open|compare|explain|google|quote|extract|catch|update|research|go to|visit|fetch|get)\b|\b(?:tell me|please (?:find|search|look|check|show|tell)|can you|could you|would you|do you|what (?:do|did|does|is|are)|remind me|i(?:['’]d| would) (?:like|love) to (?:know|hear|see)|i want (?:to know|you to)|i need (?:you|the|information)|i wonder)\b/i;

/** Opens like a statement: a pronoun, or a noun phrase that a verb follows. */
const OPENING =
  "^(?:(?:well|so|yes|no|oh|by the way|btw|honestly|actually|anyway|hey|hi|also|yesterday|today|tomorrow|tonight|last \\w+|next \\w+|this \\w+|just so you know|fyi),? )*(?:please )?";
const PRONOUN = new RegExp(`${OPENING}(?:i|we|he|she|they|it|everyone|everybody)(?:['’](?:ve|m|d|re|ll|s))? `, "i");
const NOUN_AND_VERB = new RegExp(
  `${OPENING}(?:my|our|all|an?|the|this|that|these|those|people|according to an?)\\b[^,:–]*\\b(?:is|isn['’]t|are|was|were|has|have|had|will|would|can|can['’]t|could|does|doesn['’]t|do|don['’]t|won['’]t|say|says|said|thinks?|believes?|makes?|made|went|got|turned|\\w{3,}ed)\\b`,
  "i",
);
/** A question or a wish hangs on to the statement. */
const THEN_ASKS =
  /[,:;.–-] *(?:and |so |but |now |then |please )*(?:what|which|who|whose|when|where|why|how|do|does|did|can|could|will|would|search|find|look|tell|show|check|list|repeat|google)\b|\bplease\b|\b(?:look|search|find) (?:\w+ )?(?:online|on the (?:web|internet))\b/i;

/** First-person words that ask in the shape of a statement: "I forgot what I told you". */
const ASKS_IN_DISGUISE =
  /\b(?:i (?:can['’]?t|cannot|don['’]?t) (?:remember|recall|find)|i forgot (?:what|who|where|when|which)|i(?:['’]m| am) trying to (?:remember|recall|find)|i(?:['’]m| am) looking for|look (?:it|that|this) up|i (?:once |already )?(?:told|mentioned|gave|said)[^.]*,? (?:what|which|who|where|when|how)|(?:in|from) (?:my|the) (?:files|documents|library|feeds?)$)/i;

const KEEP =
  /^(?:please |pls |ok,? |hey,? |hi,? )*(?:(?:remember|memori[sz]e|note|keep in mind|bear in mind|don['’]?t forget|do not forget|make a note|take note|write down|save|store)(?:,|:| that\b| this\b| to\b| i\b| my\b| our\b| we\b| the\b| it\b)|(?:for (?:future|your) (?:reference|information)|just so you know|fyi)\b)/i;
const NOT_KEEP =
  /\b(?:remember|recall) (?:me|when|what|who|where|which|how)\b|\bremember (?:the|that|my|this) [^.,:;]*\?\s*$|^(?:please )?(?:save|store|note) (?:the|this) (?:page|site|article|document)/i;

const ADDRESS = /\bhttps?:\/\/\S+|\bwww\.[^\s.]+\.\S+/i;
const SITE =
  /\b(?:go to|open|visit|browse(?: to)?|read|fetch|check|on|from|at|see|load|summari[sz]e|what(?:['’]s| is| does))\s+(?:the (?:site|page|website) )?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|edu|gov|info|de|uk|eu|fr|es|it|nl|pl|at|ch|dev|app|site|example|co)\b/i;
const FILE = /(?:^|[\s"'“(])[\w().-]*\w\.(?:pdf|docx?|xlsx?|ods|csv|tsv|md|txt|epub|pptx?|odt|rtf|eml)\b/i;
const CODING =
  /\b(?:python|javascript|typescript|java|c\+\+|rust|golang|in (?:c|go|r)|ruby|php|sql|bash|shell|regex|node(?:\.js)?|pandas|script|function|program|parse[rs]?|command|linux|terminal|docker|git|import a|library in|package)\b/i;
const WEATHER =
  /^(?:please |can you |could you |so )*(?:what(?:['’]?s| is| will)|how(?:['’]?s| is| will)|give me|show me|check|tell me|get|the)?\s*(?:the )?(?:current |local )?weather\b.*\b(?:for|in|on|at|today|tomorrow|tonight|now|like|outside|this|next|be)\b|^(?:what(?:['’]?s| is)|give me|check|show me) the (?:weather )?forecast (?:for|in|on)\b/i;
const WEB_BY_NAME =
  /\b(?:search|look|check|find|browse|surf|scour|google|research|verify|confirm|fact-?check|consult|try|ask|use|using|see|get|need|go|do|run|hit)\b[^.?!]{0,70}\b(?:(?:the |your )?(?:internet|web|net)\b(?! (?:page|site)s? (?:that|which|with))|online\b|google\b|search engine|wikipedia|the website)|^(?:please |can you |could you |just |pls )*google\b|\b(?:web|internet|online) (?:search|research)\b|\bjust google\b/i;
/** "Find what I said about …": what is looked for was said before, whatever it was about. */
const SAID_BEFORE =
  /^(?:please |can you |could you )*(?:find|look up|search(?: for)?|tell me|remind me|show me|bring up|pull up|do you (?:still )?(?:remember|recall|know))\b.{0,40}\b(?:what|when|where|who|how|which|everything|anything|the \w+) (?:\w+ )?(?:i|we)(?:['’]ve| have| had)? (?:\w+ly )?(?:said|told|mentioned|talked|discussed|decided|agreed)\b/i;
const WORKS_ON_IT =
  /\b(?:translate|rewrite|re-?write|re-?phrase|paraphrase|summari[sz]e|explain|improve|check|proofread|correct|shorten|simplify|polish|easier|clearer|politer?|key points|main (?:points?|argument|idea)|tl;?dr|feedback|turn (?:this|it)|make (?:it|this|these)|extract|tone|mean(?:s|ing)?|grammar|sounds?|right|fix|what['’]?s wrong|here(?:['’]s| is))\b/i;
const OWN_PAPERS =
  /\b(?:uploaded|imported|attached|my (?:library|documents?|files?|notes|feeds?|subscriptions|lease|contract)|the (?:web|internet)|online|our (?:chats?|conversations?)|did i (?:tell|say|mention))\b/i;
const HOW_TO = /^(?:how (?:do|can|should|would|does|did)\b|what is|what are|explain|why|write|create|implement|build)/i;
const GREETING =
  /^(?:hi+|he+y+|hello+|hiya|yo|howdy|greetings|gm|good (?:morning|evening|afternoon|night|day)|thanks?|thank you|thx|ty|cheers|bye|goodbye|see (?:you|ya)|ok(?:ay)?|k|cool|great|perfect|nice|sure|yes|yep|no|nope|sorry|lol|wow|haha+)\b(?:[\s,!.]+(?:there|you|everyone|again|all|credence|so much|a lot|a bunch|very much|then|later|tomorrow|for (?:now|that|your help)|how(?:['’]s| are| is)? (?:it going|you(?: doing)?(?: today)?|things|are you(?: doing)?(?: today)?)|what['’]?s up|nice to (?:meet|see) you|got it|that (?:was|is|['’]s) (?:great|good|helpful)))*[\s!.?]*$/i;

/** The rule that settles the request, or null when examples have to. */
export function settle(request: RequestText): Settled | null {
  const text = request.text;
  if (GREETING.test(text)) return { action: "answer", confidence: 0.98, reason: "a greeting" };
  if (KEEP.test(text) && !NOT_KEEP.test(text) && !/\?\s*$/.test(text)) {
    return { action: "answer", confidence: 0.95, reason: "tells something to remember" };
  }
  if (request.pasted && WORKS_ON_IT.test(text) && !OWN_PAPERS.test(text)) {
    return { action: "answer", confidence: 0.9, reason: "brings its own text along" };
  }
  if (!request.negated && !request.pasted && SAID_BEFORE.test(text)) {
    return { action: "recall_memory", confidence: 0.93, reason: "asks what was said before" };
  }
  const coding = CODING.test(text);
  if (
    !request.negated &&
    !coding &&
    (ADDRESS.test(text) || (SITE.test(text) && !FILE.test(text))) &&
    !statement(text)
  ) {
    return { action: "web_research", confidence: 0.93, reason: "gives a web address" };
  }
  if (!request.negated && WEATHER.test(text)) {
    return { action: "web_research", confidence: 0.88, reason: "asks about the weather" };
  }
  if (statement(text)) return { action: "answer", confidence: 0.85, reason: "tells something and asks for nothing" };
  if (FILE.test(text) && !coding && !request.pasted && !/^(?:write|create|make)\b/i.test(text)) {
    return { action: "search_library", confidence: 0.92, reason: "names a file" };
  }
  if (WEB_BY_NAME.test(text) && !HOW_TO.test(text) && !coding && !request.negated) {
    return { action: "web_research", confidence: 0.94, reason: "asks to look on the web" };
  }
  return null;
}

function statement(text: string): boolean {
  return (
    (PRONOUN.test(text) || NOUN_AND_VERB.test(text)) &&
    ![ASKS, ASKS_IN_DISGUISE, THEN_ASKS].some((asks) => asks.test(text))
  );
}

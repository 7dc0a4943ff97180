/**
 * Linguistic cues: yes-or-no properties of a request that speak for one place to look. Each has a name that the user may
 * read ("names a file") and is a plain regular expression; how much each counts is learned (`head.json`).
 */
import type { RequestText } from "./request-text.ts";

export interface Cue {
  readonly name: string;
  readonly test: RegExp | ((request: RequestText, lower: string) => boolean);
}

const KIN =
  "(?:(?:grand)?(?:mother|father|ma|pa|son|daughter|parents|kids?|child(?:ren)?)|mum|mom|dad|sister|brother|siblings?|aunt|uncle|cousin|niece|nephew|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|friends?|neighbou?r|boss|manager|colleague|landlord|landlady|dentist|doctor|therapist|physio\\w*|teacher|accountant|lawyer|dog|cat|pets?|family|roommate|flatmate|in-laws)";
const DOC =
  "(?:documents?|docs?|files?|pdfs?|e-?books?|epub|contracts?|lease|agreements?|handbook|manuals?|user guide|guidebook|reports?|(?:white ?)?papers?|study|studies|thesis|dissertation|spreadsheets?|csv|sheets?|workbook|slides?|slide deck|presentations?|transcripts?|minutes|polic(?:y|ies)|terms(?: of service| and conditions)?|invoices?|receipts?|bills?|statements?|letters?|leaflet|brochure|prospectus|syllabus|textbook|book|cookbook|essay|article|statutes?|bylaws|deed|will|proposal|spec(?:s|ification)?|documentation|readme|attachments?|scans?|table|price list|offers?|quote|tender|survey|certificate|warranty|guarantee|instructions|plan|outline|form|questionnaire|notes|archive|library)";

export const CUES: readonly Cue[] = [
  // ── memory ──────────────────────────────────────────────────────────────────────────────────────────────────────
  {
    name: "asks what was said before",
    test: /\b(?:did|didn['’]?t|have|haven['’]?t|had|do|would) (?:i|we) (?:\w+ly |ever |already |not |once |first |last |never )*(?:tell|told|say|said|mention(?:ed)?|describe[d]?|give[n]?|gave|ask(?:ed)?|share[d]?|explain(?:ed)?|talk(?:ed)?|speak|spoken?|discuss(?:ed)?|decide[d]?|agree[d]?|conclude[d]?|plan(?:ned)?|promise[d]?|call(?:ed)?|pick(?:ed)?|set|choose|chosen?|settle[d]?|write|written)\b/,
  },
  {
    name: "refers to what was told",
    test: /\b(?:i|we)(?:['’]ve| have| had|['’]d)? (?:\w+ly |just |ever |once |already |previously |also )*(?:told|gave|given|asked|shown|shared with|mentioned|described|said|talked|discussed|spoke|chatted|agreed|decided|worked out)\b/,
  },
  {
    name: "refers to what you were told",
    test: /\b(?:told|gave|given|asked|said to|shared with|mentioned to|confided in|explained to|tell) (?:you|u)\b/,
  },
  {
    name: "asks to remember",
    test: /\b(?:do|did|can|could|would|don['’]?t|will|may|might) (?:you|u|ya) (?:please |still |even |possibly |happen to )*(?:remember|recall|know (?:my|what i|who i|where i|which))\b|\bremember (?:me|when|what|who|where|which|how|anything)\b|\byou (?:may|might|must|probably|should|surely) (?:still )?(?:remember|recall|know)\b/,
  },
  {
    name: "asks for a reminder",
    test: /\bremind me\b|\brefresh my memory\b|\bjog my memory\b|\brecall (?:what|who|when|where|our|my|the)\b|\bremind (?:me )?again\b/,
  },
  {
    name: "mentions earlier conversations",
    test: /\b(?:our|past|previous|prior|earlier|last|old|recent)(?: \w+)? (?:chats?|conversations?|discussions?|talks?|sessions?|messages|dialogues?)\b|\b(?:chat|conversation) (?:history|log)\b|\blast time\b|\bwhere we left off\b|\bour (?:chat|conversation|talk|discussion)\b/,
  },
  {
    name: "says we talked",
    test: /(?<!\b(?:can|could|shall|should|may|let|if) )\bwe(?:['’]ve| have| were| had)? (?:\w+ly |also |last )?(?:talk|discuss|decid|agree|speak|spoke|chat|conclud|settl|work(?:ed)? out|go over|went over|made|make|picked|chose)\w*\b/,
  },
  {
    name: "asks what you know about the user",
    test: /\b(?:know|knows|remember|learn(?:ed|t)?|stored?|saved?|have|gathered|picked up) (?:anything |everything |something |stuff |on |so far |all )*(?:about|on|regarding) (?:me|my|us|our)\b|\babout me\b|\bfacts about me\b/,
  },
  { name: "names the memory", test: /\b(?:your|in) memory\b|\bmemories\b|\bin memory\b/ },
  {
    name: "asks about the user's own facts",
    test: /^(?:so |and |hey,? |ok,? |btw,? |please |tell me |say,? )*(?:what|which|who|whom|when|where|how|is|are|was|am|do|does|did)\b[^.!]{0,40}\b(?:my|i|our|mine|me)\b/,
  },
  {
    name: "what's my",
    test: /^(?:so |and |hey,? |please |tell me |remind me,? )*(?:what|when|where|who|which|how)(?:['’]?s| is| are| was| were|['’]?re) (?:again )?(?:my|our)\b|^am i\b|\b(?:what|whats|what['’]s) my\b/,
  },
  {
    name: "asks what I do or did",
    test: /\b(?:what|which|where|when|who|whom|how|why)\b[^.!,]{0,30}\b(?:do|did|am|was|have|had) i\b(?! (?:do|get|make|know|need|use|say (?:this|that)|find|write|tie|undo|cook|boil|fix|center|read|parse|search|handle|convert|install|calculate|ask|learn|stop|start|go about|improve|feed|tune|store|open|remove|delete|set up|create|build|add|deal|clean|keep|prevent|choose|explain|become|best|reset|change|configure))/,
  },
  { name: "names someone close to the user", test: new RegExp(`\\b(?:my|our) (?:\\w+ )?${KIN}\\b`) },
  {
    name: "a date or habit of the user",
    test: /\bmy (?:\w+ ){0,2}(?:birthday|anniversary|appointment|name|age|address|job|title|shoe size|size|allerg\w+|hobbies|favou?rite|usual|blood type|medication|goals?|plans?|budget|car|bike|flat|apartment|house|school|university|gym|rent|project|startup|thesis|novel|trip|holiday|vacation|wedding|diet\w*|restrictions|team|nickname|phone|number|salary)\b/,
  },
  { name: "again", test: /\bagain\?*$|\bagain\b.*\?/ },
  // ── library ─────────────────────────────────────────────────────────────────────────────────────────────────────
  {
    name: "you told the user before",
    test: /\byou (?:once |already |just )?(?:gave|told|suggested|recommended|explained|mentioned|said|showed|advised|promised) (?:me|us|to me)?\b|\b(?:did|have) you (?:already |ever )?(?:tell|told|recommend|suggest|give|given|say|said|advise|mention|show)\w*\b|\byour (?:advice|suggestion|recommendation)\b/,
  },
  {
    name: "the other day",
    test: /\b(?:the other day|a while (?:ago|back)|a few (?:days|weeks) ago|earlier|once|last (?:time|month|week)|previously|before|back then|in the past|yesterday)\b/,
  },
  { name: "names a kind of document", test: new RegExp(`\\b${DOC}\\b`) },
  {
    name: "points at a certain document",
    test: new RegExp(
      `\\b(?:the|my|our|this|that|these|those|both|each|every|all|any|its|which|your|attached|uploaded|imported|saved) (?:of (?:my|the|our) )?(?:[\\w'’-]+ ){0,3}${DOC}\\b`,
    ),
  },
  {
    name: "mentions an upload",
    test: /\b(?:i|we|i['’]ve|just|been) (?:have |had |just |recently )*(?:upload|import|add|attach|scan|save|load|drop|put|gave|given|give|share|feed|fed)\w*\b|\b(?:uploaded|imported|attached|scanned|attachment|loaded)\b|\bin my (?:library|files|documents|archive)\b/,
  },
  { name: "names a file", test: /\b[\w-]+\.(?:pdf|docx?|xlsx?|csv|tsv|md|txt|epub|pptx?|odt|rtf|html?|json|eml)\b/ },
  {
    name: "names a place in a text",
    test: /\b(?:chapter|clause|section|page|pages|paragraph|passage|appendix|annex|article|row|column|footnote|slide|§) ?(?:\d|[ivx]+\b|about|on|where|that|with|deals|for)|§|\b(?:first|second|third|fourth|fifth|last|final) (?:chapter|section|page|paragraph|slide)\b|\bthe (?:clause|paragraph|passage|section|page|sentence|footnote|chapter)\b/,
  },
  {
    name: "asks what a text says",
    test: /\b(?:does|do|did|what|where)\b[^.?!]{0,60}\b(?:say|says|state|mention|mentions|cover|require|define|specify|stipulate|conclude|recommend|claim|argue|list|forbid|allow|write|note|ask|contain|include|mean by|exclude)\b/,
  },
  {
    name: "according to",
    test: /\b(?:according to|as per|per|based on|going by|from|in|using|with the help of) (?:the|my|our|this|these|both) [\w\s'’-]{0,24}\b/,
  },
  {
    name: "the user's own papers",
    test: /\b(?:my|our|the) (?:[\w'’-]+ ){0,2}(?:documents?|files?|library|pdfs?|notes|papers|invoices?|receipts?|slides|books?|e-books?|archive|spreadsheets?|contracts?|lease|handbook)\b/,
  },
  {
    name: "searches documents",
    test: /\b(?:search|look|find|check|go|dig|pull|extract|quote|show|list|open|read|scan|locate|summari[sz]e|compare)\b[^.?!]{0,50}\b(?:documents?|docs?|files?|library|pdfs?|notes|papers|contracts?|report|manual|handbook|agreement|archive|book|minutes|invoices?|policy|policies|slides|transcript|leaflet|receipt|spreadsheet|clause|passage|paragraph)\b/,
  },
  {
    name: "a document in general",
    test: new RegExp(`\\b(?:a|an|good|your own|any good|how do (?:i|you|we)|what is an?) (?:[\\w'’-]+ ){0,2}${DOC}\\b`),
  },
  // ── feeds ───────────────────────────────────────────────────────────────────────────────────────────────────────
  {
    name: "names feeds",
    test: /\b(?:feeds?|rss|atom feed|subscriptions?|subscribed?|sources? i follow|(?:blogs?|sites?|people|anyone|someone|accounts?|channels?|newspapers?) i (?:follow|read|subscribe)|(?:news|my) sources|newsletter|unread|haven['’]?t read|podcasts?|episodes|starred)\b/,
  },
  {
    name: "names news",
    test: /\b(?:news|headlines?|top stories|stories|articles?|coverage|press|newspapers?|journalists?|bulletin|briefing|digest|roundup|round-up|blog posts?|blogs?|posts?|entries|announcements?|advisories)\b/,
  },
  {
    name: "asks for what is new",
    test: /\b(?:anything|something|what['’]?s|whats|what is|any|is there anything|everything)\b[^.?!]{0,12}\b(?:new|fresh|latest|recent|interesting|worth reading)\b|\bwhat['’]?s (?:new|fresh|going on|happening|up in)\b|\bnews\??$|^(?:the )?(?:latest|newest|recent|top|today['’]?s|this (?:morning|week)['’]?s|local|tech|sports?|business|world)\b/,
  },
  {
    name: "asks to be caught up",
    test: /\b(?:catch|bring|get|fill|keep|update) me (?:up|in|on|posted|up to)\b|\bwhat (?:did|have|has) (?:i|i['’]ve) (?:i )?miss(?:ed)?\b|\bhave i missed\b|\bup to date\b|\bupdates?\b|\bdigest\b|\bbriefing\b/,
  },
  {
    name: "recent and published",
    test: /\b(?:new|newest|latest|recent|recently|lately|today|yesterday|overnight|this (?:week|month|morning)|last (?:week|night|monday|tuesday|wednesday|thursday|friday|seven days|few days)|since \w+day|since yesterday)\b[^.?!]*\b(?:articles?|posts?|stories|entries|headlines?|news|items?|papers|coverage|published|posted|written|reported|blog|episodes?)\b|\b(?:published|posted|written|reported|cover(?:ed)?|wrote|write|articles?|posts?|news|came in|arrived)\b[^.?!]*\b(?:lately|recently|today|yesterday|overnight|this (?:week|month|morning)|last (?:week|month)|since|in the last)\b/,
  },
  {
    name: "what a source reports",
    test: /\b(?:has|have|did|does|do|any of)\b[^.?!]{0,40}\b(?:publish|post|report|cover|write|wrote|written)\w*\b/,
  },
  {
    name: "what is happening",
    test: /\bwhat(?:['’]?s| is| has| have)? (?:been )?(?:happen|going on|been published|been written|came in)\w*\b|\bin the (?:news|world|world today)\b/,
  },
  // ── beliefs ─────────────────────────────────────────────────────────────────────────────────────────────────────
  {
    name: "names your beliefs",
    test: /\b(?:your|you hold|you have|you formed|of your) (?:\w+ ){0,3}(?:beliefs?|opinions?|views?|stance|position|convictions?|take|thoughts|verdict|confidence|mind about)\b|\b(?:beliefs?|opinions?|views|convictions) (?:do|have|did) you\b|\bthat belief\b/,
  },
  {
    name: "asks what you believe",
    test: /\b(?:do|did|would|are|what|why|you) (?:do |did |would |really |still |personally |yourself )*you (?:really |actually |still |personally |yourself |currently |honestly |come to |now |strongly )*(?:believe|think (?:about|of|that|is)|hold|doubt|consider|support|agree|reckon|trust|make of|stand)\b|\byou (?:really |actually |truly |personally |yourself |currently |have come to |come to |used? to )*(?:believe|reckon|convinced)\b/,
  },
  {
    name: "do you think",
    test: /^(?:so |and |well,? )*do you (?:still |really |personally )?(?:think|believe|agree|reckon|doubt|support|consider)\b/,
  },
  {
    name: "what do you think about",
    test: /\bwhat (?:do|did|would) you (?:\w+ )?(?:think|make|feel) (?:about|of)\b|\bwhat(?:['’]?s| is| are)? your (?:\w+ ){0,2}(?:opinion|view|stance|position|take|thoughts?|verdict|belief)s?\b|\b(?:your|ur) (?:\w+ )?(?:opinion|view|take|thoughts?|stance|position)s? (?:on|about|of|regarding)\b|^(?:any )?thoughts on\b|\bhow do you (?:view|see|feel about)\b|\bin your (?:\w+ )?(?:opinion|view)\b/,
  },
  {
    name: "asks how sure you are",
    test: /\bhow (?:sure|certain|confident|convinced|strong(?:ly)?|likely)\b|\b(?:most|least) (?:sure|certain|confident|convinced)\b|\bare you (?:\w+ )?(?:sure|certain|convinced|confident|for|against|in favou?r|s[ck]eptical|unsure|uncertain)\b|\byou (?:un)?(?:sure|certain) (?:about|of)\b|\bconfidence (?:in|that|about)\b|\bwith what confidence\b/,
  },
  {
    name: "asks about a change of mind",
    test: /\b(?:chang\w+|shift\w*|revis\w+|develop\w*|mov\w+|evolv\w+|update[d]?) (?:your|you|the) (?:mind|view|opinion|belief|position|stance|take)|\bchange(?:d)? your mind\b|\byour (?:view|opinion|belief|mind|position|stance)s?\b[^.?!]{0,40}\b(?:chang|shift|revis|develop|evolv|still the same|used to be)\w*|\bused to believe\b|\bhistory of your\b/,
  },
  {
    name: "asks for the evidence behind",
    test: /\b(?:evidence|grounds?|reasons?|basis|supports?|contradicts?|speaks? (?:for|against))\b[^.?!]{0,40}\b(?:your|you|believe|belief|view|position|opinion)\b|\byour (?:belief|view|opinion|position)\b[^.?!]{0,40}\b(?:based on|evidence|support|come from|about)\b/,
  },
  {
    name: "where you stand",
    test: /\bwhere do you stand\b|\bwhich side are you\b|\bstand on\b|\byour (?:stance|position|verdict)\b|\bare you (?:for|against|in favou?r)\b/,
  },
  {
    name: "asks about a wording",
    test: /\b(?:think|feel|make) (?:about|of) (?:this|that|the following|my|it)\b|\bdo you think (?:this|that|it|i|my|we)\b|\bi should\b|\bshould i\b|\bsounds?\b/,
  },
  // ── web ─────────────────────────────────────────────────────────────────────────────────────────────────────────
  {
    name: "names the web",
    test: /\b(?:(?:on|from|the|via|across) (?:inter|world wide )?(?:web|net)|internet|online|google|googling|bing|duckduckgo|search engine|web ?(?:search|research|page)|websites?|web site|go online|wikipedia|reddit|youtube|homepage)\b/,
  },
  {
    name: "asks to use the web",
    test: /\b(?:search|look|check|find|browse|surf|google|research|use|using|investigate|verify|fact-?check|consult|visit|read|see|get|ask|try|scour|explore|query)\b[^.?!]{0,60}\b(?:web|internet|online|net|google|wikipedia|website|site|reddit)\b|^(?:please |can you |could you |just )*google\b|\bweb (?:search|research)\b|\bbrowse (?:to|the)\b/,
  },
  {
    name: "gives an address",
    test: /https?:\/\/\S+|\bwww\.\S+|\b[a-z0-9-]+\.(?:com|org|net|io|edu|gov|de|uk|eu|fr|at|ch|dev|app|co|site|example)\b(?:\/\S*)?/,
  },
  {
    name: "weather",
    test: /\b(?:weather|forecast|rain|snow(?:ing)?|sunny|temperature|umbrella|storm warning|humidity)\b/,
  },
  {
    name: "asks for a quick fact of the day",
    test: /^(?:the )?(?:weather|forecast|score|price of|bitcoin|gold|flights?|hotels?|trains?|traffic|tickets?|exchange rate|stock)\b|\b(?:stock|price|score|rate|forecast|weather)s?(?: (?:now|today|please|in \w+))?$/,
  },
  {
    name: "a price or rate",
    test: /\b(?:price|prices|cost|costs|rates?|stock|share price|trading at|exchange|worth in|bitcoin|how much (?:is|does|are|for)|cheap(?:est)?|discounts?|tickets?|flights?|hotels?)\b/,
  },
  {
    name: "right now",
    test: /\b(?:right now|at the moment|currently|current|these days|today|tonight|tomorrow|this (?:afternoon|evening|weekend)|at present|up-to-date|live|now)\b/,
  },
  {
    name: "near me",
    test: /\b(?:near(?:by| me| here)?|in my area|around here|open (?:now|on|today)|opening hours|office hours|closing time|what time does|phone number of|address of|timetable|schedule of|next (?:train|bus|flight|ferry))\b/,
  },
  {
    name: "a result of the day",
    test: /\b(?:who won|what(?:['’]?s| was| is) the score|score of|result of|results of|who is winning|winner)\b/,
  },
  {
    name: "a version or office holder",
    test: /\b(?:latest|newest|current) (?:stable )?(?:version|release|president|prime minister|ceo|chancellor|mayor|population|record)\b|\bwho is the (?:current|new)\b/,
  },
  {
    name: "looks something up",
    test: /\blook(?:ing)? (?:\w+ )?up\b|\bsearch for\b|\bfind (?:me|out|a|the)\b|\bcan you find\b|\bresearch\b|\binvestigate\b/,
  },
  {
    name: "research",
    test: /\b(?:do|run|start|carry out|conduct|deep|thorough|quick|some) (?:\w+ ){0,2}(?:research|search)\b|^research\b/,
  },
  // ── answer ──────────────────────────────────────────────────────────────────────────────────────────────────────
  {
    name: "a greeting or thanks",
    test: /^(?:hi+|hey+|hello|yo|hiya|greetings|good (?:morning|evening|afternoon|night|day)|thanks?|thank you|thx|cheers|bye|goodbye|see you|ok(?:ay)?|cool|great|perfect|nice|sure|yes|no|sorry|gm)\b[^?]{0,40}\??$/,
  },
  {
    name: "asks for writing",
    test: /^(?:please |pls |can you |could you |would you |i want you to |i need you to |help me |now )*(?:write|draft|compose|create|make|invent|generate|come up with|brainstorm|suggest|think of|design|plan|build|implement|code|sketch|name|give me (?:ideas|a|an|some|three|five|ten|pros)|finish|complete|tell me a (?:joke|story|fun)|sing|pretend|act|play|let['’]?s|imagine|quiz|teach)\b/,
  },
  {
    name: "works on given text",
    test: /\b(?:translate|rewrite|re-?phrase|paraphrase|proofread|correct|shorten|simplify|polish|improve|reword|convert|fix|turn (?:this|these)|make (?:this|it|these)|summari[sz]e (?:this|the following|these)|(?:the|this) following|refactor|explain this|in this (?:text|paragraph|sentence|message)|this (?:sentence|paragraph|text|email|message|poem|code|title))\b/,
  },
  {
    name: "arithmetic",
    test: /\d\s*[-+*/^x×÷%]\s*\d|\b(?:square root|percent of|% of|times \d|divided by|solve|integral|derivative|differentiate|equation|probability of|convert \d|factorial|plus \d)\b|\b\d+ ?(?:%|percent)\b/,
  },
  {
    name: "programming",
    test: /\b(?:python|javascript|typescript|java|rust|golang|sql|css|html|regex|bash|git|react|function|code|script|compile\w*|algorithm|json|api call|linux|docker|class|array|loop|parser|parse)\b/,
  },
  {
    name: "asks you to keep something",
    test: /^(?:please |pls |ok,? |hey,? )*(?:remember|note|keep in mind|don['’]?t forget|do not forget|make a note|for (?:future|your) reference|just so you know|fyi|save this|take note)\b(?! (?:me\b|when we|what (?:i|we)|who|where|which))/,
  },
  {
    name: "tells rather than asks",
    test: (request, lower) =>
      !request.text.includes("?") &&
      /^(?:well,? |so,? |yes,? |no,? |oh,? |by the way,? |btw,? |honestly,? |yesterday,? |today,? |last \w+,? |actually,? )*(?:i|i['’]m|i['’]ve|i['’]d|my|we|we['’]re|our|he|she|they|it|that|this|the|a|an|all|everyone|people|there|according to (?:a|an|one|some))\b/.test(
        lower,
      ) &&
      !/\b(?:please|tell me|find|search|look up|show|remind|can you|could you|what|which|who|where|when|how|summari[sz]e|list)\b/.test(
        lower,
      ),
  },
  {
    name: "general how-to or why",
    test: /^(?:and |so |please |tell me )*(?:how (?:do|does|did|can|could|would|should|to|is|are)|why (?:do|does|did|is|are|was|were|can['’]?t)|what (?:is|are|does|do|was|were|causes?|happens?|would|makes)|explain|define|describe|difference between|when (?:did|was|were)|who (?:was|were|wrote|invented|discovered|painted|founded)|what['’]s (?:the (?:difference|capital|meaning|formula|boiling)|an?))\b(?!.*\b(?:my|your|i|you)\b)/,
  },
  {
    name: "what is a",
    test: /^(?:so )?(?:what(?:['’]s| is| are)|define|explain|whats) (?:a|an|the (?:concept|meaning|definition|purpose|idea|theory|difference)|\w+$|\w+ \w+$)/,
  },
  {
    name: "advice for the user",
    test: /\b(?:should i|how (?:do|can|should|would) (?:i|you|we|one)|help me|any (?:tips|advice)|advice|best way|what should i|recommend|tips for|ideas? for|what can i)\b/,
  },
  {
    name: "talks to the assistant",
    test: /^(?:are|do|can|who|what) (?:are |can |do )?you\b|\bwhat(?:['’]?s| is) your (?:name|favou?rite)\b|\byou['’]?re\b/,
  },
  {
    name: "asks",
    test: (request) =>
      request.text.includes("?") ||
      /^(?:what|which|who|when|where|why|how|do|does|did|is|are|can|could|has|have|any|whats)\b/i.test(request.text),
  },
  { name: "pasted text", test: (request) => request.pasted },
  { name: "told not to look", test: (request) => request.negated },
  { name: "very short", test: (_, lower) => lower.split(" ").length <= 3 },
  { name: "long", test: (_, lower) => lower.length > 160 },
  {
    name: "follow-up",
    test: /^(?:and|so|but|or|then|also|why|ok|hmm+|wait|again|in|more|shorter|longer|now)\b[^.]{0,40}$/,
  },
];

/** 1 for each cue that the request shows, in the order of `CUES`. */
export function cuesOf(request: RequestText): Float32Array {
  const lower = request.text.toLowerCase();
  return Float32Array.from(CUES, ({ test }) =>
    Number(test instanceof RegExp ? test.test(lower) : test(request, lower)),
  );
}

/**
 * Messages in other languages go by a few words of each language: the examples are English, and a multilingual
 * embedder cannot be counted on. What these words do not settle is answered.
 */
import type { Action } from "./head.ts";
import type { Settled } from "./rules.ts";

type Words = Readonly<Record<Exclude<Action, "answer">, RegExp>> & { readonly common: RegExp; readonly tells: RegExp };

/** `common` words tell the language; the rest, in the order of `ORDER`, tell the place to look. */
const LANGUAGES: Readonly<Record<string, Words>> = {
  German: {
    common:
      /\b(?:der|die|das|und|ist|nicht|ein|eine|ich|du|mir|mich|dir|was|wie|wo|wer|wann|welche[rs]?|mein\w*|zu|im|auf|über|bitte|hast|habe|gibt|es|von|für|mit|heute|danke|hallo)\b/g,
    tells: /^(?:merke? dir|denk daran|vergiss nicht|notier)/,
    web_research:
      /\b(?:im (?:internet|netz|web)|online|googl\w+|webseite|website|wetter|aktuelle[rn]? (?:preis|kurs))\b|https?:\/\//,
    search_library:
      /\b(?:dokument\w*|datei\w*|pdf|mietvertrag\w*|vertrag\w*|handbuch\w*|bericht|unterlagen|bibliothek|notizen|rechnung\w*|anhang|kapitel|laut (?:der|dem|meine[rmn]))\b/,
    recall_memory:
      /\b(?:habe ich dir|hab ich dir|ich dir (?:gesagt|erzählt)|erinnerst du dich|erinnere mich|weißt du noch|haben wir (?:besprochen|geredet|gesprochen)|wie heiß(?:t|en) mein\w*|wann habe? ich|was weißt du über mich|unser (?:letztes )?gespräch)\b/,
    feeds:
      /\b(?:feeds?|neuigkeiten|nachrichten|schlagzeilen|neue[sn]? (?:artikel|beiträge)|abos?|abonn\w+|ungelesen\w*|was gibt es neues)\b/,
    beliefs:
      /\b(?:glaubst du|denkst du (?:über|von)|hältst du (?:von|für)|deine (?:meinung|haltung|ansicht|überzeugung)\w*|wie sicher bist du|bist du (?:für|gegen|überzeugt))\b/,
  },
  French: {
    common:
      /\b(?:le|la|les|des|une?|est|et|je|tu|il|que|qui|quoi|quel\w*|mon|ma|mes|dans|sur|pour|avec|pas|ce|cette|où|quand|comment|bonjour|merci|peux|peut|ai|as)\b|\b(?:l|d|qu|j|c|n|m|t)['’]/g,
    tells: /^(?:retiens|souviens-toi que|rappelle-toi que|n['’]oublie pas|note que)/,
    web_research:
      /\b(?:sur (?:internet|le web|la toile)|en ligne|googl\w+|site web|météo|prix actuel|cours actuel)\b|https?:\/\//,
    search_library:
      /\b(?:documents?|fichiers?|pdf|contrat\w*|bail|manuel|rapport|bibliothèque|mes notes|facture\w*|chapitre|pièce jointe|d['’]après (?:le|mon|ma|la))\b/,
    recall_memory:
      /\b(?:je t['’]ai (?:dit|parlé|raconté)|t['’]ai-je (?:dit|parlé)|ai-je (?:dit|mentionné)|te souviens-tu|tu te souviens|rappelle-moi|avons-nous (?:parlé|discuté)|comment s['’]appelle (?:mon|ma)|notre (?:dernière )?conversation|sais-tu (?:de|sur) moi)\b/,
    feeds:
      /\b(?:flux|actualités?|nouvelles|gros titres|nouveaux articles|abonnements?|non lus?|quoi de neuf dans|infos du jour)\b/,
    beliefs:
      /\b(?:que (?:penses|crois)-tu|crois-tu|penses-tu (?:que|de)|ton (?:avis|opinion)|tes (?:opinions|croyances|convictions)|es-tu (?:sûre?|convaincue?|pour|contre)|qu['’]est-ce que tu (?:penses|crois))/,
  },
  Spanish: {
    common:
      /\b(?:el|la|los|las|un|una|es|son|y|que|qué|quién|cuál|cuándo|dónde|cómo|mi|mis|en|de|del|por|para|con|no|me|te|se|hola|gracias|hay|está|sobre|lo)\b|[¿¡]/g,
    tells: /^(?:recuerda que|acuérdate de que|no olvides|ten en cuenta|apunta)/,
    web_research:
      /(?:\b(?:en (?:internet|la web|la red|línea)|online|googl\w+|página web|sitio web|el tiempo (?:en|hoy|mañana)|precio actual)\b|https?:\/\/)/,
    search_library:
      /\b(?:documentos?|archivos?|pdf|contrato\w*|manual|informe|biblioteca|mis notas|factura\w*|capítulo|adjunto|según (?:el|mi|la))\b/,
    recall_memory:
      /\b(?:te (?:dije|conté|he dicho|he contado|mencioné)|dije sobre|recuerdas|te acuerdas|recuérdame|hablamos|hemos hablado|cómo se llama mi|nuestra (?:última )?conversación|sabes (?:de|sobre) mí)/,
    feeds:
      /\b(?:feeds?|noticias|titulares|novedades|artículos (?:nuevos|recientes)|nuevos artículos|suscripciones|sin leer)\b/,
    beliefs:
      /\b(?:qué (?:crees|piensas|opinas)|crees (?:que|en)|piensas (?:que|sobre|de)|tu (?:opinión|postura|creencia)|tus (?:opiniones|creencias)|estás (?:segur[oa]|a favor|en contra))/,
  },
  Italian: {
    common:
      /\b(?:il|lo|la|gli|le|un|una|è|sono|e|che|chi|cosa|quale|quando|dove|come|mio|mia|miei|nel|nella|di|del|della|per|con|non|mi|ti|ciao|grazie|sul|sulla)\b/g,
    tells: /^(?:ricorda(?:ti)? che|non dimenticare|tieni presente|annota)/,
    web_research: /(?:\b(?:su internet|sul web|in rete|online|googl\w+|sito web|meteo|prezzo attuale)\b|https?:\/\/)/,
    search_library:
      /\b(?:document[oi]|file|pdf|contratto|manuale|relazione|biblioteca|miei appunti|fattura|capitolo|allegato|secondo (?:il|la|i miei))\b/,
    recall_memory:
      /\b(?:ti ho (?:detto|raccontato|parlato)|ho detto (?:di|su)|ti ricordi|ricordi (?:cosa|quando|dove|chi)|ricordami|abbiamo (?:parlato|discusso|deciso)|come si chiama (?:mio|mia)|nostra (?:ultima )?conversazione|sai di me)\b/,
    feeds: /\b(?:feed|notizie|titoli|novità|articoli (?:nuovi|recenti)|nuovi articoli|abbonamenti|non letti)\b/,
    beliefs:
      /\b(?:cosa (?:pensi|credi|ne pensi)|credi (?:che|in)|pensi (?:che|di)|tua opinione|tue (?:opinioni|convinzioni)|sei (?:sicur[oa]|favorevole|contrari[oa]|convint[oa]))\b/,
  },
  Portuguese: {
    common:
      /\b(?:os|as|um|uma|é|são|e|que|quem|qual|quando|onde|como|meu|minha|meus|no|na|do|da|em|para|com|não|me|você|olá|obrigad[oa]|sobre|isso)\b/g,
    tells: /^(?:lembre-se de que|lembra-te que|não (?:te )?esqueças?|anote)/,
    web_research: /(?:\b(?:na (?:internet|web|rede)|online|googl\w+|site|previsão do tempo|preço atual)\b|https?:\/\/)/,
    search_library:
      /\b(?:documentos?|arquivos?|ficheiros?|pdf|contrato|manual|relatório|biblioteca|minhas notas|fatura|capítulo|anexo|segundo (?:o|a|meu))\b/,
    recall_memory:
      /\b(?:te (?:disse|contei|falei)|(?:disse|contei|falei) (?:a você|para você|sobre)|(?:você )?se lembra|lembras-te|lembre-me|conversamos|falamos|como se chama (?:o meu|a minha|meu|minha)|nossa (?:última )?conversa|sabe sobre mim)\b/,
    feeds: /\b(?:feeds?|notícias|manchetes|novidades|artigos (?:novos|recentes)|novos artigos|assinaturas|não lidos)\b/,
    beliefs:
      /(?:\b(?:o que (?:você )?(?:acha|pensa|acredita)|(?:você )?acredita (?:que|em)|(?:sua|tua) (?:opinião|posição|crença)|(?:suas|tuas) (?:opiniões|crenças)|tem certeza)\b)/,
  },
  Dutch: {
    common:
      /\b(?:de|het|een|en|is|niet|ik|jij|je|mij|wat|wie|waar|wanneer|welke|hoe|mijn|van|op|over|voor|met|dat|heb|hebt|heeft|hallo|dank|bedankt)\b/g,
    tells: /^(?:onthoud dat|vergeet niet|noteer)/,
    web_research:
      /\b(?:op (?:het )?(?:internet|web)|online|googl\w+|website|weer (?:in|morgen|vandaag)|huidige prijs)\b|https?:\/\//,
    search_library:
      /\b(?:document\w*|bestand\w*|pdf|contract|huurcontract|handleiding|rapport|bibliotheek|notities|factuur|hoofdstuk|bijlage|volgens (?:het|de|mijn))\b/,
    recall_memory:
      /\b(?:heb ik (?:je|jou) (?:verteld|gezegd)|ik je (?:verteld|gezegd)|herinner je|weet je nog|herinner me|hebben we (?:besproken|gepraat)|hoe heet mijn|ons (?:laatste )?gesprek|weet je over mij)\b/,
    feeds: /\b(?:feeds?|nieuws|krantenkoppen|nieuwe artikelen|abonnementen|ongelezen)\b/,
    beliefs:
      /\b(?:geloof je|denk je (?:over|van|dat)|vind je van|jouw (?:mening|standpunt|overtuiging)|je mening|hoe zeker ben je|ben je (?:voor|tegen|overtuigd))\b/,
  },
};

const ORDER = ["recall_memory", "beliefs", "web_research", "search_library", "feeds"] as const;
const ENGLISH =
  /\b(?:the|and|is|are|was|what|who|where|when|why|how|my|your|you|do|does|did|of|to|in|on|for|with|about|it|this|that|have|has|can|could|please|any|from|an|tell|me|search|find|show)\b/g;
/** Scripts that none of the examples is written in. */
const OTHER_SCRIPT =
  /[\u0370-\u03ff\u0400-\u052f\u0590-\u06ff\u0900-\u0dff\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;

/** Settles a message that is not English; null for English (and for what cannot be told). */
export function settleForeign(text: string): Settled | null {
  const lower = text.toLowerCase();
  const letters = lower.match(/\p{L}/gu)?.length ?? 0;
  const foreign = lower.match(OTHER_SCRIPT)?.length ?? 0;
  if (letters > 0 && foreign / letters > 0.5) {
    if (/https?:\/\//.test(lower)) return { action: "web_research", confidence: 0.8, reason: "gives a web address" };
    return { action: "answer", confidence: 0.6, reason: "is in a language without rules" };
  }
  const english = lower.match(ENGLISH)?.length ?? 0;
  let best: { language: string; count: number } | null = null;
  for (const [language, { common }] of Object.entries(LANGUAGES)) {
    const count = lower.match(common)?.length ?? 0;
    if (count > (best?.count ?? 0)) best = { language, count };
  }
  const words = lower.split(/\s+/).length;
  if (!best || best.count <= english || best.count / words < 0.2 || (best.count < 2 && english > 0)) return null;
  // One shared word ("no", "me", "as") in a short English message is no sign of another language.
  if (best.count < 2 && !/[¿¡äöüßéèêçñáíóúàìòùãõ]/.test(lower)) return null;
  const rules = LANGUAGES[best.language]!;
  if (rules.tells.test(lower))
    return { action: "answer", confidence: 0.8, reason: `tells something (${best.language})` };
  for (const action of ORDER) {
    if (rules[action].test(lower)) return { action, confidence: 0.75, reason: `${best.language} words for it` };
  }
  return { action: "answer", confidence: 0.7, reason: `${best.language}, and names no place to look` };
}

/**
 * Messages that need nothing from memory: greetings, thanks, goodbyes, a bare yes or no. Only what is certain counts;
 * anything longer, or with a question in it, is looked up.
 */
export function needsNoRecall(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  if (words.length === 0) return true;
  if (words.length > 6) return false;
  return words.every((word) => smallTalk.has(word));
}

const smallTalk = new Set(
  "hi hello hey hiya howdy yo good morning afternoon evening night day greetings there credence how are you doing today thanks thank thx ty much many very so a lot please ok okay fine great cool nice perfect awesome bye goodbye see later soon cheers welcome yes no yep nope sure hallo guten morgen tag abend danke tschüss hola gracias buenos días adiós bonjour salut merci ciao grazie".split(
    " ",
  ),
);

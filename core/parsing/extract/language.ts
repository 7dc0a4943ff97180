import { detectAll } from "tinyld";

/** ISO 639-1 of a text, from samples of its beginning and middle; null when it is too short or mixed to tell. */
export function languageOf(text: string): string | null {
  const sample = (text.slice(0, 1500) + text.slice(text.length >> 1, (text.length >> 1) + 1500)).replace(
    /[\d\W_]*\d[\d\W_]*/g,
    " ",
  );
  if ((sample.match(/\p{L}/gu)?.length ?? 0) < 24) return null;
  const [best] = detectAll(sample);
  return best && best.accuracy >= 0.15 ? best.lang : null;
}

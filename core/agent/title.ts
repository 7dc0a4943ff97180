const LONGEST = 48;

/** A conversation's title from its first message: the first sentence or line, cut at a word. */
export function titleFrom(text: string): string {
  const line = text
    .replace(/```[\s\S]*?(```|$)/g, " ")
    .split(/\n+/)
    .map((part) =>
      part
        .replace(/^[#>*\-\s]+/, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .find((part) => part.length > 0);
  const whole = line ?? text.replace(/[`\s]+/g, " ").trim();
  const sentence = /^.{8,}?[.!?](?=\s)/u.exec(whole)?.[0] ?? whole;
  const plain = sentence.replace(/[.!,;:\s]+$/u, "");
  const characters = [...plain];
  if (characters.length <= LONGEST) return plain || "New chat";
  const cut = characters.slice(0, LONGEST).join("");
  const atWord = cut.replace(/\s+\S*$/u, "");
  return `${(atWord.length >= LONGEST / 2 ? atWord : cut).trimEnd()}…`;
}

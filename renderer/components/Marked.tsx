/** Text with one range marked; a range outside the text is cut to it, an empty one is left out. */
export function Marked({ text, mark }: { readonly text: string; readonly mark: readonly [number, number] | null }) {
  if (!mark) return text;
  const start = Math.max(0, Math.min(text.length, mark[0]));
  const end = Math.max(start, Math.min(text.length, mark[1]));
  if (start === end) return text;
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}

/** Marks a text wherever it stands in the thread, by the browser's own highlights: nothing in the page changes. */

const name = "find";
const mostRanges = 500;

/** Marks `text` until the returned function is called; keeps up while rows come and go. */
export function highlightMatches(text: string): () => void {
  const highlights = typeof CSS !== "undefined" ? CSS.highlights : undefined;
  if (!highlights || text === "") return () => undefined;
  const needle = text.toLowerCase();
  let frame = 0;
  const mark = () => {
    frame = 0;
    const thread = document.querySelector(".thread");
    if (thread) highlights.set(name, new Highlight(...rangesOf(thread, needle)));
  };
  const later = () => {
    frame ||= requestAnimationFrame(mark);
  };
  later();
  const observer = new MutationObserver(later);
  observer.observe(document.querySelector(".main") ?? document.body, {
    childList: true,
    subtree: true,
    characterData: true,
  });
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    highlights.delete(name);
  };
}

function rangesOf(root: Element, needle: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < mostRanges; node = walker.nextNode()) {
    const value = node.nodeValue?.toLowerCase() ?? "";
    for (let at = value.indexOf(needle); at !== -1; at = value.indexOf(needle, at + needle.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      ranges.push(range);
    }
  }
  return ranges;
}

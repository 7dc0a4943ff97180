import fc from "fast-check";
import { expect, test } from "vitest";
import { readOpml, writeOpml } from "../../../core/parsing/feed/opml.ts";

test("folders, titles with markup characters and nested folders are read; repeated addresses once", () => {
  const text = `\uFEFF<?xml version="1.0"?><opml version="1.0"><body>
    <outline text="News"><outline text="R &amp; D" title="R &amp; D" type="rss" xmlUrl="https://a.example/x?a=1&amp;b=2" htmlUrl="https://a.example/"/>
      <outline text="Rivers"><outline text="Eels" xmlURL="https://b.example/"/></outline></outline>
    <outline xmlUrl="https://a.example/x?a=1&b=2"/></body></opml>`;
  expect(readOpml(text)).toEqual([
    { url: "https://a.example/x?a=1&b=2", title: "R & D", homePage: "https://a.example/", folder: "News" },
    { url: "https://b.example/", title: "Eels", homePage: null, folder: "News / Rivers" },
  ]);
});

test("what is no subscription list is refused", () => {
  expect(() => readOpml("<html><p>no</p></html>")).toThrow(/not a subscription list/);
});

test("whatever is written is read back the same", () => {
  const name = fc.stringMatching(/^[A-Za-z0-9&<>"' é水]{1,20}$/).map((text) => text.trim() || "x");
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.record({
          url: fc.webUrl({ withQueryParameters: true }),
          title: name,
          homePage: fc.option(fc.webUrl(), { nil: null }),
          folder: fc
            .array(
              name.filter((text) => !text.includes("/")),
              { maxLength: 2 },
            )
            .map((names) => names.join(" / ")),
        }),
        { selector: (feed) => feed.url, maxLength: 12 },
      ),
      (feeds) => {
        const byUrl = (a: { url: string }, b: { url: string }) => (a.url < b.url ? -1 : 1);
        expect(readOpml(writeOpml(feeds, "Mine & yours")).sort(byUrl)).toEqual([...feeds].sort(byUrl));
      },
    ),
    { numRuns: 100 },
  );
});

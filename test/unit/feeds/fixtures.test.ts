import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseFeed } from "../../../core/parsing/feed/index.ts";

const folder = new URL("../../fixtures/feeds/", import.meta.url);
const names = readdirSync(folder).filter((name) => !name.endsWith(".expected.json"));

test.each(names)("%s is read exactly as written down beside it", (name) => {
  const feed = parseFeed({
    bytes: readFileSync(new URL(name, folder)),
    url: "https://feeds.example/dir/feed.xml",
    contentType: null,
  });
  expect(feed).toEqual(JSON.parse(readFileSync(new URL(`${name}.expected.json`, folder), "utf8")));
});

test.each([
  ["nothing at all", "", "feeds.empty"],
  ["white space", " \n\t ", "feeds.not-a-feed"],
  ["a web page", "<!doctype html><html><body><p>Sign in</p></body></html>", "feeds.not-a-feed"],
  ["other XML", "<?xml version='1.0'?><svg><path d=''/></svg>", "feeds.not-a-feed"],
  ["JSON that is no feed", '{"a":1}', "feeds.not-a-feed"],
  ["JSON cut short", '{"version":"https://jsonfeed.org/version/1","items":[', "feeds.not-a-feed"],
  ["plain text", "Just some words", "feeds.not-a-feed"],
  ["bytes of an image", "\u0089PNG\r\n\u001a\n\u0000\u0000", "feeds.not-a-feed"],
])("%s is refused in words", (_, text, kind) => {
  expect(() => parseFeed({ bytes: Buffer.from(text, "latin1"), url: null, contentType: null })).toThrow(
    expect.objectContaining({ kind }),
  );
});

test.each([
  [
    "entities that swell",
    `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]><rss><channel><title>&c;&a;</title></channel></rss>`,
    "&c;aaaaaaaaaa",
  ],
  ["endless nesting", `<rss><channel><title>deep</title>${"<a>".repeat(100_000)}`, "deep"],
  [
    "a hundred thousand bare ampersands",
    `<rss><channel><title>${"&".repeat(100_000)}</title></channel></rss>`,
    "&".repeat(100_000),
  ],
  [
    "an external entity",
    `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel><title>a&x;b</title></channel></rss>`,
    "a&x;b",
  ],
])("%s are survived", (_, text, title) => {
  expect(parseFeed({ bytes: Buffer.from(text), url: null, contentType: null }).title).toBe(title);
});

import { describe, expect, it } from "vitest";
import { readable } from "../../../core/parsing/readable.ts";

const paragraph =
  "The count at the lower ladder went on through the night, and by morning ninety-seven eels had passed the weir, most of them within an hour of the rise. ".repeat(
    3,
  );

describe("reading the article of a page", () => {
  it("leaves menus and margins out", async () => {
    const result = await readable({
      url: "https://weir.example/a/",
      html: `<html lang="en"><head><title>Night count</title><meta name="author" content="Ada Weir"></head><body><nav><a href="/">Home</a><a href="/shop">Shop</a></nav><article><h1>Night count</h1><p>${paragraph}</p><p>${paragraph}</p><p><a href="data.csv">The data</a></p></article><footer>Cookies</footer></body></html>`,
    });
    expect(result).toMatchObject({ title: "Night count", byline: "Ada Weir", language: "en", isArticle: true });
    expect(result.text).toContain("ninety-seven eels");
    expect(result.text).not.toMatch(/Shop|Cookies/);
    expect(result.links).toContainEqual({ text: "The data", url: "https://weir.example/a/data.csv" });
  });

  it("gives the whole page where no article stands out", async () => {
    expect(await readable({ html: "<p>Short.</p><p><a href='javascript:alert(1)'>No</a></p>" })).toMatchObject({
      isArticle: false,
      text: "Short.\n\nNo",
      html: null,
      links: [],
    });
  });
});

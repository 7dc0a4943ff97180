// @vitest-environment jsdom
import { render } from "@testing-library/react";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { Markdown } from "../../../renderer/markdown/Markdown.tsx";
import { openWindow } from "../../window/dom.ts";

const draw = (text: string) => render(<Markdown text={text} />).container;

/** Whatever runs, loads or leads elsewhere. */
function dangers(root: Element): string[] {
  const found: string[] = [];
  for (const element of root.querySelectorAll("*")) {
    if (
      /^(script|iframe|object|embed|form|link|style|meta|base|video|audio|source|img|image|use|foreignobject|animate|set)$/i.test(
        element.tagName,
      )
    ) {
      found.push(element.tagName.toLowerCase());
    }
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name)) found.push(`${element.tagName} ${name}`);
      if (/^(href|src|xlink:href|action|formaction|data)$/i.test(name) && !/^(https?:|mailto:)/i.test(value))
        found.push(`${name}=${value}`);
      if (name === "style" && /url\(|expression/i.test(value)) found.push(`style=${value}`);
    }
  }
  return found;
}

const attacks = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<a href='javascript:alert(1)'>x</a>",
  "<iframe src='https://evil.example'></iframe>",
  "<style>body{background:url(https://evil.example)}</style>",
  "<form action='https://evil.example'><input name=a></form>",
  "<base href='https://evil.example'>",
  "<details open ontoggle=alert(1)>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java\nscript:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](vbscript:x)",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](file:///etc/passwd)",
  "[x](credence://app/)",
  "[x](https://user:secret@evil.example)",
  "<javascript:alert(1)>",
  "![x](https://evil.example/pixel.png)",
  "![x](data:image/svg+xml;base64,PHN2Zz4=)",
  "![x][r]\n\n[r]: https://evil.example/pixel.png",
  "$\\href{javascript:alert(1)}{x}$",
  "$\\url{javascript:alert(1)}$",
  "$\\includegraphics{https://evil.example/x.png}$",
  "$\\htmlStyle{background:url(https://evil.example)}{x}$",
  "$\\htmlData{a=b}{x}$",
  "```html\n<script>alert(1)</script>\n```",
  '```"onmouseover=alert(1)\nx\n```',
  "[^1]\n\n[^1]: <script>alert(1)</script>",
  "| <img src=x onerror=alert(1)> |\n|--|\n| x |",
];

describe("a model's Markdown is hostile text", () => {
  beforeEach(() => void openWindow());

  it.each(attacks)("%s runs, loads and leads nowhere", (text) => {
    expect(dangers(draw(text))).toEqual([]);
  });

  it("shows HTML as the text it is", () => {
    expect(draw("a <b onclick=x>bold</b> b").textContent).toContain("<b onclick=x>");
  });

  it("keeps an https link, opened outside and without a referrer", () => {
    const link = draw("[site](https://example.org/a)").querySelector("a")!;
    expect(link.getAttribute("href")).toBe("https://example.org/a");
    expect(link.rel).toContain("noreferrer");
    expect(link.target).toBe("_blank");
  });

  it("names an image and where it would have come from, and loads nothing", () => {
    const root = draw("![a chart](https://evil.example/p.png)");
    expect(root.querySelector("img")).toBeNull();
    expect(root.textContent).toContain("An image from evil.example, not loaded: a chart");
  });

  it("stays safe for random mixtures of attacks", () => {
    const mixture = fc.array(
      fc.oneof(fc.constantFrom(...attacks), fc.constantFrom("\n\n", "- ", "> ", "`", "*", "|")),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(mixture, (parts) => {
        const view = render(<Markdown text={parts.join("")} />);
        const found = dangers(view.container);
        view.unmount();
        return found.length === 0;
      }),
      { numRuns: 150 },
    );
  });

  it("draws tables, formulas and code", () => {
    const root = draw("| a | b |\n|--|--:|\n| 1 | 2 |\n\n$$\\frac{a}{b}$$\n\n```python\nprint(1)\n```");
    expect(root.querySelector("table td:last-child")?.textContent).toBe("2");
    expect(root.querySelector(".katex-display .mfrac")).not.toBeNull();
    expect(root.querySelector("figure.code header")?.textContent).toContain("Python");
  });

  it("draws [1] as a citation where a passage has that number, and as text elsewhere", () => {
    const view = render(
      <Markdown
        text={"So it is.[1] Not [2], nor `[1]` in code."}
        citation={(n) => (n === 1 ? <i data-chip={n} /> : `[${n}]`)}
      />,
    );
    expect(view.container.querySelectorAll("[data-chip]")).toHaveLength(1);
    expect(view.container.textContent).toBe("So it is. Not [2], nor [1] in code.");
  });

  it("draws only the last block anew while text streams in", () => {
    const view = render(<Markdown text={"First block.\n\nSecond"} streaming />);
    const first = view.container.querySelector("p")!;
    view.rerender(<Markdown text={"First block.\n\nSecond block grows.\n\nThird"} streaming />);
    expect(view.container.querySelector("p")).toBe(first);
    expect(view.container.querySelectorAll("p")).toHaveLength(3);
  });
});

import { defaultSchema, type Options } from "rehype-sanitize";

/** What a model's Markdown may become: text, lists, tables, code, links. No HTML of its own, no images, no ids. */
export const schema: Options = {
  ...defaultSchema,
  tagNames: [
    ...["p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em", "del", "code", "pre", "blockquote"],
    ...["ul", "ol", "li", "input", "table", "thead", "tbody", "tr", "th", "td", "a", "img", "sup", "section", "span"],
  ],
  attributes: {
    a: ["href"],
    code: [["className", /^language-[\w+#.-]{1,40}$/, "math-inline", "math-display"]],
    img: ["src", "alt"],
    input: [
      ["type", "checkbox"],
      ["disabled", true],
      ["checked", true],
    ],
    ol: ["start"],
    li: [["className", "task-list-item"]],
    ul: [["className", "contains-task-list"]],
    td: [["align", "left", "right", "center"]],
    th: [["align", "left", "right", "center"]],
  },
  protocols: { href: ["https", "http", "mailto"], src: ["https", "http"] },
  clobberPrefix: "md-",
};

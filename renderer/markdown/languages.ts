import type { LanguageInput } from "shiki/core";

/** The languages that are coloured; each is a file of its own, read when first needed. All else is plain. */
const table: Record<string, { label: string; load: () => Promise<{ default: LanguageInput }> }> = {
  bash: { label: "Shell", load: () => import("shiki/langs/bash.mjs") },
  c: { label: "C", load: () => import("shiki/langs/c.mjs") },
  cpp: { label: "C++", load: () => import("shiki/langs/cpp.mjs") },
  csharp: { label: "C#", load: () => import("shiki/langs/csharp.mjs") },
  css: { label: "CSS", load: () => import("shiki/langs/css.mjs") },
  diff: { label: "Diff", load: () => import("shiki/langs/diff.mjs") },
  go: { label: "Go", load: () => import("shiki/langs/go.mjs") },
  html: { label: "HTML", load: () => import("shiki/langs/html.mjs") },
  java: { label: "Java", load: () => import("shiki/langs/java.mjs") },
  javascript: { label: "JavaScript", load: () => import("shiki/langs/javascript.mjs") },
  json: { label: "JSON", load: () => import("shiki/langs/json.mjs") },
  julia: { label: "Julia", load: () => import("shiki/langs/julia.mjs") },
  kotlin: { label: "Kotlin", load: () => import("shiki/langs/kotlin.mjs") },
  latex: { label: "LaTeX", load: () => import("shiki/langs/latex.mjs") },
  lua: { label: "Lua", load: () => import("shiki/langs/lua.mjs") },
  markdown: { label: "Markdown", load: () => import("shiki/langs/markdown.mjs") },
  php: { label: "PHP", load: () => import("shiki/langs/php.mjs") },
  python: { label: "Python", load: () => import("shiki/langs/python.mjs") },
  r: { label: "R", load: () => import("shiki/langs/r.mjs") },
  ruby: { label: "Ruby", load: () => import("shiki/langs/ruby.mjs") },
  rust: { label: "Rust", load: () => import("shiki/langs/rust.mjs") },
  sql: { label: "SQL", load: () => import("shiki/langs/sql.mjs") },
  swift: { label: "Swift", load: () => import("shiki/langs/swift.mjs") },
  toml: { label: "TOML", load: () => import("shiki/langs/toml.mjs") },
  tsx: { label: "TSX", load: () => import("shiki/langs/tsx.mjs") },
  typescript: { label: "TypeScript", load: () => import("shiki/langs/typescript.mjs") },
  xml: { label: "XML", load: () => import("shiki/langs/xml.mjs") },
  yaml: { label: "YAML", load: () => import("shiki/langs/yaml.mjs") },
};

const aliases: Record<string, string> = {
  "c++": "cpp",
  "c#": "csharp",
  cs: "csharp",
  golang: "go",
  js: "javascript",
  jsx: "tsx",
  jsonc: "json",
  kt: "kotlin",
  md: "markdown",
  py: "python",
  python3: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  console: "bash",
  svg: "xml",
  tex: "latex",
  ts: "typescript",
  yml: "yaml",
};

/** The table's name for what a fence says, or null for plain text. */
export function languageName(said: string | null): string | null {
  const name = said?.toLowerCase() ?? "";
  const known = aliases[name] ?? name;
  return Object.hasOwn(table, known) ? known : null;
}

/** For the block's header: the table's label, else what the fence says, else "Text". */
export function languageLabel(said: string | null): string {
  const name = languageName(said);
  return name === null ? (said ?? "Text") : table[name]!.label;
}

export const loadLanguage = async (name: string): Promise<LanguageInput> => (await table[name]!.load()).default;

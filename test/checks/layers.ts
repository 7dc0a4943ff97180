import { importsOf, isCode, type Problem, type SourceFile } from "./source.ts";

/**
 * The modules of the core from the bottom up. A module may import what stands on a lower line, never on a higher one;
 * on its own line only what `beside` lists, so that no circle can form.
 */
export const layers: readonly (readonly string[])[] = [
  ["contract"],
  ["platform"],
  ["storage"],
  ["egress", "settings"],
  ["models", "parsing", "conversations"],
  ["memory", "documents", "feeds"],
  ["beliefs"],
  ["tools", "context"],
  ["agent"],
  ["ingest"],
  ["app"],
  ["cli"],
];

/** Arrows within one line. Documents and feeds put their passages into memory's index. */
const beside: ReadonlySet<string> = new Set(["documents>memory", "feeds>memory"]);

/** Files beside `index.ts` and `types.ts` that others may import, each for a reason. */
const furtherFaces: ReadonlySet<string> = new Set([
  // Only for entries that run under plain Node; the module's face is also loaded by Electron, which has its own.
  "core/platform/node-child-host.ts",
  // For the entries of helper processes, which load as little as they can.
  "core/platform/parent-port.ts",
]);

const rank = new Map(layers.flatMap((line, i) => line.map((name) => [name, i] as const)));

/** The core module that a path belongs to: "memory" for core/memory/index.ts, "app" for core/app.ts. */
function moduleOf(path: string): string | null {
  const match = /^core\/([^/]+?)(?:\/|\.ts$)/.exec(path);
  return match ? match[1]! : null;
}

/** Import directions and module faces, for the whole program. */
export function checkLayers(files: readonly SourceFile[]): Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    if (!isCode(file.path) || file.path.startsWith("test/")) continue;
    for (const found of importsOf(file)) {
      if (found.target === null) continue;
      const broken = arrow(file.path, found.target) ?? face(file.path, found.target);
      if (broken) problems.push({ file: file.path, line: found.line, ...broken });
    }
  }
  return problems;
}

type Broken = Pick<Problem, "rule" | "remedy">;

function arrow(from: string, to: string): Broken | null {
  const [part] = from.split("/");
  if (to.startsWith("test/")) {
    return { rule: `imports ${to}, which is a test's`, remedy: "Move what both need into the module that owns it." };
  }
  if (part === "renderer") {
    if (to.startsWith("renderer/") || to.startsWith("core/contract/")) return null;
    return {
      rule: `imports ${to}, but the window knows only core/contract`,
      remedy: "Call a method through window.credence, or move the type into core/contract.",
    };
  }
  if (part === "electron" || part === "models") {
    if (!to.startsWith("renderer/")) return null;
    return {
      rule: `imports ${to}, but the window's code runs in the window only`,
      remedy: "Send it an event instead.",
    };
  }
  if (part !== "core") return null;
  if (!to.startsWith("core/")) {
    if (to === "package.json") return null;
    return {
      rule: `imports ${to}, but the core imports only the core`,
      remedy: "Pass it in from electron/ or the command line.",
    };
  }
  const own = moduleOf(from);
  const other = moduleOf(to);
  if (own === null || other === null || own === other || other === "version") return null;
  const ownRank = rank.get(own);
  const otherRank = rank.get(other);
  if (ownRank === undefined || otherRank === undefined) {
    const unknown = ownRank === undefined ? own : other;
    return { rule: `the module core/${unknown} has no layer`, remedy: "Give it a line in test/checks/layers.ts." };
  }
  if (otherRank < ownRank || (otherRank === ownRank && beside.has(`${own}>${other}`))) return null;
  return {
    rule: `imports ${to}, but ${own} stands ${otherRank === ownRank ? "beside" : "below"} ${other}`,
    remedy: `Take what ${own} needs as a function in its create function's deps, and let core/app.ts pass it.`,
  };
}

function face(from: string, to: string): Broken | null {
  const other = moduleOf(to);
  if (other === null || other === moduleOf(from) || other === "contract" || !to.startsWith(`core/${other}/`))
    return null;
  if (to === `core/${other}/index.ts` || to === `core/${other}/types.ts` || furtherFaces.has(to)) return null;
  return {
    rule: `imports ${to}, which is inside core/${other}`,
    remedy: `Import core/${other}/index.ts or types.ts; export there what others may use.`,
  };
}

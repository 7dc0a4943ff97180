/** How a chat model routes: with native calls, and choosing under a grammar, on a sample of the labelled messages. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createCallRecognizer } from "../../../core/agent/calls/index.ts";
import { ACTIONS } from "../../../core/agent/proposers/head.ts";
import { chooseUnderGrammar, TOOL_OF } from "../../../core/agent/proposers/index.ts";
import type { Labelled } from "../../../core/agent/proposers/training-set.ts";
import { installedPaths } from "../../../core/cli/paths.ts";
import { createModels } from "../../../core/models/index.ts";
import type { ChatModel } from "../../../core/models/types.ts";
import { silentLog, systemClock } from "../../../core/platform/index.ts";
import { nodeChildHost } from "../../../core/platform/node-child-host.ts";
import { Connection, migrate, migrations } from "../../../core/storage/index.ts";
import { builtInTools, definitionOf } from "../../../core/tools/index.ts";
import type { AnyTool } from "../../../core/tools/types.ts";

/** Opens a model file in a profile of its own. */
export async function openModel(path: string): Promise<{ model: ChatModel; close: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), "credence-bench-"));
  const db = new Connection(join(dataDir, "bench.db"));
  migrate(db, migrations);
  const paths = installedPaths();
  const models = createModels({
    db,
    clock: systemClock,
    log: silentLog,
    childHost: nodeChildHost(paths.entries),
    dataDir,
    modelDirs: [],
    contextLimit: () => 4096,
  });
  await models.import({ path, use: true });
  return {
    model: await models.chat("chat"),
    async close() {
      await models.close();
      db.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Messages asked, spread over all actions. */
const SAMPLE = 36;

export async function routeWithModel(path: string, items: readonly Labelled[]): Promise<void> {
  const step = Math.max(1, Math.floor(items.length / SAMPLE));
  const sample = items.filter((_, i) => i % step === 0);
  const tools = offered();
  const { model, close } = await openModel(path);
  const signal = new AbortController().signal;
  const recognizer = createCallRecognizer();
  let native = 0;
  let grammar = 0;
  for (const { text, action } of sample) {
    const wanted = action === "answer" ? "answer" : TOOL_OF[action];
    const chosen = await chooseUnderGrammar({ model, maxPromptTokens: 2600, signal }, text, tools, "").catch(
      () => null,
    );
    grammar += Number(chosen?.value.action === wanted);
    const reply = await model.generate(
      {
        messages: [
          { role: "system", content: "You are a helpful assistant. Use a tool only when it is needed." },
          { role: "user", content: text },
        ],
        tools: tools.map(definitionOf),
        maxTokens: 64,
        maxPromptTokens: 2600,
        sampling: { temperature: 0 },
        cacheKey: "routing",
        lane: "conversation",
      },
      { signal },
    );
    const read = recognizer.recognize(
      reply.text,
      tools.map((tool) => tool.name),
    );
    const call = reply.calls[0] ?? (read.kind === "calls" ? read.calls[0] : undefined);
    native += Number((call?.name ?? "answer") === wanted);
  }
  await close();
  console.log(
    `${basename(path)} on ${sample.length} messages: native ${(native / sample.length).toFixed(3)}, grammar ${(grammar / sample.length).toFixed(3)}`,
  );
}

/** The built-in tools as the model sees them, with nothing behind them. */
function offered(): AnyTool[] {
  const nothing = async () => [];
  const ports = {
    memory: { search: nothing },
    library: { search: nothing, read: async () => null },
    beliefs: { find: nothing },
    feeds: { find: nothing },
  };
  const wanted = new Set<string>(ACTIONS.flatMap((action) => (action === "answer" ? [] : [TOOL_OF[action]])));
  const tools = builtInTools(ports, systemClock).filter((tool) => wanted.has(tool.name));
  const web = tools[0]!;
  return [
    ...tools,
    {
      ...web,
      name: "web_research",
      description: "Look something up on the web: current facts, prices, news elsewhere, or pages at given addresses.",
    },
  ];
}

/**
 * The real models that integration tests run on: the starter, and each GGUF named in CREDENCE_TEST_MODELS (separated like
 * PATH), so that nothing is fitted to the starter alone.
 */
import { existsSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EngineClient } from "../../core/models/client/engine-client.ts";
import { remoteChatModel, remoteEmbedder } from "../../core/models/client/remote-models.ts";
import { fingerprint } from "../../core/models/fingerprint.ts";
import type { ChatModel, Embedder, ModelDescription } from "../../core/models/types.ts";
import { silentLog, systemClock } from "../../core/platform/index.ts";
import { nodeChildHost } from "../../core/platform/node-child-host.ts";
import { weightsFolder } from "../../models/fetch.ts";
import { readManifest } from "../../models/manifest.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

export const childEntries = {
  engine: join(root, "core/models/engine/main.ts"),
  parser: join(root, "core/parsing/process/main.ts"),
};

function starter(role: "chat" | "embed"): string {
  const model = readManifest().find((entry) => entry.role === role)!;
  const path = join(weightsFolder, model.file);
  if (!existsSync(path)) throw new Error(`${model.file} is not there: run "node models/fetch.ts" first`);
  return path;
}

export const starterChat = (): string => starter("chat");
export const starterEmbedder = (): string => starter("embed");

/** Name and path of every chat model to test on. */
export function chatModels(): { name: string; path: string }[] {
  const further = (process.env["CREDENCE_TEST_MODELS"] ?? "").split(delimiter).filter(Boolean);
  return [starterChat(), ...further].map((path) => ({ name: basename(path), path }));
}

export interface TestEngine {
  readonly engine: EngineClient;
  readonly states: string[];
  loadChat(path: string, options?: { windowLimit?: number | null; stateFolder?: string | null }): Promise<ChatModel>;
  loadEmbedder(path?: string): Promise<Embedder>;
  close(): void;
}

/** A real engine process under plain Node. A loaded model is loaded again by itself when the process died. */
export function startEngine(): TestEngine {
  const states: string[] = [];
  const engine = new EngineClient({
    childHost: nodeChildHost(childEntries),
    clock: { ...systemClock, after: keepingAlive },
    log: silentLog,
    onState: ({ state }) => states.push(state),
  });
  return {
    engine,
    states,
    async loadChat(path, { windowLimit = 4096, stateFolder = null } = {}) {
      const print = await fingerprint(path).catch(() => "missing");
      let loaded: { generation: number; description: ModelDescription } | null = null;
      const ensure = async (): Promise<{ generation: number }> => {
        const generation = await engine.start();
        if (loaded?.generation === generation) return loaded;
        const description = await engine.callIn(generation, "loadChat", {
          path,
          id: basename(path),
          windowLimit,
          stateFolder,
          fingerprint: print,
        });
        loaded = { generation, description };
        return loaded;
      };
      await ensure();
      return remoteChatModel({ engine, ensure, description: () => loaded?.description ?? null, measured: () => {} });
    },
    async loadEmbedder(path = starterEmbedder()) {
      const generation = await engine.start();
      const description = await engine.callIn(generation, "loadEmbedder", {
        path,
        id: `embed_${await fingerprint(path)}`,
      });
      return remoteEmbedder({
        engine,
        ensure: async () => ({ generation, description }),
        description: () => description,
      });
    },
    close: () => engine.close(),
  };
}

/** Tests wait for the engine alone: its timers must not let Node go. */
function keepingAlive(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}

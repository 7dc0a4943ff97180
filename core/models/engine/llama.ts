/** Opens llama.cpp: the graphics card when there is a working one, never more threads than physical cores. */
import { register } from "node:module";
import { availableParallelism, loadavg } from "node:os";
import type { Llama } from "node-llama-cpp";

export type LlamaModule = typeof import("node-llama-cpp");

export interface OpenedLlama {
  readonly module: LlamaModule;
  readonly llama: Llama;
  readonly threads: number;
  /** Takes fewer threads while the machine is crowded. Only to be called when nothing is being computed. */
  yieldThreads(): void;
  /** The last things llama.cpp complained of, for error messages. */
  complaints(): string[];
}

/**
 * node-llama-cpp tries its binary in a forked copy of itself first. A packaged Electron app may not run as plain Node, so
 * that fork never answers. The process we are in is the trial already: when a binary brings it down, the core starts it
 * again without the graphics card.
 */
function skipBinaryTrial(): void {
  const replacement = `data:text/javascript,${encodeURIComponent("export async function testBindingBinary() { return true; }")}`;
  const hook = `export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    return /node-llama-cpp.*testBindingBinary\\.js$/.test(found.url)
      ? { url: ${JSON.stringify(replacement)}, format: "module", shortCircuit: true }
      : found;
  }`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

/**
 * Threads of one computation wait for one another after every layer, spinning. Where other programs keep the processors busy
 * (more than two runnable threads for each; ours count too), one that is not scheduled holds up all: fewer are faster then.
 * `load` is the average of the last minute, 0 on systems that do not tell.
 */
export function threadsFor(threads: number, load: number, processors: number): number {
  const crowd = load / Math.max(1, processors);
  if (crowd <= 2) return threads;
  return Math.max(1, Math.floor(threads / Math.min(4, crowd)));
}

export async function openLlama(graphics: boolean): Promise<OpenedLlama> {
  if (process.versions["electron"]) skipBinaryTrial();
  const module = await import("node-llama-cpp");
  const complaints: string[] = [];
  const llama = await module.getLlama({
    build: "never",
    gpu: graphics ? "auto" : false,
    maxThreads: availableParallelism(),
    progressLogs: false,
    logLevel: module.LlamaLogLevel.warn,
    logger: (level, message) => {
      if (process.env["CREDENCE_DEBUG"]) process.stderr.write(`${level}: ${message}\n`);
      complaints.push(message.trim());
      if (complaints.length > 20) complaints.shift();
    },
  });
  const threads = Math.max(1, Math.min(llama.cpuMathCores, availableParallelism()));
  llama.maxThreads = threads;
  return {
    module,
    llama,
    threads,
    yieldThreads: () => {
      llama.maxThreads = threadsFor(threads, loadavg()[0] ?? 0, availableParallelism());
    },
    complaints: () => complaints.splice(0),
  };
}

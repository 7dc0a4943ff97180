/** The engine process: opens llama.cpp and serves operations over the channel to the core until the core goes away. */
import { asCredenceError, CredenceError } from "../../contract/index.ts";
import { createOperations } from "./engine.ts";
import { openLlama } from "./llama.ts";
import { parentPort } from "./port.ts";
import type { FromEngine, Operation, OperationContext, ToEngine } from "./protocol.ts";

const port = parentPort();
const post = (message: FromEngine): void => port.post(message);
const running = new Map<number, AbortController>();
let open: (graphics: boolean) => void = () => {};
/** What arrives while llama.cpp is being opened is answered afterwards. */
const opening = new Promise<boolean>((resolve) => {
  open = resolve;
})
  .then(openLlama)
  .then(createOperations);

// The terminal sends an interrupt to the whole group; the core decides what it means.
process.on("SIGINT", () => {});

opening.then(
  () => post({ kind: "ready" }),
  (error: unknown) => post({ kind: "failed", detail: error instanceof Error ? error.message : String(error) }),
);

port.onMessage((message) => {
  const received = message as ToEngine;
  if (received.kind === "start") open(received.graphics);
  else if (received.kind === "cancel") running.get(received.id)?.abort(new DOMException("Stopped", "AbortError"));
  else void serve(received.id, received.operation, received.params);
});

async function serve(id: number, operation: Operation, params: unknown): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const context: OperationContext = {
    signal: controller.signal,
    chunk: (chunk) => post({ kind: "chunk", id, chunk }),
    progress: (fraction) => post({ kind: "progress", id, fraction }),
  };
  try {
    const operations = await opening;
    const work = operations[operation] as (params: unknown, context: OperationContext) => Promise<unknown>;
    post({ kind: "result", id, result: await work(params, context) });
  } catch (error) {
    post({ kind: "error", id, error: toError(error, controller.signal) });
  } finally {
    running.delete(id);
  }
}

function toError(error: unknown, signal: AbortSignal): ReturnType<CredenceError["toData"]> {
  if (signal.aborted) return new CredenceError("general.cancelled", {}, { cause: error }).toData();
  return asCredenceError(error).toData();
}

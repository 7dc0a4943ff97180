/** The parser process: reads untrusted bytes, one job at a time, and is ended from outside when it takes too much. */
import { asCredenceError } from "../../contract/index.ts";
import { parentPort } from "../../platform/parent-port.ts";
import type { JobKind } from "../jobs.ts";
import { type JobContext, jobs } from "./jobs.ts";
import type { FromParser, ToParser } from "./protocol.ts";
import { startWatch } from "./watch.ts";

const port = parentPort();
const post = (message: FromParser) => port.post(message);
const watch = startWatch();
const rssMb = () => Math.round(process.memoryUsage.rss() / 1024 / 1024);

async function run(message: ToParser): Promise<void> {
  const { id } = message;
  const until = Date.now() + message.timeMs;
  watch.limit(message.memoryMb);
  let lastProgress = 0;
  const context: JobContext = {
    expired: () => Date.now() > until,
    progress(done, total, unit) {
      const now = Date.now();
      if (now - lastProgress < 100 && done < total) return;
      lastProgress = now;
      post({ type: "progress", id, done, total, unit });
    },
    async piece(piece) {
      post({ type: "piece", id, piece });
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  try {
    const job = jobs[message.kind as JobKind] as
      | ((params: unknown, context: JobContext) => Promise<unknown>)
      | undefined;
    if (!job) throw new Error(`no job of the kind ${message.kind}`);
    const result = await job(message.params, context);
    post({ type: "done", id, result, rssMb: rssMb() });
  } catch (thrown) {
    post({ type: "failed", id, error: asCredenceError(thrown).toData(), rssMb: rssMb() });
  } finally {
    watch.limit(0);
  }
}

// Libraries reject late and throw from timers; a job that is over must not end the process for the next one.
process.on("unhandledRejection", () => {});

let queue: Promise<void> = Promise.resolve();
port.onMessage((message) => {
  queue = queue.then(() => run(message as ToParser));
});
post({ type: "ready" });

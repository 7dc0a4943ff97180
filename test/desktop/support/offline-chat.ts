/**
 * Runs inside an empty network namespace, beside the app: asks one question in the real window and prints what it saw.
 * Arguments: the executable, the profile's folder.
 */
import { networkInterfaces } from "node:os";
import { cleanUp, launch } from "./app.ts";

const [executable, dataDir] = process.argv.slice(2) as [string, string];
const interfaces = Object.keys(networkInterfaces()).filter((name) => name !== "lo");
const app = await launch({ executable, dataDir });
try {
  await app.chat.begin();
  await app.chat.ask("Say hello in one short sentence.");
  await app.chat.waitForAnswers(1);
  const info = await app.call("app.info", {});
  console.log(JSON.stringify({ interfaces, answer: await app.chat.answerText(), requestsEver: info.requestsEver }));
  await app.quit();
} finally {
  await cleanUp();
}

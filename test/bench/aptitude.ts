/** The aptitude check on model files: what each can do, who proposes with it, and how long the check took against one reply. */
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { checkAptitude, proposerOf } from "../../core/agent/aptitude/index.ts";
import { systemClock } from "../../core/platform/index.ts";
import { openModel } from "./routing/models.ts";

const starter = fileURLToPath(new URL("../../models/weights/SmolLM2-135M-Instruct.Q4_1.gguf", import.meta.url));
const given = process.argv.slice(2);
for (const path of given.length > 0 ? given : [starter]) {
  const { model, close } = await openModel(path);
  const signal = new AbortController().signal;
  const begun = performance.now();
  await model.generate(
    {
      messages: [{ role: "user", content: "Say hello." }],
      maxTokens: 32,
      maxPromptTokens: 500,
      cacheKey: "bench",
      lane: "conversation",
    },
    { signal },
  );
  const reply = performance.now() - begun;
  const started = performance.now();
  const aptitude = await checkAptitude(model, { signal, clock: systemClock });
  const took = performance.now() - started;
  console.log(
    `${basename(path)}: ${proposerOf(aptitude)} proposes; the check took ${(took / reply).toFixed(0)} times one short reply (${Math.round(took / 1000)} s)`,
  );
  console.log(
    `  native calls ${aptitude.nativeCalls.toFixed(2)}, choice under a grammar ${aptitude.grammarChoice.toFixed(2)}, facts copied ${aptitude.copiesFacts.toFixed(2)}, system prompt followed ${aptitude.followsSystem.toFixed(2)}, languages ${aptitude.languages.join(" ") || "none"}, finds a fact ${aptitude.recallsBack} tokens back`,
  );
  await close();
}

import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, expect, inject, test } from "vitest";
import { cleanUp, temporaryFolder } from "./support/app.ts";

const { executable } = inject("desktop");

afterEach(cleanUp);

/** Runs a command in a network namespace of its own, where not even the loopback is up unless `loopback` says so. */
function offline(
  command: readonly string[],
  loopback: boolean,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  // Root may make a network namespace as it is; others, and root in a container, may inside a user namespace.
  const plain = spawnSync("unshare", ["--net", "true"], { stdio: "ignore" }).status === 0;
  const user = plain ? [] : ["--user", "--map-root-user"];
  const script = loopback ? 'ip link set lo up && exec "$@"' : 'exec "$@"';
  return new Promise((resolve, reject) => {
    const child = spawn("unshare", [...user, "--net", "sh", "-c", script, "sh", ...command], {
      env: { ...process.env, CREDENCE_MODELS_DIR: "" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

test("the app chats in an empty network namespace", async () => {
  // The loopback is up for Playwright alone; there is no other interface, so nothing can leave.
  const script = join(import.meta.dirname, "support", "offline-chat.ts");
  const { stdout, stderr } = await offline([process.execPath, script, executable, temporaryFolder()], true);
  expect(stdout, stderr).not.toBe("");
  const seen = JSON.parse(stdout.trim().split("\n").at(-1)!) as {
    interfaces: string[];
    answer: string;
    requestsEver: number;
  };
  expect(seen.interfaces).toEqual([]);
  expect(seen.answer).not.toBe("");
  expect(seen.requestsEver).toBe(0);
});

test("the release's own command line answers without a network or a display", async () => {
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const { code, stdout, stderr } = await offline(
    [
      "env",
      "-u",
      "DISPLAY",
      "-u",
      "WAYLAND_DISPLAY",
      executable,
      ...sandbox,
      "ask",
      "Say hello.",
      "--json",
      "--data-dir",
      temporaryFolder(),
    ],
    false,
  );
  expect(code, stderr).toBe(0);
  expect(() => JSON.parse(stdout)).not.toThrow();
});

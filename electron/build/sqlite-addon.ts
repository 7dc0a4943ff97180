import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir, modulePath } from "./paths.ts";

/** SQLite's compile-time options as better-sqlite3 ships them, so that both builds behave the same. */
function sqliteDefines(): string[] {
  const text = readFileSync(modulePath("better-sqlite3", "deps", "defines.gypi"), "utf8");
  return [...text.matchAll(/'([A-Z0-9_]+(?:=[^']*)?)'/g)].map((match) => `-D${match[1]}`);
}

/**
 * What Node 20's own headers add under NAPI_EXPERIMENTAL, and the header package does not carry. Without the deferred
 * finalizers, an object collected by V8 would end the process.
 */
const node20Header = `#pragma once
#define NAPI_EXPERIMENTAL
#define NAPI_VERSION 2147483647
#define NODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT
#define NODE_API_EXPERIMENTAL_HAS_POST_FINALIZER
#include <node_api.h>
extern "C" napi_status node_api_post_finalizer(napi_env env, napi_finalize finalize, void* data, void* hint);
`;

function run(command: string, args: string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with ${code}\n${output.slice(-2000)}`));
    });
  });
}

/**
 * better-sqlite3's addon for the pinned development runtime, whose Node (20) knows Node-API 9: its prebuild asks for 10.
 * The few calls of version 10 that it makes exist in Node 20 as experimental ones, so the same source compiles against
 * them. Needs a C and a C++ compiler; takes one to three minutes once, then comes from the cache.
 */
export async function sqliteAddonForDevelopmentRuntime(say: (line: string) => void = () => {}): Promise<string> {
  const source = modulePath("better-sqlite3");
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as { version: string };
  const headers = modulePath("node-api-headers", "include");
  const key = createHash("sha256")
    .update(manifest.version)
    .update(readFileSync(join(headers, "node_api.h")))
    .update(readFileSync(import.meta.filename))
    .digest("hex")
    .slice(0, 16);
  const folder = join(cacheDir, `better-sqlite3-${manifest.version}-${key}`);
  const addon = join(folder, "better_sqlite3.node");
  if (existsSync(addon)) return addon;

  say("Compiling better-sqlite3 for the development runtime. This happens once and takes one to three minutes.");
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    writeFileSync(join(work, "node20.h"), node20Header);
    const sqlite = join(source, "deps", "sqlite3");
    const common = ["-O2", "-fPIC", "-DNDEBUG", "-w"];
    await Promise.all([
      run(
        process.env["CC"] ?? "cc",
        [...common, "-std=c99", ...sqliteDefines(), "-c", join(sqlite, "sqlite3.c"), "-o", "sqlite3.o"],
        work,
      ),
      run(
        process.env["CXX"] ?? "c++",
        [
          ...common,
          "-std=c++20",
          "-fvisibility=hidden",
          "-fvisibility-inlines-hidden",
          "-DNAPI_EXPERIMENTAL",
          "-include",
          "node20.h",
          "-DNODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT",
          "-DNAPI_DISABLE_CPP_EXCEPTIONS",
          "-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS",
          "-DBUILDING_NODE_EXTENSION",
          "-DNODE_GYP_MODULE_NAME=better_sqlite3",
          `-I${headers}`,
          `-I${modulePath("node-addon-api")}`,
          `-I${sqlite}`,
          "-c",
          join(source, "src", "better_sqlite3.cpp"),
          "-o",
          "better_sqlite3.o",
        ],
        work,
      ),
    ]);
    const link = [
      "-shared",
      "-Wl,-Bsymbolic",
      "-Wl,--exclude-libs,ALL",
      "better_sqlite3.o",
      "sqlite3.o",
      "-o",
      "better_sqlite3.node",
      "-ldl",
      "-lpthread",
      "-lm",
    ];
    await run(process.env["CXX"] ?? "c++", link, work);
    mkdirSync(folder, { recursive: true });
    renameSync(join(work, "better_sqlite3.node"), addon);
    return addon;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

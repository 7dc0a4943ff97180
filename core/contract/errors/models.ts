import { defineErrors } from "./define.ts";

/** Errors of model files and the engine process. */
export const modelErrors = defineErrors({});

import { defineErrors } from "./define.ts";

export const ingestErrors = defineErrors({});

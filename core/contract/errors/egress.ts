import { defineErrors } from "./define.ts";

export const egressErrors = defineErrors({});

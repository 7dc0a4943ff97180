import { defineErrors } from "./define.ts";

export const memoryErrors = defineErrors({});

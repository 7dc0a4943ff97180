import { defineErrors } from "./define.ts";

export const documentsErrors = defineErrors({});

import { defineErrors } from "./define.ts";

export const beliefsErrors = defineErrors({});

import { defineErrors } from "./define.ts";

export const feedsErrors = defineErrors({});

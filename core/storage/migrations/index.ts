/** All migrations in order. A number, once landed, is never reused or changed. */
import type { Migration } from "../migrate.ts";
import { conversations } from "./0001-conversations.ts";

export const migrations: readonly Migration[] = [conversations];

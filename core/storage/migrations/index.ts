/** All migrations in order. A number, once landed, is never reused or changed. */
import type { Migration } from "../migrate.ts";
import { conversations } from "./0001-conversations.ts";
import { agent } from "./0010-agent.ts";
import { passages } from "./0020-passages.ts";
import { feeds } from "./0050-feeds.ts";

export const migrations: readonly Migration[] = [conversations, agent, passages, feeds];

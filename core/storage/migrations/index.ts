/** All migrations in order. A number, once landed, is never reused or changed. */
import type { Migration } from "../migrate.ts";
import { conversations } from "./0001-conversations.ts";
import { models } from "./0002-models.ts";
import { agent } from "./0010-agent.ts";
import { tools } from "./0011-tools.ts";
import { passages } from "./0020-passages.ts";
import { memory } from "./0021-memory.ts";
import { beliefs } from "./0030-beliefs.ts";
import { documents } from "./0040-documents.ts";
import { feeds } from "./0050-feeds.ts";
import { jobs } from "./0060-jobs.ts";

export const migrations: readonly Migration[] = [
  conversations,
  models,
  agent,
  tools,
  passages,
  memory,
  beliefs,
  documents,
  feeds,
  jobs,
];

/** The table of commands. A feature adds its commands in a file of its own and a line here. */
import type { Command } from "../command.ts";
import { ask } from "./ask.ts";
import { backupCommands } from "./backups.ts";
import { chat } from "./chat.ts";
import { conversationCommands } from "./conversations.ts";
import { doctor } from "./doctor.ts";
import { extract } from "./extract.ts";
import { feed } from "./feed.ts";
import { feedsCommands } from "./feeds.ts";
import { libraryCommands } from "./library.ts";
import { memoryCommands } from "./memory.ts";
import { modelCommands } from "./models.ts";
import { route } from "./route.ts";
import { weigh } from "./weigh.ts";

export const commands: readonly Command[] = [
  chat,
  ask,
  ...conversationCommands,
  ...modelCommands,
  doctor,
  extract,
  feed,
  ...feedsCommands,
  ...libraryCommands,
  ...memoryCommands,
  ...backupCommands,
  route,
  weigh,
];

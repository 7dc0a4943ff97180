/** The table of commands. A feature adds its commands in a file of its own and a line here. */
import type { Command } from "../command.ts";
import { conversationCommands } from "./conversations.ts";

export const commands: readonly Command[] = [...conversationCommands];

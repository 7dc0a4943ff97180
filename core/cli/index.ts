/** The command line on the same core as the window. Commands are rows of one table; the frame parses, prints and closes. */
export { profileFolder } from "../platform/index.ts";
export * from "./command.ts";
export { commands } from "./commands/index.ts";
export * from "./run.ts";

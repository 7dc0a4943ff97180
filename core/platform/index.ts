/** What the rest of the core needs of the machine it runs on: time, ids, child processes, a log. Knows nothing of Credence's subject. */
export * from "./child.ts";
export * from "./clock.ts";
export * from "./event-bus.ts";
export * from "./file-log.ts";
export * from "./ids.ts";
export * from "./log.ts";
export * from "./parent-port.ts";
export * from "./profile.ts";

/** The one table of methods that may be called across a process boundary. */
import type { z } from "zod";
import { appMethods } from "./app.ts";
import { backupMethods } from "./backups.ts";
import { beliefMethods } from "./beliefs.ts";
import { conversationMethods } from "./conversations.ts";
import type { MethodSpec } from "./define.ts";
import { feedMethods } from "./feeds.ts";
import { jobMethods } from "./jobs.ts";
import { libraryMethods } from "./library.ts";
import { memoryMethods } from "./memory.ts";
import { modelMethods } from "./models.ts";
import { privacyMethods } from "./privacy.ts";
import { toolMethods } from "./tools.ts";
import { turnMethods } from "./turns.ts";

export const methods = {
  ...appMethods,
  ...backupMethods,
  ...conversationMethods,
  ...turnMethods,
  ...modelMethods,
  ...libraryMethods,
  ...memoryMethods,
  ...privacyMethods,
  ...toolMethods,
  ...feedMethods,
  ...jobMethods,
  ...beliefMethods,
} satisfies Record<string, MethodSpec>;

export type MethodName = keyof typeof methods;
export type Params<Name extends MethodName> = z.input<(typeof methods)[Name]["params"]>;
export type ParsedParams<Name extends MethodName> = z.output<(typeof methods)[Name]["params"]>;
export type Result<Name extends MethodName> = z.output<(typeof methods)[Name]["result"]>;
export type Handlers = { [Name in MethodName]: (params: ParsedParams<Name>) => Promise<Result<Name>> | Result<Name> };

import { z } from "zod";

/** The JSON schema of a zod object as models see it, without the dialect line. */
export function parametersOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Record<
    string,
    unknown
  >;
  return rest;
}

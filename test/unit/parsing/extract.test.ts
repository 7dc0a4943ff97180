import { describe, expect, it } from "vitest";
import { isCredenceError } from "../../../core/contract/index.ts";
import { defaultLimits, extract } from "../../../core/parsing/extract/index.ts";
import type { Extracted, Section } from "../../../core/parsing/index.ts";
import { type DocumentCase, documentCases } from "../../fixtures/documents/cases/index.ts";

function read(fixture: DocumentCase): Promise<Extracted> {
  const bytes = typeof fixture.bytes === "function" ? fixture.bytes() : fixture.bytes;
  return extract(bytes, {
    name: fixture.file,
    password: fixture.password ?? null,
    declaredCharset: null,
    limits: defaultLimits,
    depth: 0,
    expired: () => false,
    progress: () => {},
  });
}

const label = (section: Section) => `${section.kind} ${section.number ?? "-"} ${section.title ?? "-"}`;

describe("extracting", () => {
  it.each(documentCases.map((fixture) => [`${fixture.file}: ${fixture.name}`, fixture] as const))(
    "%s",
    async (_, fixture) => {
      if (fixture.error !== undefined) {
        const thrown: unknown = await read(fixture).catch((error: unknown) => error);
        expect(isCredenceError(thrown) ? thrown.kind : thrown).toBe(fixture.error);
        return;
      }
      const result = await read(fixture);
      if (fixture.text !== undefined) expect(result.text).toBe(fixture.text);
      if (fixture.format !== undefined) expect(result.format).toBe(fixture.format);
      if (fixture.title !== undefined) expect(result.title).toBe(fixture.title);
      if (fixture.sections !== undefined) {
        expect(
          result.sections.map((section) => [label(section), result.text.slice(section.start, section.end)]),
        ).toEqual(fixture.sections);
      }
      expect(result.warnings.map((warning) => warning.kind)).toEqual(fixture.warnings ?? []);
      if (fixture.metadata !== undefined) expect(result.metadata).toMatchObject(fixture.metadata);
      expect(result.text).not.toMatch(/\r|\s$/);
    },
  );
});

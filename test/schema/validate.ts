import type { Direction } from '../../src/schema/schema-object';
import type { Violation } from '../../src/schema/validator';
import { parseJson } from '../../src/core/json/parse-json';
import { readSource } from '../../src/openapi/read/read-source';
import { SchemaRegistry } from '../../src/openapi/schemas/schema-registry';

/** More schemas that the one under test may refer to, by name, as JSON text. */
export type Others = Readonly<Record<string, string>>;

/** A validator for a schema that is given as JSON text, so that no digit of it is lost. */
export function validatorFor(
  schema: string,
  { direction = 'response', others = {}, openapi }: { direction?: Direction; others?: Others; openapi?: string } = {},
): (value: string) => readonly Violation[] {
  const schemas = Object.entries({ ...others, Subject: schema }).map(([name, text]) => `"${name}": ${text}`);
  const version = openapi === undefined ? '' : `"openapi": "${openapi}", `;
  const document = readSource(`{ ${version}"components": { "schemas": { ${schemas.join(', ')} } } }`, 'openapi.json');
  const validate = new SchemaRegistry(document).validator('/components/schemas/Subject', direction);
  return (value) => validate(parseJson(value));
}

/** Values as JSON texts, and whether the schema allows them. */
export interface Verdicts {
  readonly schema: string;
  readonly allows: readonly string[];
  readonly refuses: readonly string[];
  readonly direction?: Direction;
  readonly others?: Others;
  /** The version that the document declares; 3.0 without one. */
  readonly openapi?: string;
}

/** Rows for `test.each`: one for each value of each schema. */
export function rows(table: readonly Verdicts[]): (Verdicts & { value: string; verdict: 'allows' | 'refuses' })[] {
  return table.flatMap((entry) => [
    ...entry.allows.map((value) => ({ ...entry, value, verdict: 'allows' as const })),
    ...entry.refuses.map((value) => ({ ...entry, value, verdict: 'refuses' as const })),
  ]);
}

/** The same for schemas of OpenAPI 3.1. */
export function rows31(table: readonly Verdicts[]): ReturnType<typeof rows> {
  return rows(table.map((entry) => ({ openapi: '3.1.0', ...entry })));
}

/** Does the schema judge the value as the row says? */
export function expectVerdict({ schema, value, verdict, ...options }: ReturnType<typeof rows>[number]): void {
  const violations = validatorFor(schema, options)(value);
  if (verdict === 'allows') expect(violations).toStrictEqual([]);
  else expect(violations.length).toBeGreaterThan(0);
}

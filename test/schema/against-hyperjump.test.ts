import { execFileSync } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { validatorFor } from './validate';

/**
 * Another implementation of JSON Schema 2020-12, which shares no code with ajv, judges random values by random
 * schemas; our dialect of OpenAPI 3.1 must say the same of each.
 */
const name = fc.constantFrom('a', 'b', 'c');
const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀', ' '), maxLength: 3 });
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -3, max: 6 }),
  fc.constantFrom(0.5, 2.5),
  text,
);

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const small = fc.nat({ max: 3 });
const bound = fc.integer({ min: -3, max: 6 });
const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object', 'null');

function some(model: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(model, { requiredKeys: [], noNullPrototype: true });
}

const { schema } = fc.letrec<{ schema: unknown; list: unknown; map: unknown }>((tie) => ({
  list: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
  map: fc.dictionary(name, tie('schema'), { maxKeys: 2, noNullPrototype: true }),
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.boolean(),
    some({ type }),
    some({ type: fc.uniqueArray(type, { minLength: 1, maxLength: 3 }), minimum: bound, maxLength: small }),
    some({ exclusiveMinimum: bound, exclusiveMaximum: bound, multipleOf: fc.constantFrom(0.5, 1, 2) }),
    some({ minLength: small, maxLength: small, pattern: fc.constantFrom('a', '^.$', 'b$', '[^a]') }),
    some({ const: scalar, enum: fc.array(value, { minLength: 1, maxLength: 4 }) }),
    some({
      prefixItems: tie('list'),
      items: tie('schema'),
      contains: tie('schema'),
      minContains: small,
      maxContains: small,
      minItems: small,
      uniqueItems: fc.boolean(),
    }),
    some({
      properties: tie('map'),
      patternProperties: fc.dictionary(fc.constantFrom('a', '^[bc]$'), tie('schema'), {
        maxKeys: 1,
        noNullPrototype: true,
      }),
      additionalProperties: tie('schema'),
      propertyNames: tie('schema'),
      required: fc.uniqueArray(name, { maxLength: 2 }),
      maxProperties: small,
    }),
    some({
      dependentRequired: fc.dictionary(name, fc.uniqueArray(name), { maxKeys: 2, noNullPrototype: true }),
      dependentSchemas: tie('map'),
      minProperties: small,
    }),
    some({ if: tie('schema'), then: tie('schema'), else: tie('schema'), not: tie('schema') }),
    some({ allOf: tie('list'), anyOf: tie('list'), oneOf: tie('list') }),
    some({ $ref: fc.constant('#/$defs/one'), properties: tie('map'), unevaluatedProperties: tie('schema') }),
    some({
      allOf: tie('list'),
      anyOf: tie('list'),
      if: tie('schema'),
      then: tie('schema'),
      dependentSchemas: tie('map'),
      properties: tie('map'),
      unevaluatedProperties: tie('schema'),
    }),
    some({ allOf: tie('list'), oneOf: tie('list'), prefixItems: tie('list'), unevaluatedItems: tie('schema') }),
  ),
}));

const definition = some({
  type,
  properties: fc.dictionary(name, fc.boolean(), { noNullPrototype: true }),
  prefixItems: fc.constant([true]),
});
const testCase = fc.record({
  schema: fc.tuple(schema, definition).map(([random, one]) => ({ allOf: [random], $defs: { one } })),
  values: fc.array(value, { minLength: 6, maxLength: 6 }),
});

interface Case {
  readonly schema: unknown;
  readonly values: readonly unknown[];
}

/** Where we knowingly differ, and why. */
const DIFFERENT: readonly { readonly why: string; readonly concerns: (json: string) => boolean }[] = [
  {
    why: 'what a "contains" in a branch that may not apply has matched is not told to an "unevaluatedItems" around it',
    concerns: (json) => json.includes('"contains"') && json.includes('"unevaluatedItems"'),
  },
];

test('random schemas judge random values as another implementation does', () => {
  const cases = fc.sample(testCase, {
    numRuns: Number(process.env['ORACLE_RUNS'] ?? 200),
    seed: Number(process.env['ORACLE_SEED'] ?? 7),
  }) as Case[];
  const output = execFileSync(process.execPath, [path.join(__dirname, 'oracle.mjs')], {
    input: JSON.stringify(cases),
    timeout: 60_000,
    maxBuffer: 1 << 26,
  });
  const verdicts = JSON.parse(output.toString('utf8')) as (boolean[] | string)[];
  const wrong = cases.flatMap(({ schema: random, values }, index) => {
    const json = JSON.stringify(random);
    const expected = verdicts[index];
    if (DIFFERENT.some(({ concerns }) => concerns(json))) return [];
    const ours = judged(json, values);
    return JSON.stringify(ours) === JSON.stringify(expected)
      ? []
      : [{ json, values: JSON.stringify(values), ours, expected }];
  });
  wrong.sort((left, right) => left.json.length - right.json.length);
  expect(wrong.slice(0, 3)).toStrictEqual([]);
});

/** References of the oracle start at the schema, ours at the document around it. */
function judged(json: string, values: readonly unknown[]): boolean[] | string {
  const moved = json.replaceAll('"#/$defs/one"', '"#/components/schemas/Subject/$defs/one"');
  try {
    const validate = validatorFor(moved, { openapi: '3.1.0' });
    return values.map((each) => validate(JSON.stringify(each)).length === 0);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

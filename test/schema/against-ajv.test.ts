import Ajv from 'ajv';
import fc from 'fast-check';
import { validatorFor } from './validate';

/**
 * Where OpenAPI 3.0 and JSON Schema draft-07 mean the same and no number is out of the ordinary, plain ajv is right:
 * whatever it says of a schema and a value, our dialect says too.
 */
const name = fc.constantFrom('a', 'b', 'c', 'constructor');
const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀', ' '), maxLength: 3 });
const scalar = fc.oneof(fc.constant(null), fc.boolean(), fc.integer({ min: -3, max: 6 }), text);

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}));

const small = fc.nat({ max: 3 });

/** A schema object with some of the given members. */
function some(model: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(model, { requiredKeys: [] });
}

const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    some({ type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object') }),
    some({
      type: fc.constant('string'),
      minLength: small,
      maxLength: small,
      pattern: fc.constantFrom('a', '^.$', 'b$'),
    }),
    some({
      type: fc.constantFrom('integer', 'number'),
      minimum: fc.integer({ min: -3, max: 6 }),
      maximum: fc.integer({ min: -3, max: 6 }),
      multipleOf: fc.integer({ min: 1, max: 3 }),
    }),
    some({ enum: fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { minLength: 1, maxLength: 4 }) }),
    some({
      type: fc.constant('array'),
      items: tie('schema'),
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
    }),
    some({
      type: fc.constant('object'),
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
      required: fc.uniqueArray(name, { minLength: 1 }),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      minProperties: small,
      maxProperties: small,
    }),
    some({
      allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
    }),
    some({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }), not: tie('schema') }),
  ),
}));

test('a random schema judges random values as plain ajv does', () => {
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 1, maxLength: 8 }), (random, values) => {
      const ajv = new Ajv({ strict: false, ownProperties: true, validateSchema: false, logger: false });
      const expected = ajv.compile(random);
      const validate = validatorFor(JSON.stringify(random));
      for (const json of values.map((candidate) => JSON.stringify(candidate))) {
        const candidate: unknown = JSON.parse(json);
        const violations = validate(json);
        expect({ candidate, isValid: violations.length === 0 }).toStrictEqual({
          candidate,
          isValid: expected(candidate),
        });
      }
    }),
    { numRuns: 300 },
  );
});

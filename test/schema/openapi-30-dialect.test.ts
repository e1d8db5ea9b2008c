import { expectVerdict, rows, validatorFor } from './validate';

const BOOK = '{ "type": "object", "required": ["title"], "properties": { "title": { "type": "string" } } }';

describe('type', () => {
  const samples = ['null', 'true', '7', '7.5', '"text"', '[]', '{}'];
  const only = (schema: string, allows: string[]): Parameters<typeof rows>[0][number] => {
    return { schema, allows, refuses: samples.filter((sample) => !allows.includes(sample)) };
  };
  test.each(
    rows([
      only('{}', samples),
      only('{ "type": "boolean" }', ['true']),
      only('{ "type": "integer" }', ['7']),
      only('{ "type": "number" }', ['7', '7.5']),
      only('{ "type": "string" }', ['"text"']),
      only('{ "type": "array", "items": {} }', ['[]']),
      only('{ "type": "object" }', ['{}']),
      { schema: '{ "type": "object" }', allows: [], refuses: ['2.50', '1e400', '18446744073709551616'] },
      { schema: '{ "type": "number" }', allows: ['2.50', '1e400', '18446744073709551616', '-0'], refuses: ['"1"'] },
      {
        schema: '{ "type": "integer" }',
        allows: ['1.0', '1e2', '100e-2', '-0', '1e400', '9007199254740993', '18446744073709551616'],
        refuses: ['1.5', '1e-1', '0.10', '"1"', '1.0000000000000000000001'],
      },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('nullable', () => {
  test.each(
    rows([
      { schema: '{ "type": "string", "nullable": true }', allows: ['null', '""'], refuses: ['0'] },
      { schema: '{ "type": "string", "nullable": false }', allows: ['""'], refuses: ['null'] },
      { schema: '{ "type": "string" }', allows: ['""'], refuses: ['null'] },
      {
        schema: '{ "type": "integer", "nullable": true }',
        allows: ['null', '9007199254740993'],
        refuses: ['""', '{}'],
      },
      { schema: '{ "type": "number", "nullable": true, "minimum": 1 }', allows: ['null', '1'], refuses: ['0'] },
      { schema: '{ "type": "object", "nullable": true, "required": ["a"] }', allows: ['null'], refuses: ['{}'] },
      {
        schema: '{ "type": "array", "nullable": true, "items": {}, "minItems": 1 }',
        allows: ['null'],
        refuses: ['[]'],
      },
      { schema: '{ "type": "boolean", "nullable": true }', allows: ['null', 'false'], refuses: ['0'] },
      // It adds null to `type`; every other keyword still has its say.
      { schema: '{ "type": "string", "nullable": true, "enum": ["a"] }', allows: ['"a"'], refuses: ['null', '"b"'] },
      { schema: '{ "type": "string", "nullable": true, "enum": ["a", null] }', allows: ['null'], refuses: ['"b"'] },
      { schema: '{ "nullable": true, "allOf": [{ "type": "object" }] }', allows: ['{}'], refuses: ['null'] },
      {
        schema: '{ "type": "object", "nullable": true, "allOf": [{ "type": "object" }] }',
        allows: ['{}'],
        refuses: ['null'],
      },
      {
        schema: '{ "$ref": "#/components/schemas/Book", "nullable": true }',
        others: { Book: BOOK },
        allows: [],
        refuses: ['null'],
      },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('members that travel one way', () => {
  const oneWay =
    '{ "type": "object", "required": ["id", "secret", "title"], "properties": { "id": { "type": "integer", "readOnly": true }, "secret": { "type": "string", "writeOnly": true }, "title": { "type": "string" } } }';
  const referring =
    '{ "type": "object", "required": ["id"], "properties": { "id": { "$ref": "#/components/schemas/Id" } } }';
  const id = '{ "type": "integer", "readOnly": true }';
  test.each(
    rows([
      {
        schema: oneWay,
        direction: 'request',
        allows: ['{ "secret": "s", "title": "t" }', '{ "id": 1, "secret": "s", "title": "t" }'],
        refuses: ['{ "title": "t" }', '{ "id": 1, "title": "t" }', '{ "id": "x", "secret": "s", "title": "t" }'],
      },
      {
        schema: oneWay,
        direction: 'response',
        allows: ['{ "id": 1, "title": "t" }'],
        refuses: ['{ "title": "t" }', '{ "secret": "s", "title": "t" }', '{ "id": 1 }'],
      },
      { schema: referring, others: { Id: id }, direction: 'request', allows: ['{}'], refuses: ['{ "id": "x" }'] },
      { schema: referring, others: { Id: id }, direction: 'response', allows: ['{ "id": 1 }'], refuses: ['{}'] },
      {
        schema: `{ "type": "array", "items": { "allOf": [${oneWay}] } }`,
        direction: 'request',
        allows: ['[{ "secret": "s", "title": "t" }]'],
        refuses: ['[{ "id": 1, "title": "t" }]'],
      },
      {
        schema: '{ "type": "object", "additionalProperties": { "$ref": "#/components/schemas/OneWay" } }',
        others: { OneWay: oneWay },
        direction: 'response',
        allows: ['{ "a": { "id": 1, "title": "t" } }'],
        refuses: ['{ "a": { "secret": "s", "title": "t" } }'],
      },
      {
        schema:
          '{ "allOf": [{ "type": "object", "properties": { "id": { "type": "integer", "readOnly": true } } }], "required": ["id"] }',
        direction: 'request',
        allows: ['{}'],
        refuses: ['{ "id": "x" }'],
      },
      {
        schema:
          '{ "allOf": [{ "type": "object", "required": ["id"] }, { "type": "object", "properties": { "id": { "type": "integer", "readOnly": true } } }] }',
        direction: 'request',
        allows: ['{}'],
        refuses: ['{ "id": "x" }'],
      },
      {
        schema:
          '{ "allOf": [{ "type": "object", "properties": { "id": { "type": "integer", "readOnly": true } } }], "required": ["id"] }',
        direction: 'response',
        allows: ['{ "id": 1 }'],
        refuses: ['{}'],
      },
      {
        schema:
          '{ "allOf": [{ "$ref": "#/components/schemas/Demands" }, { "$ref": "#/components/schemas/Declares" }] }',
        others: {
          Demands: '{ "allOf": [{ "type": "object", "required": ["id", "title"] }] }',
          Declares: referring.replace('"required": ["id"], ', ''),
          Id: id,
        },
        direction: 'request',
        allows: ['{ "title": "t" }'],
        refuses: ['{}', '{ "id": "x", "title": "t" }'],
      },
      // An `allOf` is how something is said beside a reference: a property is as any part of it says.
      ...[
        '{ "allOf": [{ "$ref": "#/components/schemas/Id" }] }',
        '{ "allOf": [{ "type": "integer" }, { "readOnly": true }] }',
      ]
        .concat('{ "allOf": [{ "type": "integer" }], "readOnly": true }')
        .flatMap((wrapped) =>
          (['request', 'response'] as const).map((direction) => ({
            schema: `{ "type": "object", "required": ["id"], "properties": { "id": ${wrapped} } }`,
            others: { Id: id },
            direction,
            allows: [direction === 'request' ? '{}' : '{ "id": 1 }'],
            refuses: [direction === 'request' ? '{ "id": "x" }' : '{}'],
          })),
        ),
      // A member of the same name further down is another one.
      {
        schema:
          '{ "properties": { "id": { "readOnly": true }, "part": { "required": ["id"], "properties": { "id": {} } } } }',
        direction: 'request',
        allows: ['{ "part": { "id": 1 } }'],
        refuses: ['{ "part": {} }'],
      },
      // `required` of a member that is not declared counts both ways.
      { schema: '{ "required": ["x"] }', direction: 'request', allows: ['{ "x": 1 }'], refuses: ['{}'] },
    ]),
  )('$direction: $schema $verdict $value', expectVerdict);
});

describe('what stands beside a $ref is ignored', () => {
  const others = { Count: '{ "type": "integer" }', Alias: '{ "$ref": "#/components/schemas/Count", "maximum": 1 }' };
  test.each(
    rows([
      { schema: '{ "$ref": "#/components/schemas/Count", "minimum": 5 }', others, allows: ['3'], refuses: ['"3"'] },
      { schema: '{ "$ref": "#/components/schemas/Count", "type": "string" }', others, allows: ['3'], refuses: ['"3"'] },
      { schema: '{ "$ref": "#/components/schemas/Count", "enum": [7] }', others, allows: ['3'], refuses: ['3.5'] },
      { schema: '{ "$ref": "#/components/schemas/Alias" }', others, allows: ['3'], refuses: ['null'] },
      {
        schema: '{ "allOf": [{ "$ref": "#/components/schemas/Count" }], "minimum": 5 }',
        others,
        allows: ['5'],
        refuses: ['3'],
      },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('allOf, anyOf, oneOf and not', () => {
  const small = '{ "type": "integer", "maximum": 10 }';
  const even = '{ "type": "integer", "multipleOf": 2 }';
  test.each(
    rows([
      { schema: `{ "allOf": [${small}, ${even}] }`, allows: ['4'], refuses: ['5', '12', '13', '"4"'] },
      { schema: `{ "anyOf": [${small}, ${even}] }`, allows: ['4', '5', '12'], refuses: ['13', 'null'] },
      { schema: `{ "oneOf": [${small}, ${even}] }`, allows: ['5', '12'], refuses: ['4', '13'] },
      { schema: `{ "not": ${small} }`, allows: ['11', '"4"', 'null'], refuses: ['4'] },
      { schema: `{ "type": "integer", "not": ${even} }`, allows: ['5'], refuses: ['4', '"5"'] },
      { schema: `{ "allOf": [{ "oneOf": [${small}, { "type": "string" }] }] }`, allows: ['4', '"4"'], refuses: ['12'] },
      // Each member of allOf is judged alone: a closed one knows nothing of its siblings' members.
      {
        schema: `{ "allOf": [{ "type": "object", "properties": { "a": {} }, "additionalProperties": false }, { "type": "object", "properties": { "b": {} } }] }`,
        allows: ['{}', '{ "a": 1 }'],
        refuses: ['{ "b": 1 }', '{ "a": 1, "b": 1 }'],
      },
      // A discriminator is a hint and changes no verdict (OAS 3.0.4).
      {
        schema:
          '{ "oneOf": [{ "$ref": "#/components/schemas/Book" }, { "$ref": "#/components/schemas/Disc" }], "discriminator": { "propertyName": "kind", "mapping": { "b": "#/components/schemas/Book" } } }',
        others: { Book: BOOK, Disc: '{ "type": "object", "required": ["minutes"] }' },
        allows: [
          '{ "title": "t" }',
          '{ "minutes": 3 }',
          '{ "minutes": 3, "kind": "b" }',
          '{ "title": "t", "kind": "x" }',
        ],
        refuses: ['{}', '{ "title": "t", "minutes": 3 }'],
      },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('members', () => {
  test.each(
    rows([
      {
        schema: '{ "properties": { "a": { "type": "integer" } } }',
        allows: ['{}', '{ "a": 1, "b": 2 }', '7', '[]'],
        refuses: ['{ "a": "x" }'],
      },
      {
        schema: '{ "required": ["a"] }',
        allows: ['{ "a": null }', '7', '"text"', '[]', '2.50'],
        refuses: ['{}', '{ "A": 1 }'],
      },
      {
        schema: '{ "type": "object", "additionalProperties": false }',
        allows: ['{}'],
        refuses: ['{ "a": 1 }', '{ "": 1 }', '{ "constructor": 1 }', '{ "__proto__": 1 }'],
      },
      {
        schema: '{ "type": "object", "properties": { "a": {} }, "additionalProperties": { "type": "integer" } }',
        allows: ['{ "a": "x", "b": 1 }'],
        refuses: ['{ "b": "x" }', '{ "toString": "x" }', '{ "__proto__": "x" }'],
      },
      { schema: '{ "type": "object", "additionalProperties": true }', allows: ['{ "a": 1 }'], refuses: ['[]'] },
      {
        schema: '{ "type": "object", "minProperties": 1, "maxProperties": 2 }',
        allows: ['{ "a": 1 }', '{ "a": 1, "b": 2 }'],
        refuses: ['{}', '{ "a": 1, "b": 2, "c": 3 }'],
      },
      {
        schema: '{ "type": "array", "items": { "type": "integer" }, "minItems": 1, "maxItems": 2 }',
        allows: ['[1]', '[1, 2.0]'],
        refuses: ['[]', '[1, 2, 3]', '["1"]'],
      },
      {
        schema: '{ "type": "array", "items": { "type": "array", "items": { "type": "string" } } }',
        allows: ['[[]]', '[["a"], []]'],
        refuses: ['[["a", 1]]', '["a"]'],
      },
      // A number that keeps its digits is no object.
      {
        schema: '{ "additionalProperties": false, "properties": { "lexeme": { "type": "integer" } } }',
        allows: ['2.50', '1e400', '7'],
        refuses: ['{ "a": 1 }'],
      },
      { schema: '{ "minProperties": 2 }', allows: ['2.50', '7'], refuses: ['{ "a": 1 }'] },
      { schema: '{ "maxProperties": 0 }', allows: ['2.50', '7'], refuses: ['{ "a": 1 }'] },
      // What an object inherits is not its own.
      {
        schema: '{ "type": "object", "required": ["constructor"] }',
        allows: ['{ "constructor": 1 }'],
        refuses: ['{}'],
      },
      {
        schema: '{ "type": "object", "required": ["toString", "hasOwnProperty"] }',
        allows: ['{ "toString": 1, "hasOwnProperty": 1 }'],
        refuses: ['{}', '{ "toString": 1 }'],
      },
      { schema: '{ "type": "object", "required": ["__proto__"] }', allows: ['{ "__proto__": 1 }'], refuses: ['{}'] },
      {
        schema:
          '{ "type": "object", "properties": { "constructor": { "type": "integer" }, "toString": { "type": "integer" } } }',
        allows: ['{}', '{ "constructor": 1 }'],
        refuses: ['{ "constructor": "x" }', '{ "toString": "x" }'],
      },
      {
        schema: '{ "type": "object", "properties": { "__proto__": { "type": "integer" } } }',
        allows: ['{}', '{ "__proto__": 1 }'],
        refuses: ['{ "__proto__": "x" }'],
      },
      {
        schema: '{ "type": "object", "properties": { "a": {}, "__proto__": {} }, "additionalProperties": false }',
        allows: ['{ "__proto__": 1 }'],
        refuses: ['{ "b": 1 }'],
      },
      {
        schema: `{ "type": "object", "required": ["it's", "a\\"b", "\\\\", "\\n"], "properties": { "a\\"b": { "type": "integer" } } }`,
        allows: [`{ "it's": 1, "a\\"b": 1, "\\\\": 1, "\\n": 1 }`],
        refuses: ['{}', `{ "it's": 1, "a\\"b": "x", "\\\\": 1, "\\n": 1 }`],
      },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('annotations change no verdict', () => {
  test.each([
    '"title": "T"',
    '"description": "D"',
    '"default": 7',
    '"example": 7',
    '"deprecated": true',
    '"externalDocs": { "url": "https://example.com" }',
    '"xml": { "name": "x" }',
    '"x-anything": { "type": "integer" }',
    '"readOnly": true',
    '"writeOnly": true',
  ])('%s', (annotation) => {
    const validate = validatorFor(`{ "type": "string", ${annotation} }`);
    expect(validate('"text"')).toStrictEqual([]);
    expect(validate('7')).toHaveLength(1);
  });
});

import { SpecError } from '../../src/core/errors/standin-error';
import { readSource } from '../../src/openapi/read/read-source';
import { SchemaRegistry } from '../../src/openapi/schemas/schema-registry';
import { expectVerdict, rows31, validatorFor } from './validate';

const BIG = '9007199254740993';

describe('type', () => {
  test.each(
    rows31([
      { schema: '{ "type": ["string", "null"] }', allows: ['"a"', 'null'], refuses: ['1', '{}', '[]', 'true'] },
      { schema: '{ "type": ["integer", "string"] }', allows: ['1', '1.0', BIG, '""'], refuses: ['1.5', 'null'] },
      { schema: '{ "type": ["object", "array"] }', allows: ['{}', '[]'], refuses: ['2.50', '1e400', '""'] },
      { schema: '{ "type": ["number"] }', allows: ['2.50', '1e400', BIG], refuses: ['"1"', '{}'] },
      { schema: '{ "type": "null" }', allows: ['null'], refuses: ['0', '""', 'false'] },
      // `nullable` is a word of 3.0.
      { schema: '{ "type": "string", "nullable": true }', allows: ['""'], refuses: ['null'] },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('a schema that is true or false', () => {
  test.each(
    rows31([
      { schema: '{ "properties": { "a": false, "b": true } }', allows: ['{}', '{ "b": 1 }'], refuses: ['{ "a": 1 }'] },
      { schema: '{ "not": true }', allows: [], refuses: ['1', 'null'] },
      { schema: '{ "items": false }', allows: ['[]', '1'], refuses: ['[1]'] },
      { schema: '{ "allOf": [true, false] }', allows: [], refuses: ['1'] },
      { schema: '{ "anyOf": [true, false] }', allows: ['1'], refuses: [] },
      { schema: '{ "$ref": "#/components/schemas/Never" }', others: { Never: 'false' }, allows: [], refuses: ['1'] },
      { schema: '{ "$ref": "#/components/schemas/Any" }', others: { Any: 'true' }, allows: ['1'], refuses: [] },
      { schema: 'false', allows: [], refuses: ['1', '{}'] },
      { schema: 'true', allows: ['1', '{}'], refuses: [] },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('numbers', () => {
  test.each(
    rows31([
      { schema: '{ "exclusiveMinimum": 1 }', allows: ['1.0000000000000000000001'], refuses: ['1', '1.0', '0'] },
      { schema: '{ "exclusiveMaximum": 1 }', allows: ['0.9999999999999999999999'], refuses: ['1', '1e0'] },
      { schema: '{ "minimum": 1, "exclusiveMinimum": 2 }', allows: ['2.1'], refuses: ['2', '1'] },
      { schema: '{ "multipleOf": 0.01 }', allows: ['19.99'], refuses: ['0.001'] },
      { schema: `{ "const": ${BIG} }`, allows: [BIG, `${BIG}.0`], refuses: ['9007199254740992', `"${BIG}"`] },
      { schema: '{ "const": 1 }', allows: ['1', '1.0'], refuses: ['true', '"1"', '2'] },
      { schema: '{ "const": { "a": [1] } }', allows: ['{ "a": [1.0] }'], refuses: ['{ "a": [2] }', '{}'] },
      { schema: '{ "const": null }', allows: ['null'], refuses: ['0', '""', 'false'] },
      { schema: '{ "const": "a" }', allows: ['"a"'], refuses: ['"b"', '1'] },
      { schema: `{ "enum": [${BIG}, "a"] }`, allows: [BIG, '"a"'], refuses: ['9007199254740992'] },
      { schema: '{ "type": "integer", "format": "int32" }', allows: ['1'], refuses: ['2147483648'] },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('arrays', () => {
  test.each(
    rows31([
      {
        schema: '{ "prefixItems": [{ "type": "string" }, { "type": "integer" }], "items": false }',
        allows: ['[]', '["a"]', '["a", 1]', `["a", ${BIG}]`],
        refuses: ['["a", 1, 2]', '[1]', '["a", "b"]'],
      },
      {
        schema: '{ "prefixItems": [{ "type": "string" }], "items": { "type": "integer" } }',
        allows: ['["a", 1, 2]'],
        refuses: ['["a", "b"]', '[1]'],
      },
      { schema: '{ "contains": { "type": "integer" } }', allows: ['["a", 1]', '{}', '""'], refuses: ['[]', '["a"]'] },
      {
        schema: '{ "contains": { "minimum": 5 }, "minContains": 2, "maxContains": 3 }',
        allows: ['[5, 6]', '[5, 6, 7, 1]'],
        refuses: ['[5]', '[5, 6, 7, 8]', '[]'],
      },
      {
        schema: '{ "contains": { "type": "string" }, "minContains": 0, "maxContains": 1.0 }',
        allows: ['[]', '["a"]'],
        refuses: ['["a", "b"]'],
      },
      { schema: '{ "minContains": 2 }', allows: ['[]'], refuses: [] },
      { schema: '{ "uniqueItems": true }', allows: ['[1, "1"]'], refuses: ['[1, 1.0]'] },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('objects', () => {
  test.each(
    rows31([
      {
        schema: '{ "patternProperties": { "^x-": { "type": "string" } }, "additionalProperties": false }',
        allows: ['{ "x-a": "1" }', '{}', '2.50'],
        refuses: ['{ "x-a": 1 }', '{ "y": 1 }'],
      },
      { schema: '{ "propertyNames": { "pattern": "^a" } }', allows: ['{ "ab": 1 }', '2.50'], refuses: ['{ "b": 1 }'] },
      { schema: '{ "propertyNames": false }', allows: ['{}', '1e400'], refuses: ['{ "b": 1 }'] },
      {
        schema: '{ "dependentRequired": { "a": ["b", "c"] } }',
        allows: ['{}', '{ "b": 1 }', '{ "a": 1, "b": 2, "c": 3 }', '2.50'],
        refuses: ['{ "a": 1 }', '{ "a": 1, "b": 1 }'],
      },
      {
        schema: '{ "dependentSchemas": { "a": { "required": ["b"], "maxProperties": 2 } } }',
        allows: ['{}', '{ "a": 1, "b": 2 }', '{ "x": 1, "y": 2, "z": 3 }', '1e400'],
        refuses: ['{ "a": 1 }', '{ "a": 1, "b": 1, "c": 1 }'],
      },
      { schema: '{ "required": ["lexeme"] }', allows: ['2.50', '{ "lexeme": 1 }'], refuses: ['{}'] },
      {
        schema: '{ "properties": { "__proto__": { "type": "string" } }, "required": ["__proto__"] }',
        allows: ['{ "__proto__": "a" }'],
        refuses: ['{}', '{ "__proto__": 1 }'],
      },
      { schema: '{ "dependentRequired": { "toString": ["b"] } }', allows: ['{}'], refuses: ['{ "toString": 1 }'] },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('conditions and unions', () => {
  const conditional = '{ "if": { "type": "integer" }, "then": { "minimum": 5 }, "else": { "minLength": 2 } }';
  test.each(
    rows31([
      { schema: conditional, allows: ['5', '"ab"', 'null', '4.5'], refuses: ['4', '"a"'] },
      { schema: '{ "if": { "minimum": 5 }, "then": false }', allows: ['4'], refuses: ['5', '"a"', '{}'] },
      { schema: '{ "if": { "required": ["a"] }, "else": { "required": ["b"] } }', allows: ['2.50'], refuses: ['{}'] },
      {
        schema: '{ "required": ["c"], "if": { "required": ["a"] }, "then": { "required": ["b"] } }',
        allows: ['2.50', '{ "c": 1 }', '{ "a": 1, "b": 1, "c": 1 }'],
        refuses: ['{}', '{ "a": 1, "c": 1 }', '{ "a": 1, "b": 1 }'],
      },
      { schema: '{ "then": false }', allows: ['1'], refuses: [] },
      { schema: '{ "oneOf": [{ "type": "integer" }, { "minimum": 2 }] }', allows: ['1', '2.5'], refuses: ['3', '1.5'] },
      { schema: '{ "not": { "type": ["string", "null"] } }', allows: ['1'], refuses: ['null', '"a"'] },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('references', () => {
  const Book = '{ "type": "object", "required": ["title"], "properties": { "title": { "type": "string" } } }';
  test.each(
    rows31([
      {
        schema: '{ "$ref": "#/components/schemas/Book", "required": ["isbn"], "description": "and siblings count" }',
        others: { Book },
        allows: ['{ "title": "t", "isbn": 1 }'],
        refuses: ['{ "title": "t" }', '{ "isbn": 1 }', 'null'],
      },
      {
        schema: '{ "$ref": "#/components/schemas/Book", "type": ["object", "null"] }',
        others: { Book },
        allows: ['{ "title": "t" }'],
        refuses: ['null'],
      },
      {
        schema: '{ "$defs": { "a/b": { "type": "string" } }, "$ref": "#/components/schemas/Subject/$defs/a~1b" }',
        allows: ['"a"'],
        refuses: ['1'],
      },
      {
        schema:
          '{ "$id": "https://example.org/tree", "$defs": { "leaf": { "const": 1 } }, "items": { "$ref": "#/$defs/leaf" } }',
        allows: ['[1]'],
        refuses: ['[2]'],
      },
      {
        schema: '{ "items": { "$ref": "#leaf" } }',
        others: { Leaf: '{ "$anchor": "leaf", "type": "integer" }' },
        allows: ['[1]'],
        refuses: ['["a"]'],
      },
      {
        schema: '{ "items": { "$ref": "https://example.org/b/leaf.json#x" } }',
        others: {
          Leaf: '{ "$id": "https://example.org/b/leaf.json", "$defs": { "x": { "$anchor": "x", "const": 1 } } }',
        },
        allows: ['[1]'],
        refuses: ['[2]'],
      },
      {
        schema: '{ "$id": "https://example.org/a/", "items": { "$ref": "leaf.json" } }',
        others: { Leaf: '{ "$id": "https://example.org/a/leaf.json", "const": 1 }' },
        allows: ['[1]'],
        refuses: ['[2]'],
      },
      {
        schema: '{ "$id": "https://example.org/mixed", "items": { "$ref": "#/components/schemas/Book" } }',
        others: { Book },
        allows: ['[{ "title": "t" }]'],
        refuses: ['[{}]'],
      },
      {
        // A circle through the members of a value ends with the value.
        schema: '{ "properties": { "next": { "$ref": "#/components/schemas/Subject" } }, "required": ["id"] }',
        allows: ['{ "id": 1, "next": { "id": 2 } }'],
        refuses: ['{ "id": 1, "next": { "id": 2, "next": {} } }'],
      },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('dynamic references', () => {
  const List =
    '{ "$id": "https://example.org/list", "type": "array", "items": { "$dynamicRef": "#item" }, "$defs": { "item": { "$dynamicAnchor": "item" } } }';
  const Tree =
    '{ "$id": "https://example.org/tree", "$dynamicAnchor": "node", "properties": { "children": { "items": { "$dynamicRef": "#node" } } } }';
  test.each(
    rows31([
      {
        schema:
          '{ "$id": "https://example.org/strings", "$ref": "list", "$defs": { "item": { "$dynamicAnchor": "item", "type": "string" } } }',
        others: { List },
        allows: ['["a"]', '[]'],
        refuses: ['[1]', '{}'],
      },
      { schema: '{ "$ref": "https://example.org/list" }', others: { List }, allows: ['[1, "a"]'], refuses: ['{}'] },
      {
        schema:
          '{ "$id": "https://example.org/strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": false }',
        others: { Tree },
        allows: ['{}', '{ "children": [{ "children": [] }] }'],
        refuses: ['{ "x": 1 }', '{ "children": [{ "x": 1 }] }', '{ "children": [{ "children": [{ "x": 1 }] }] }'],
      },
      {
        schema: '{ "$ref": "https://example.org/tree" }',
        others: { Tree },
        allows: ['{ "children": [{ "x": 1 }] }'],
        refuses: [],
      },
      {
        // Without a dynamic anchor behind it, it is an ordinary reference.
        schema: '{ "$dynamicRef": "#/components/schemas/Leaf" }',
        others: { Leaf: '{ "type": "string" }' },
        allows: ['"a"'],
        refuses: ['1'],
      },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('what no other keyword has looked at', () => {
  const Base = '{ "type": "object", "properties": { "a": { "type": "string" } } }';
  test.each(
    rows31([
      {
        schema:
          '{ "allOf": [{ "$ref": "#/components/schemas/Base" }], "properties": { "b": {} }, "unevaluatedProperties": false }',
        others: { Base },
        allows: ['{}', '{ "a": "x", "b": 1 }'],
        refuses: ['{ "c": 1 }', '{ "a": "x", "c": 1 }', '2.50'],
      },
      {
        schema: '{ "$ref": "#/components/schemas/Base", "unevaluatedProperties": { "type": "integer" } }',
        others: { Base },
        allows: ['{ "a": "x", "c": 1 }', `{ "c": ${BIG} }`],
        refuses: ['{ "c": "x" }', '{ "a": 1 }'],
      },
      {
        schema:
          '{ "if": { "properties": { "kind": { "const": "x" } }, "required": ["kind"] }, "then": { "properties": { "x": {} } }, "unevaluatedProperties": false }',
        allows: ['{ "kind": "x", "x": 1 }', '{}', '2.50', '"a"'],
        refuses: ['{ "kind": "y", "x": 1 }', '{ "x": 1 }'],
      },
      {
        schema: '{ "if": { "properties": { "a": true } }, "unevaluatedProperties": false }',
        allows: ['{ "a": 1 }'],
        refuses: ['{ "b": 1 }'],
      },
      {
        schema:
          '{ "anyOf": [{ "required": ["a"], "properties": { "a": {} } }, { "properties": { "b": {} } }], "unevaluatedProperties": false }',
        allows: ['{ "a": 1, "b": 1 }', '{ "b": 1 }'],
        refuses: ['{ "c": 1 }', '{ "b": 1, "c": 1 }'],
      },
      {
        schema: '{ "prefixItems": [{ "type": "string" }], "unevaluatedItems": false }',
        allows: ['["a"]', '[]', '{}'],
        refuses: ['["a", 1]'],
      },
      {
        schema: '{ "allOf": [{ "prefixItems": [{}, {}] }], "unevaluatedItems": { "type": "integer" } }',
        allows: ['["a", "b", 1]'],
        refuses: ['["a", "b", "c"]'],
      },
      {
        schema: '{ "contains": { "type": "string" }, "unevaluatedItems": false }',
        allows: ['["a", "b"]'],
        refuses: ['["a", 1]', '[1]'],
      },
      {
        schema:
          '{ "dependentSchemas": { "a": { "properties": { "a": {}, "b": {} } } }, "unevaluatedProperties": false }',
        allows: ['{ "a": 1, "b": 1 }', '{}'],
        refuses: ['{ "b": 1 }'],
      },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

test('what was looked at in one item is forgotten at the next', () => {
  const validate = validatorFor(
    '{ "items": { "anyOf": [{ "properties": { "a": { "type": "string" } } }, true], "unevaluatedProperties": false } }',
    { openapi: '3.1.0' },
  );
  expect(validate('[{ "a": "x" }]')).toStrictEqual([]);
  expect(validate('[{ "a": "x" }, { "a": 1 }]')).toMatchObject([{ pointer: '/1', property: 'a' }]);
});

describe('members that travel one way', () => {
  const schema =
    '{ "type": "object", "required": ["id", "secret", "title"], "properties": { "id": { "$ref": "#/components/schemas/Id", "readOnly": true }, "secret": { "writeOnly": true } } }';
  const Base = '{ "type": "object", "required": ["id", "name"] }';
  const extended = '{ "$ref": "#/components/schemas/Base", "properties": { "id": { "readOnly": true } } }';
  const others = { Id: '{ "type": "integer" }', Base };
  test.each(
    rows31([
      {
        schema,
        others,
        direction: 'request',
        allows: ['{ "secret": 1, "title": 1 }'],
        refuses: ['{ "title": 1 }', '{ "secret": 1 }', '{ "secret": 1, "title": 1, "id": "x" }'],
      },
      { schema, others, direction: 'response', allows: ['{ "id": 1, "title": 1 }'], refuses: ['{ "title": 1 }'] },
      { schema: extended, others, direction: 'request', allows: ['{ "name": 1 }'], refuses: ['{ "id": 1 }'] },
      {
        schema: extended,
        others,
        direction: 'response',
        allows: ['{ "id": 1, "name": 1 }'],
        refuses: ['{ "name": 1 }'],
      },
    ]),
  )('$direction: $schema $verdict $value', expectVerdict);
});

describe('annotations never change the outcome', () => {
  test.each([
    '"contentEncoding": "base64", "contentMediaType": "image/png"',
    '"examples": ["a"], "default": 7, "deprecated": true, "title": "t", "$comment": "c"',
    '"example": 7, "externalDocs": { "url": "https://example.org" }, "xml": { "name": "n" }',
    '"format": "no-such-format"',
    '"x-maximum": 1',
  ])('%s', (annotation) => {
    expect(validatorFor(`{ "type": "string", ${annotation} }`, { openapi: '3.1.0' })('"not base64"')).toStrictEqual([]);
  });
});

describe('a schema says which dialect it is written in', () => {
  const draft = (name: string, rest: string): string =>
    `{ "$schema": "http://json-schema.org/${name}/schema#", ${rest} }`;
  test.each(
    rows31([
      {
        schema: draft('draft-04', '"minimum": 1, "exclusiveMinimum": true, "const": 7'),
        allows: ['2'],
        refuses: ['1'],
      },
      {
        schema: draft('draft-07', '"items": [{ "type": "string" }], "additionalItems": false'),
        allows: ['["a"]', '[]'],
        refuses: ['["a", 1]', '[1]'],
      },
      {
        schema: draft('draft-07', '"dependencies": { "a": ["b"], "c": { "required": ["d"] } }'),
        allows: ['{}', '{ "a": 1, "b": 1 }', '{ "c": 1, "d": 1 }'],
        refuses: ['{ "a": 1 }', '{ "c": 1 }'],
      },
      {
        schema: draft('draft-07', '"properties": { "a": { "$ref": "#/components/schemas/Text", "maxLength": 1 } }'),
        others: { Text: '{ "type": "string" }' },
        allows: ['{ "a": "long" }'],
        refuses: ['{ "a": 1 }'],
      },
      { schema: draft('draft-07', '"unevaluatedProperties": false'), allows: ['{ "a": 1 }'], refuses: [] },
      {
        schema: '{ "$schema": "https://spec.openapis.org/oas/3.1/dialect/base", "const": 1 }',
        allows: ['1'],
        refuses: ['2'],
      },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('a schema that says nothing sure cannot judge', () => {
  const faultIn = (compile: () => unknown): SpecError => {
    try {
      compile();
    } catch (error) {
      if (error instanceof SpecError) return error;
    }
    throw new Error('nothing was found');
  };
  const faultOf = (schema: string): SpecError => faultIn(() => validatorFor(schema, { openapi: '3.1.0' }));
  test.each([
    ['{ "minLength": "2" }', '"minLength" must be a whole number'],
    ['{ "exclusiveMinimum": true }', '"exclusiveMinimum" must be a number'],
    ['{ "type": "book" }', '"type" must be a type'],
    ['{ "type": [] }', '"type" must be a type'],
    ['{ "required": true }', '"required" must be a list of names'],
    ['{ "multipleOf": 0 }', '"multipleOf" must be a number above zero'],
    ['{ "anyOf": [] }', '"anyOf" must be a list of at least one schema'],
    ['{ "items": [{}] }', '"items" must be a schema'],
    ['{ "pattern": "(" }', 'Invalid regular expression'],
    ['{ "patternProperties": { "[": {} } }', 'Invalid regular expression'],
    ['{ "$ref": "#/components/schemas/Nothing" }', 'leads to no schema'],
    ['{ "$ref": "#nothing" }', 'leads to no schema'],
    ['{ "$ref": "https://example.org/elsewhere" }', 'leads to no schema'],
    ['{ "$ref": "#" }', 'leads to no schema'],
    ['{ "$dynamicRef": "#nothing" }', 'leads to no schema'],
    ['{ "$schema": "https://example.org/dialect" }', 'which is not known'],
    ['{ "allOf": [{ "$ref": "#/components/schemas/Subject" }] }', 'without end'],
    ['{ "$ref": "#/components/schemas/Subject", "minLength": 1 }', 'without end'],
    ['{ "if": true, "then": { "$ref": "#/components/schemas/Subject" } }', 'without end'],
  ])('%s', (schema, message) => {
    const fault = faultOf(schema);
    expect(fault.message).toContain(message);
    expect(fault.findings[0]?.pointer).toMatch(/^\/components\/schemas\/Subject/);
  });

  it('the keyword at fault is named, however deep it stands', () => {
    const fault = faultOf('{ "properties": { "a/b": { "items": { "minItems": -1 } } } }');
    expect(fault.findings[0]?.pointer).toBe('/components/schemas/Subject/properties/a~1b/items/minItems');
  });

  it('so is a dialect of the whole document that is not known', () => {
    const document = readSource(
      '{ "openapi": "3.1.0", "jsonSchemaDialect": "https://example.org/x", "components": { "schemas": { "A": {} } } }',
      'openapi.json',
    );
    const { findings } = faultIn(() => new SchemaRegistry(document).validator('/components/schemas/A', 'request'));
    expect(findings[0]).toMatchObject({ rule: 'schema-compiles', pointer: '/jsonSchemaDialect' });
  });
});

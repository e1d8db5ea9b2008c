import { validatorFor } from './validate';

describe('a violation names its place, keyword and reason', () => {
  test.each<[string, string, unknown]>([
    ['{ "type": "integer" }', '"7"', { pointer: '', keyword: 'type', message: 'must be an integer' }],
    ['{ "type": "string" }', '7', { pointer: '', keyword: 'type', message: 'must be a string' }],
    ['{ "type": "object" }', '7', { pointer: '', keyword: 'type', message: 'must be an object' }],
    ['{ "type": "string", "nullable": true }', '7', { keyword: 'type', message: 'must be a string or null' }],
    ['{ "type": "integer", "nullable": true }', '"7"', { keyword: 'type', message: 'must be an integer or null' }],
    [
      '{ "required": ["a/b"] }',
      '{}',
      { pointer: '', keyword: 'required', property: 'a/b', message: 'must have the property "a/b"' },
    ],
    [
      '{ "additionalProperties": false }',
      '{ "a~b": 1 }',
      { pointer: '', keyword: 'additionalProperties', property: 'a~b', message: 'must not have the property "a~b"' },
    ],
    ['{ "properties": { "a/b~c": { "type": "string" } } }', '{ "a/b~c": 1 }', { pointer: '/a~1b~0c', keyword: 'type' }],
    ['{ "items": { "items": { "type": "string" } } }', '[[], ["a", 1]]', { pointer: '/1/1', keyword: 'type' }],
    ['{ "enum": ["a", 1, 2.50] }', '"b"', { keyword: 'enum', message: 'must be one of "a", 1, 2.50' }],
    ['{ "enum": ["a", "b"] }', '"c"', { keyword: 'enum', message: 'must be one of "a", "b"' }],
    ['{ "pattern": "^a$" }', '"b"', { keyword: 'pattern', message: 'must match the pattern ^a$' }],
    ['{ "type": "string", "format": "date" }', '"b"', { keyword: 'format', message: 'must be a valid date' }],
    [
      '{ "format": "int32" }',
      '2147483648',
      { keyword: 'format', message: 'must be an integer in the range of int32 (-2147483648 to 2147483647)' },
    ],
    ['{ "minLength": 1 }', '""', { keyword: 'minLength', message: 'must have at least 1 character' }],
    ['{ "maxLength": 2 }', '"abc"', { keyword: 'maxLength', message: 'must have at most 2 characters' }],
    ['{ "minItems": 1 }', '[]', { keyword: 'minItems', message: 'must have at least 1 item' }],
    ['{ "maxItems": 0 }', '[1]', { keyword: 'maxItems', message: 'must have at most 0 items' }],
    ['{ "minProperties": 2 }', '{}', { keyword: 'minProperties', message: 'must have at least 2 properties' }],
    [
      '{ "maxProperties": 1 }',
      '{ "a": 1, "b": 2 }',
      { keyword: 'maxProperties', message: 'must have at most 1 property' },
    ],
    ['{ "minimum": 9007199254740993 }', '1', { keyword: 'minimum', message: 'must be at least 9007199254740993' }],
    ['{ "maximum": 2.50 }', '3', { keyword: 'maximum', message: 'must be at most 2.50' }],
    [
      '{ "minimum": 1, "exclusiveMinimum": true }',
      '1',
      { keyword: 'exclusiveMinimum', message: 'must be greater than 1' },
    ],
    [
      '{ "maximum": 1, "exclusiveMaximum": true }',
      '1',
      { keyword: 'exclusiveMaximum', message: 'must be less than 1' },
    ],
    ['{ "multipleOf": 0.01 }', '0.001', { keyword: 'multipleOf', message: 'must be a multiple of 0.01' }],
    ['{ "uniqueItems": true }', '[1, 1]', { keyword: 'uniqueItems', message: 'must not hold the same item twice' }],
    ['{ "not": {} }', '1', { keyword: 'not', message: 'must not match the schema under "not"' }],
  ])('%s of %s', (schema, value, violation) => {
    expect(validatorFor(schema)(value)).toMatchObject([violation]);
  });

  test.each([
    [
      '{ "oneOf": [{ "type": "integer" }, { "type": "number" }] }',
      '1',
      'must match exactly one schema of "oneOf", not several',
    ],
    ['{ "oneOf": [{ "type": "integer" }, { "type": "string" }] }', 'null', 'must match one schema of "oneOf"'],
    ['{ "anyOf": [{ "type": "integer" }, { "type": "string" }] }', 'null', 'must match at least one schema of "anyOf"'],
  ])('%s of %s', (schema, value, message) => {
    expect(validatorFor(schema)(value)).toContainEqual(expect.objectContaining({ pointer: '', message }));
  });

  it('every one is given, not only the first', () => {
    const validate = validatorFor(
      '{ "type": "object", "required": ["a", "b"], "properties": { "c": { "type": "string" }, "d": { "type": "integer" } } }',
    );
    expect(validate('{ "c": 1, "d": 1.5 }').map(({ keyword }) => keyword)).toStrictEqual([
      'required',
      'required',
      'type',
      'type',
    ]);
  });

  it('a long enum is cut', () => {
    const names = Array.from({ length: 30 }, (_, index) => `"n${index}"`).join(', ');
    const [violation] = validatorFor(`{ "enum": [${names}] }`)('"x"');
    expect(violation?.message).toMatch(/"n11" and 18 more$/);
  });
});

describe('a violation of OpenAPI 3.1 names its place, keyword and reason', () => {
  test.each<[string, string, unknown]>([
    ['{ "const": "a" }', '"b"', { pointer: '', keyword: 'const', message: 'must be "a"' }],
    ['{ "const": 2.50 }', '"b"', { keyword: 'const', message: 'must be 2.50' }],
    ['{ "type": ["integer", "null"] }', '"b"', { keyword: 'type', message: 'must be an integer or null' }],
    [
      '{ "properties": { "a": false } }',
      '{ "a": 1 }',
      { pointer: '/a', keyword: 'false', message: 'must not be there: no value is allowed here' },
    ],
    [
      '{ "dependentRequired": { "a": ["b"] } }',
      '{ "a": 1 }',
      { keyword: 'dependentRequired', property: 'b', message: 'must have the property "b", because it has "a"' },
    ],
    [
      '{ "propertyNames": { "pattern": "^a" } }',
      '{ "b": 1 }',
      {
        pointer: '',
        keyword: 'propertyNames',
        property: 'b',
        message: 'must not have the property "b": its name must match the pattern ^a',
      },
    ],
    [
      '{ "propertyNames": false }',
      '{ "b": 1 }',
      { keyword: 'propertyNames', message: 'must not have the property "b": no name is allowed' },
    ],
    [
      '{ "type": "object", "properties": { "a": {} }, "unevaluatedProperties": false }',
      '{ "a": 1, "b": 1 }',
      { keyword: 'unevaluatedProperties', property: 'b', message: 'must not have the property "b"' },
    ],
    ['{ "prefixItems": [{}], "items": false }', '[1, 2]', { keyword: 'items', message: 'must have at most 1 item' }],
    [
      '{ "prefixItems": [{}], "unevaluatedItems": false }',
      '[1, 2]',
      { keyword: 'unevaluatedItems', message: 'must have at most 1 item' },
    ],
    [
      '{ "contains": { "type": "string" } }',
      '[]',
      { keyword: 'contains', message: 'must have at least 1 item that fits "contains"' },
    ],
    [
      '{ "contains": { "type": "string" }, "minContains": 1, "maxContains": 2 }',
      '["a", "b", "c"]',
      { keyword: 'contains', message: 'must have 1 to 2 items that fit "contains"' },
    ],
    [
      '{ "if": { "required": ["a"] }, "then": { "required": ["b"] } }',
      '{ "a": 1 }',
      { keyword: 'required', property: 'b' },
    ],
  ])('%s of %s', (schema, value, violation) => {
    expect(validatorFor(schema, { openapi: '3.1.0' })(value)).toMatchObject([violation]);
  });
});

describe('of a union with a discriminator, only the branch that the value names speaks', () => {
  const others = {
    Cat: '{ "type": "object", "required": ["kind", "lives"], "properties": { "kind": { "type": "string" } } }',
    Dog: '{ "type": "object", "required": ["kind", "tricks"], "properties": { "kind": { "type": "string" } } }',
  };
  const union = (keyword: string, hint: string): string =>
    `{ "${keyword}": [{ "$ref": "#/components/schemas/Cat" }, { "$ref": "#/components/schemas/Dog" }], "discriminator": { "propertyName": "kind"${hint} } }`;
  const told = (keyword: string, hint: string, value: string, openapi: string): string[] =>
    validatorFor(union(keyword, hint), { others, openapi })(value).map(({ message }) => message);

  describe.each(['3.0.3', '3.1.0', '3.2.0'])('OpenAPI %s', (openapi) => {
    test.each<[string, string, string, string]>([
      ['the name of the schema', '', '{ "kind": "Dog" }', 'tricks'],
      ['a mapping to a name', ', "mapping": { "meow": "Cat" }', '{ "kind": "meow" }', 'lives'],
      [
        'a mapping to a reference',
        ', "mapping": { "bark": "#/components/schemas/Dog" }',
        '{ "kind": "bark" }',
        'tricks',
      ],
    ])('%s', (_, hint, value, missing) => {
      for (const keyword of ['oneOf', 'anyOf']) {
        const [first, second, ...rest] = told(keyword, hint, value, openapi);
        expect(first).toBe(`must have the property "${missing}"`);
        expect(second).toMatch(`of "${keyword}"`);
        expect(rest).toStrictEqual([]);
      }
    });

    test('a value that names no branch is told which there are', () => {
      expect(told('oneOf', '', '{ "kind": "Cow" }', openapi)).toStrictEqual([
        'must say in "kind" what it is: one of "Cat", "Dog"',
        'must match exactly one schema of "oneOf"',
      ]);
    });

    test.each([
      ['{ "kind": "Dog", "lives": 9 }', []],
      ['{ "kind": "Cow", "tricks": 1 }', []],
    ])('the outcome stays the same: %s', (value, messages) => {
      expect(told('oneOf', '', value, openapi)).toStrictEqual(messages);
    });
  });

  it('a value without a name is meant for the default of OpenAPI 3.2', () => {
    expect(told('anyOf', ', "defaultMapping": "Dog"', '{ "kind": "Cow" }', '3.2.0')[0]).toBe(
      'must have the property "tricks"',
    );
  });
});

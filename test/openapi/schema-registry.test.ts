import { SpecError } from '../../src/core/errors/standin-error';
import { readSource } from '../../src/openapi/read/read-source';
import { SchemaRegistry } from '../../src/openapi/schemas/schema-registry';
import { countCallsSync } from '../support/count-calls';
import { description, loadText, thrownBy } from './load-text';

/** A registry over schemas that no lint has seen. */
function registry(schemas: string): SchemaRegistry {
  return new SchemaRegistry(readSource(`components:\n  schemas:\n${schemas}`, 'openapi.yaml'));
}

describe('a schema that cannot judge', () => {
  test.each([
    ['a pattern that is no regular expression', "    Book: { type: string, pattern: '(' }"],
    ['a bad pattern further down', "    Book: { type: object, properties: { isbn: { type: string, pattern: '[' } } }"],
    [
      'a bad pattern behind a reference',
      "    Book: { type: array, items: { $ref: '#/components/schemas/Isbn' } }\n    Isbn: { pattern: '*' }",
    ],
    ['a type that there is not', '    Book: { type: book }'],
    ['a reference to nothing', "    Book: { type: array, items: { $ref: '#/components/schemas/Boook' } }"],
    ['a reference to a file', "    Book: { type: array, items: { $ref: 'isbn.yaml' } }"],
    ['no schema at all', '    Other: { type: string }'],
  ])('%s is an error, never valid', (_, schemas) => {
    const error = thrownBy(() => registry(schemas).validator('/components/schemas/Book', 'request'));
    expect(error).toBeInstanceOf(SpecError);
    expect(error.code).toBe('SPEC_SCHEMA_DOES_NOT_COMPILE');
    expect(error.message).toContain('/components/schemas/Book');
    expect(error.findings).toMatchObject([{ rule: 'schema-compiles', file: 'openapi.yaml' }]);
  });

  it('stays an error when it is asked again', () => {
    const broken = registry("    Book: { pattern: '(' }");
    const ask = (): unknown => broken.validator('/components/schemas/Book', 'request');
    expect(ask).toThrow(SpecError);
    expect(ask).toThrow(SpecError);
  });
});

describe('a description is not loaded', () => {
  test.each([
    ['a length that is a text', '{ type: string, maxLength: long }'],
    ['a length below zero', '{ type: string, maxLength: -1 }'],
    ['a length with a fraction', '{ type: string, maxLength: 1.5 }'],
    ['a minimum that is a text', '{ type: integer, minimum: one }'],
    ['a multiple of zero', '{ type: integer, multipleOf: 0 }'],
    ['an enum that is no list', '{ type: string, enum: novel }'],
    ['an enum with nothing in it', '{ type: string, enum: [] }'],
    ['a required that is no list', '{ type: object, required: true }'],
    ['properties that are no object', '{ type: object, properties: [title] }'],
    ['a property that is no schema', '{ type: object, properties: { title: string } }'],
    ['items that are no schema', '{ type: array, items: string }'],
    ['an allOf that is no list', '{ allOf: { type: string } }'],
    ['an allOf with no schema in it', '{ allOf: [string] }'],
    ['a not that is no schema', '{ not: string }'],
    ['a nullable that is a text', "{ type: string, nullable: 'true' }"],
    ['a pattern that is no text', '{ type: string, pattern: 7 }'],
  ])('with %s in a schema', (_, schema) => {
    const error = thrownBy(() => loadText(description({ schemas: `{ Book: ${schema} }` })));
    expect(error.code).toBe('SPEC_INVALID');
    expect(error.findings.map(({ pointer }) => pointer)).toContainEqual(
      expect.stringMatching(/^\/components\/schemas\/Book/),
    );
  });
});

describe('a schema that would judge a value without end', () => {
  const reference = "{ $ref: '#/components/schemas/Book' }";
  test.each([
    ['allOf', `    Book: { allOf: [${reference}] }`],
    ['anyOf', `    Book: { anyOf: [{ type: string }, ${reference}] }`],
    ['oneOf', `    Book: { oneOf: [{ type: string }, ${reference}] }`],
    ['not', `    Book: { not: ${reference} }`],
    ['two schemas', `    Book: { allOf: [{ $ref: '#/components/schemas/Work' }] }\n    Work: { not: ${reference} }`],
    ['references alone', `    Book: { $ref: '#/components/schemas/Work' }\n    Work: ${reference}`],
    [
      'members that allOf shares',
      `    Book: { required: [id], properties: { id: { readOnly: true } }, allOf: [${reference}] }`,
    ],
  ])('through %s is an error', (_, schemas) => {
    const error = thrownBy(() => registry(schemas).validator('/components/schemas/Book', 'request'));
    expect(error.code).toBe('SPEC_SCHEMA_DOES_NOT_COMPILE');
    expect(error.findings).toMatchObject([{ pointer: '/components/schemas/Book' }]);
  });

  it('is none when the circle goes down into the value', () => {
    const schemas = registry(
      `    Book: { allOf: [{ properties: { next: ${reference} } }], additionalProperties: ${reference}, items: ${reference} }`,
    );
    expect(schemas.validator('/components/schemas/Book', 'request')({ next: [{ next: {} }] })).toStrictEqual([]);
  });
});

test('the schema that is at fault is named, whoever refers to it and however often it is asked for', () => {
  const schemas = registry(
    ['A', 'B'].map((name) => `    ${name}: { type: array, items: { $ref: '#/components/schemas/Bad' } }\n`).join('') +
      "    Bad: { pattern: '(' }",
  );
  for (const name of ['A', 'A', 'B', 'Bad']) {
    const error = thrownBy(() => schemas.validator(`/components/schemas/${name}`, 'request'));
    expect(error.message).toContain(`/components/schemas/${name} `);
    expect(error.findings).toMatchObject([{ pointer: '/components/schemas/Bad' }]);
  }
});

test('schemas of one document do not get in the way of each other', () => {
  const schemas = registry(
    "    Bad: { pattern: '(' }\n    A: { type: string }\n    B: { type: array, items: { $ref: '#/components/schemas/A' } }",
  );
  expect(() => schemas.validator('/components/schemas/Bad', 'request')).toThrow(SpecError);
  expect(schemas.validator('/components/schemas/B', 'request')([7])).toMatchObject([{ pointer: '/0' }]);
  expect(schemas.validator('/components/schemas/A', 'request')('a')).toStrictEqual([]);
});

test('a validator is made once', () => {
  const schemas = registry('    A: { type: string }');
  const first = schemas.validator('/components/schemas/A', 'request');
  expect(schemas.validator('/components/schemas/A', 'request')).toBe(first);
});

describe('one validator serves both directions', () => {
  const both = (schemas: string): boolean => {
    const known = registry(schemas);
    const pointer = '/components/schemas/A';
    return known.validator(pointer, 'request') === known.validator(pointer, 'response');
  };
  test.each([
    ['a schema without members that travel one way', '    A: { properties: { id: { type: integer } } }', true],
    ['one with such a member', '    A: { properties: { id: { type: integer, readOnly: true } } }', false],
    [
      'one that refers to one with such a member',
      "    A: { items: { $ref: '#/components/schemas/B' } }\n    B: { properties: { s: { writeOnly: true } } }",
      false,
    ],
    [
      'one of a circle',
      "    A: { properties: { next: { $ref: '#/components/schemas/B' } } }\n    B: { items: { $ref: '#/components/schemas/A' } }",
      true,
    ],
  ])('%s: %s', (_, schemas, isShared) => {
    expect(both(schemas)).toBe(isShared);
  });
});

describe('whether schemas compile', () => {
  const properties = Array.from(
    { length: 20 },
    (_, index) => `    A${index}: { type: string, maxLength: ${7000 + index} }`,
  );
  const places = Array.from({ length: 20 }, (_, index) => `/components/schemas/A${index}`);
  const ask = (schemas: string): void => {
    const asked = registry(schemas);
    for (const place of places) asked.requireCompiles(place, 'response');
  };

  it('is tried once for the same schemas of several descriptions', () => {
    ask(properties.join('\n').replaceAll('maxLength', 'minLength'));
    const first = countCallsSync(() => {
      ask(properties.join('\n'));
    });
    const again = countCallsSync(() => {
      ask(properties.join('\n'));
    });
    expect(again).toBeLessThan(first / 2);
  });

  it('is told of each description that has a schema which does not', () => {
    const broken = [...properties.slice(1), "    A0: { type: string, pattern: '(' }"].join('\n');
    expect(() => {
      ask(broken);
    }).toThrow(SpecError);
    expect(() => {
      ask(broken);
    }).toThrow(SpecError);
  });
});

test.each(['isbn', 'constructor'])('a format that nobody knows refuses nothing: %s', (format) => {
  const validate = registry(`    A: { type: string, format: ${format} }`).validator('/components/schemas/A', 'request');
  expect([validate('anything'), validate(5)]).toMatchObject([[], [{ keyword: 'type' }]]);
});

import { ref } from '../../support/small-api';
/** A schema that generators stumble over. */
export interface AwkwardCase {
  readonly name: string;
  readonly schema: unknown;
  readonly schemas?: Readonly<Record<string, unknown>>;
  /** Where no value exists or none can be found: what the reason says. */
  readonly refused?: RegExp;
  readonly direction?: 'request' | 'response';
  /** What else must be true of the value. */
  readonly holds?: (value: never) => boolean;
}

const text = { type: 'string' };
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

/** In words that OpenAPI 3.0 and 3.1 share. */
export const COMMON: readonly AwkwardCase[] = [
  { name: 'nothing said', schema: {} },
  { name: 'a length', schema: { type: 'string', minLength: 30, maxLength: 31 } },
  { name: 'the empty text', schema: { type: 'string', maxLength: 0 } },
  { name: 'a tight length', schema: { type: 'string', minLength: 2, maxLength: 2 } },
  { name: 'a pattern', schema: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' } },
  { name: 'a pattern that hangs others', schema: { type: 'string', pattern: '^[ABC]$' } },
  { name: 'a pattern that backtracks', schema: { type: 'string', pattern: '^(x+x+)+z$', maxLength: 12 } },
  { name: 'a pattern and a length', schema: { type: 'string', pattern: '^[a-z]+$', minLength: 40, maxLength: 44 } },
  { name: 'a short pattern', schema: { type: 'string', pattern: '^a*b?c*$', maxLength: 1 } },
  { name: 'a look-ahead', schema: { type: 'string', pattern: '^(?=.*[A-Z])(?=.*\\d).{8,20}$' } },
  { name: 'a look-ahead that forbids', schema: { type: 'string', pattern: '^(?!foo)[a-z]{3}$' } },
  { name: 'a back-reference', schema: { type: 'string', pattern: '^(a|b)-\\1$' } },
  { name: 'a named group', schema: { type: 'string', pattern: '^(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])$' } },
  { name: 'letters of Unicode', schema: { type: 'string', pattern: '^\\p{Lu}\\p{Ll}{2,5}$' } },
  { name: 'letters beyond ASCII', schema: { type: 'string', pattern: '^[\\u0400-\\u04ff]{3}$' } },
  { name: 'a negated class', schema: { type: 'string', pattern: '^[^/\\s]+/[^/\\s]+$' } },
  { name: 'a pattern without anchors', schema: { type: 'string', pattern: '[0-9]{2}:[0-9]{2}' } },
  { name: 'a pattern beside a format', schema: { type: 'string', format: 'email', pattern: '@example\\.com$' } },
  {
    name: 'two patterns',
    schema: { allOf: [{ type: 'string', pattern: '^[a-z]+$' }, { pattern: '^.{3}$' }] },
  },
  ...[
    'date-time',
    'date',
    'time',
    'duration',
    'uuid',
    'email',
    'uri',
    'uri-reference',
    'hostname',
    'ipv4',
    'ipv6',
    'byte',
    'json-pointer',
    'regex',
    'password',
    'unheard-of',
  ].map((format) => ({ name: `the format ${format}`, schema: { type: 'string', format } })),
  { name: 'a prefix and a length', schema: { type: 'string', pattern: '^cus_', minLength: 10, maxLength: 12 } },
  { name: 'a condition and a length', schema: { type: 'string', pattern: '(?=.*[A-Z])', minLength: 8, maxLength: 12 } },
  { name: 'an ending and a length', schema: { type: 'string', pattern: '_end$', minLength: 30 } },
  {
    name: 'a format in capital letters',
    schema: { type: 'string', format: 'uuid', pattern: '^[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$' },
  },
  {
    name: 'a time with a fraction',
    schema: { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' },
  },
  { name: 'a long address', schema: { type: 'string', format: 'email', minLength: 40 } },
  { name: 'a short address', schema: { type: 'string', format: 'email', maxLength: 8 } },
  { name: 'a long URL', schema: { type: 'string', format: 'uri', minLength: 100 } },
  { name: 'the lowest of 32 bits', schema: { type: 'integer', format: 'int32', maximum: -2147483647 } },
  { name: 'all doubles', schema: { type: 'number', minimum: -1.7e308, maximum: 1.7e308 } },
  { name: 'a format of limited length', schema: { type: 'string', format: 'email', maxLength: 24 } },
  { name: 'an integer between', schema: { type: 'integer', minimum: 7, maximum: 7 } },
  { name: 'a multiple', schema: { type: 'integer', multipleOf: 7, minimum: 50, maximum: 60 } },
  { name: 'a multiple of a fraction', schema: { type: 'integer', multipleOf: 2.5, minimum: 1 } },
  { name: 'cents', schema: { type: 'number', multipleOf: 0.01, minimum: 0.1, maximum: 0.3 } },
  { name: 'two multiples', schema: { allOf: [{ type: 'integer', multipleOf: 6 }, { multipleOf: 4 }] } },
  { name: 'a narrow fraction', schema: { type: 'number', minimum: 0.001, maximum: 0.002 } },
  { name: 'a negative number', schema: { type: 'number', maximum: -5 } },
  { name: 'int32', schema: { type: 'integer', format: 'int32', minimum: 2147483647 } },
  { name: 'numbers beyond the safe ones', schema: { type: 'integer', minimum: 9007199254740993 } },
  { name: 'a list with a size', schema: { type: 'array', items: text, minItems: 4, maxItems: 5 } },
  { name: 'a list that must be empty', schema: { type: 'array', items: text, maxItems: 0 } },
  {
    name: 'a list of different values',
    schema: { type: 'array', items: { type: 'integer' }, minItems: 9, uniqueItems: true },
  },
  {
    name: 'every value of an enum',
    schema: { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true },
  },
  {
    name: 'more different values than there are',
    schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 3, uniqueItems: true },
    refused: /uniqueItems/,
  },
  {
    name: 'a list that is too long to make',
    schema: { type: 'array', items: text, minItems: 100000000 },
    refused: /minItems/,
  },
  { name: 'a text that is too long to make', schema: { type: 'string', minLength: 100000000 }, refused: /minLength/ },
  { name: 'a required member nobody declares', schema: { type: 'object', required: ['left', 'right'] } },
  { name: 'a map', schema: { type: 'object', additionalProperties: { type: 'integer' } } },
  {
    name: 'a map of a size',
    schema: { type: 'object', additionalProperties: text, minProperties: 5, maxProperties: 6 },
  },
  {
    name: 'a map of exactly one size',
    schema: { type: 'object', additionalProperties: text, minProperties: 3, maxProperties: 3 },
  },
  { name: 'few members of many', schema: object({ a: text, b: text, c: text }, { maxProperties: 1 }) },
  {
    name: 'as many members as asked',
    schema: object({ a: text, b: text }, { minProperties: 2, additionalProperties: false }),
  },
  {
    name: 'a required member that is not allowed',
    schema: object({ a: text }, { required: ['b'], additionalProperties: false }),
    refused: /required|comes to an end/,
  },
  {
    name: '__proto__ as a member',
    schema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"}},"required":["__proto__"]}'),
  },
  {
    name: 'parts of one object',
    schema: { allOf: [ref('Base'), object({ extra: { type: 'integer', minimum: 3 } }, { required: ['extra'] })] },
    schemas: { Base: object({ id: { type: 'integer' } }, { required: ['id'] }) },
  },
  {
    name: 'parts that narrow one member',
    schema: {
      allOf: [
        object({ n: { type: 'number', minimum: 5 } }, { required: ['n'] }),
        object({ n: { type: 'integer', maximum: 5 } }),
      ],
    },
  },
  {
    name: 'parts that contradict each other',
    schema: { allOf: [{ type: 'string' }, { type: 'integer' }] },
    refused: /"type"/,
  },
  { name: 'an enum across parts', schema: { allOf: [{ type: 'string', enum: ['a', 'b'] }, { enum: ['b', 'c'] }] } },
  {
    name: 'exactly one of overlapping objects',
    schema: { oneOf: [object({ a: text }), object({ b: text }, { required: ['b'] })] },
  },
  {
    name: 'exactly one of two that differ in what is required',
    schema: {
      type: 'object',
      properties: { a: text, b: text },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
  },
  { name: 'exactly one of number and integer', schema: { oneOf: [{ type: 'number' }, { type: 'integer' }] } },
  {
    name: 'any of several required members',
    schema: object({ a: text, b: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
  },
  {
    name: 'a union within a union',
    schema: { oneOf: [{ anyOf: [{ type: 'integer', minimum: 4 }, { type: 'boolean' }] }, text] },
  },
  {
    name: 'a union whose first branch is impossible',
    schema: { type: 'integer', anyOf: [{ type: 'string' }, { minimum: 12 }] },
  },
  {
    name: 'a discriminator with a mapping',
    schema: {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: {
        propertyName: 'kind',
        mapping: { d: '#/components/schemas/Dog', c: '#/components/schemas/Cat' },
      },
    },
    schemas: {
      Cat: object({ kind: text, lives: { type: 'integer' } }, { required: ['kind', 'lives'] }),
      Dog: object({ kind: text, barks: { type: 'boolean' } }, { required: ['kind', 'barks'] }),
    },
    holds: ({ kind, lives }: { kind: string; lives?: number }) => kind === 'c' && lives !== undefined,
  },
  {
    name: 'a discriminator by name',
    schema: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
    schemas: {
      Cat: object({ kind: text }, { required: ['kind', 'lives'] }),
      Dog: object({ kind: { type: 'string', enum: ['Dog'] } }, { required: ['kind'] }),
    },
    holds: ({ kind }: { kind: string }) => kind === 'Cat' || kind === 'Dog',
  },
  {
    name: 'a discriminator of a base',
    schema: ref('Cat'),
    schemas: {
      Animal: object({ kind: text }, { required: ['kind'], discriminator: { propertyName: 'kind' } }),
      Cat: { allOf: [ref('Animal'), object({ lives: { type: 'integer' } })] },
    },
    holds: ({ kind }: { kind: string }) => kind === 'Cat',
  },
  {
    name: 'a base with its children in a mapping',
    schema: ref('Animal'),
    schemas: {
      Animal: object(
        { kind: text },
        { required: ['kind'], discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } } },
      ),
      Cat: { allOf: [ref('Animal'), object({ lives: { type: 'integer' } }, { required: ['lives'] })] },
    },
    holds: ({ kind, lives }: { kind: string; lives?: number }) => kind === 'cat' && lives !== undefined,
  },
  {
    name: 'a tree',
    schema: ref('Node'),
    schemas: {
      Node: object({ name: text, children: { type: 'array', items: ref('Node') } }, { required: ['name', 'children'] }),
    },
  },
  {
    name: 'a chain that may end',
    schema: ref('Link'),
    schemas: { Link: object({ name: text, next: ref('Link') }, { required: ['name'] }) },
  },
  {
    name: 'a circle through two schemas',
    schema: ref('A'),
    schemas: {
      A: object({ b: ref('B') }, { required: ['b'] }),
      B: object({ a: { type: 'array', items: ref('A') } }, { required: ['a'] }),
    },
  },
  {
    name: 'a circle that cannot be left',
    schema: ref('A'),
    schemas: { A: object({ b: ref('B') }, { required: ['b'] }), B: object({ a: ref('A') }, { required: ['a'] }) },
    refused: /\/components\/schemas\/A.*leads back to itself/,
  },
  {
    name: 'a circle with a way out in a union',
    schema: ref('Expression'),
    schemas: {
      Expression: {
        oneOf: [
          object({ left: ref('Expression'), right: ref('Expression') }, { required: ['left', 'right'] }),
          { type: 'integer' },
        ],
      },
    },
  },
  { name: 'a forbidden member', schema: object({ a: text, b: text }, { not: { required: ['b'] } }) },
  { name: 'a forbidden value', schema: { type: 'string', enum: ['a', 'b'], not: { enum: ['a'] } } },
  { name: 'an example', schema: { type: 'string', example: 'Assam' }, holds: (value: string) => value === 'Assam' },
  { name: 'an example that is wrong', schema: { type: 'integer', example: 'Assam' } },
  {
    name: 'an example of an object that is wrong',
    schema: object({ a: { type: 'integer' } }, { required: ['a'], example: { a: 'x' } }),
  },
  { name: 'a default', schema: { type: 'integer', default: 12 }, holds: (value: number) => value === 12 },
  {
    name: 'what is only written, in a response',
    schema: object({ secret: { type: 'string', writeOnly: true }, name: text }, { required: ['secret', 'name'] }),
    holds: (value: object) => !('secret' in value) && 'name' in value,
  },
  {
    name: 'what is only read, in a request',
    schema: object({ id: { type: 'integer', readOnly: true }, name: text }, { required: ['id', 'name'] }),
    direction: 'request',
    holds: (value: object) => !('id' in value) && 'name' in value,
  },
  { name: 'a deep nest', schema: nest(30), holds: (value: object) => JSON.stringify(value).length > 100 },
];

function nest(depth: number): object {
  return depth === 0 ? { type: 'integer' } : object({ a: nest(depth - 1) }, { required: ['a'] });
}

/** In words of OpenAPI 3.0 alone. */
export const ONLY_30: readonly AwkwardCase[] = [
  { name: 'a pattern with escapes that Unicode refuses', schema: { type: 'string', pattern: '^[\\w\\-\\@]{4}$' } },
  {
    name: 'null as a way out',
    schema: ref('A'),
    schemas: { A: object({ a: ref('A') }, { required: ['a'], nullable: true }) },
  },
  {
    name: 'exclusive bounds',
    schema: { type: 'integer', minimum: 3, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
  },
  {
    name: 'null in an enum',
    schema: { type: 'string', nullable: true, enum: [null, 'a'] },
    holds: (value: string) => value === 'a',
  },
];

/** In words of OpenAPI 3.1 alone. */
export const ONLY_31: readonly AwkwardCase[] = [
  { name: 'nothing but null', schema: { const: null } },
  { name: 'null beside a list', schema: { type: ['string', 'null'], enum: [null] } },
  { name: 'a list of types', schema: { type: ['string', 'null'], minLength: 3 } },
  {
    name: 'null as a way out',
    schema: ref('A'),
    schemas: { A: object({ a: { anyOf: [ref('A'), { type: 'null' }] } }, { required: ['a'] }) },
  },
  { name: 'a constant', schema: { const: { a: [1] } } },
  { name: 'exclusive bounds', schema: { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 1.01 } },
  { name: 'a tuple', schema: { type: 'array', prefixItems: [text, { type: 'integer' }], items: false, minItems: 2 } },
  { name: 'a tuple and more', schema: { type: 'array', prefixItems: [text], items: { type: 'integer' }, minItems: 4 } },
  {
    name: 'a list that holds something',
    schema: { type: 'array', items: { type: 'integer' }, contains: { minimum: 500 } },
  },
  {
    name: 'a list that holds several',
    schema: { type: 'array', contains: { const: 5 }, minContains: 2, maxContains: 2 },
  },
  { name: 'members by a pattern', schema: { type: 'object', patternProperties: { '^x-': { type: 'integer' } } } },
  {
    name: 'members by a pattern and no others',
    schema: {
      type: 'object',
      patternProperties: { '^x-[a-z]+$': text },
      additionalProperties: false,
      minProperties: 2,
    },
  },
  { name: 'names with a rule', schema: { type: 'object', propertyNames: { pattern: '^[A-Z]{2}$' }, minProperties: 3 } },
  {
    name: 'names from a list',
    schema: { type: 'object', propertyNames: { enum: ['de', 'en'] }, minProperties: 2, additionalProperties: text },
  },
  {
    name: 'members that come together',
    schema: object({ card: text, address: text }, { dependentRequired: { card: ['address'] } }),
  },
  {
    name: 'a schema that comes with a member',
    schema: object(
      { card: text },
      {
        required: ['card'],
        dependentSchemas: { card: { required: ['owner'], properties: { owner: { type: 'integer' } } } },
      },
    ),
  },
  {
    name: 'a condition',
    schema: object(
      { country: { enum: ['NO', 'JP'] }, zip: text },
      {
        required: ['country'],
        if: { properties: { country: { const: 'NO' } } },
        then: { properties: { zip: { pattern: '^\\d{4}$' } } },
        else: { required: ['zip'] },
      },
    ),
  },
  {
    name: 'a condition whose first way is shut',
    schema: { type: 'integer', if: { minimum: 10 }, then: { multipleOf: 0.5, maximum: 5 }, else: { maximum: 9 } },
  },
  {
    name: 'nothing beside what the parts declare',
    schema: { allOf: [ref('Base')], properties: { extra: text }, unevaluatedProperties: false },
    schemas: { Base: object({ id: { type: 'integer' } }, { required: ['id'] }) },
  },
  {
    name: 'keywords beside a reference',
    schema: { ...ref('Short'), minLength: 8 },
    schemas: { Short: { type: 'string', maxLength: 9 } },
  },
  {
    name: 'an impossible schema',
    schema: object({ a: false }, { required: ['a'] }),
    refused: /required|comes to an end/,
  },
  {
    name: 'a member that must not be',
    schema: object({ a: false, b: true }),
    holds: (value: object) => !('a' in value),
  },
  {
    name: 'several examples',
    schema: { type: 'string', examples: ['Assam', 'Ceylon'] },
    holds: (value: string) => value === 'Assam',
  },
];

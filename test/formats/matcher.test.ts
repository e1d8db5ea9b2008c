import { formatSourceLocation } from '../../src/core/errors/standin-error';
import { fillMatcher, type Matcher, MATCHER_NAMES, placeholdersOfMatcher } from '../../src/formats/contract/matcher';
import { fillPlaceholders } from '../../src/formats/contract/placeholders';
import type { JsonValue } from '../../src/core/json/json-value';
import { checkedFormats, formatTest } from '../../src/schema/formats';
import { readSource } from '../../src/openapi/read/read-source';
import { readExpectedIn, type ReadMatcher } from '../checks/read-expected';

/** Reads one line of a contract, `a: …`, as the body; with `isHeader` as a header. */
function read(line: string, isHeader = false): ReadMatcher {
  return readExpectedIn(readSource(line, 'c.yaml'), isHeader);
}

test.each<[string, Matcher]>([
  ['a: 9007199254740993', { kind: 'value', value: 9007199254740993n, pointer: '/a' }],
  [
    'a: { b: [null] }',
    {
      kind: 'object',
      members: [{ name: 'b', matcher: { kind: 'list', items: [{ kind: 'value', value: null, pointer: '/a/b/0' }] } }],
    },
  ],
  ['a: { $equals: { $type: x } }', { kind: 'equals', value: { $type: 'x' }, pointer: '/a/$equals' }],
  ["a: { $type: [string, 'null'] }", { kind: 'type', types: ['string', 'null'] }],
  ['a: { $pattern: "^\\\\d+$" }', { kind: 'pattern', source: '^\\d+$', pointer: '/a/$pattern' }],
  ['a: { $format: uuid }', { kind: 'format', name: 'uuid' }],
  [
    'a: { $min: 0, $below: 1 }',
    {
      kind: 'all',
      matchers: [
        { kind: 'bound', bound: '$min', limit: 0, isOfText: false, pointer: '/a/$min' },
        { kind: 'bound', bound: '$below', limit: 1, isOfText: false, pointer: '/a/$below' },
      ],
    },
  ],
  ['a: { $enum: [0, false] }', { kind: 'enum', values: [0, false], pointer: '/a/$enum' }],
  ['a: { $length: 0 }', { kind: 'length', matcher: { kind: 'value', value: 0, pointer: '/a/$length' } }],
  ['a: { $present: true }', { kind: 'present' }],
  ['a: { $absent: true }', { kind: 'absent' }],
  ['a: { $nullable: { $type: string } }', { kind: 'nullable', matcher: { kind: 'type', types: ['string'] } }],
  ['a: { $contains: b }', { kind: 'contains', matcher: { kind: 'value', value: 'b', pointer: '/a/$contains' } }],
  [
    'a: { $contains: b, $unlessItems: 20 }',
    { kind: 'contains', matcher: { kind: 'value', value: 'b', pointer: '/a/$contains' }, unlessItems: 20 },
  ],
  ['a: { $each: {} }', { kind: 'each', matcher: { kind: 'object', members: [] }, minItems: 1 }],
  ['a: { $each: {}, $minItems: 0 }', { kind: 'each', matcher: { kind: 'object', members: [] }, minItems: 0 }],
  [
    'a: { $unordered: { by: id, items: [{ id: 0 }] } }',
    {
      kind: 'unordered',
      by: 'id',
      items: [
        {
          key: 0,
          pointer: '/a/$unordered/items/0/id',
          matcher: {
            kind: 'object',
            members: [{ name: 'id', matcher: { kind: 'value', value: 0, pointer: '/a/$unordered/items/0/id' } }],
          },
        },
      ],
    },
  ],
  ['a: { $not: 0 }', { kind: 'not', matcher: { kind: 'value', value: 0, pointer: '/a/$not' } }],
])('%s is read', (line, want) => {
  expect(read(line)).toEqual({ matcher: want, findings: [] });
});

/** What is refused, with what is said, the place, and the hint. */
test.each<{ line: string; says: string; at: string; hint?: string; isText?: boolean }>([
  { line: 'a: { $typ: string }', says: 'Unknown key "$typ"', at: '1:6', hint: 'Did you mean "$type"?' },
  {
    line: 'a: { $type: strin }',
    says: '"$type" must be one of string, number, integer, boolean, object, array, null, got the string "strin"',
    at: '1:6',
    hint: 'Did you mean "string"?',
  },
  {
    line: 'a: { $type: [string, null] }',
    says: 'An item of "$type" must be one of string, number, integer, boolean, object, array, null, got null',
    at: '1:22',
    hint: 'needs quotes',
  },
  {
    line: 'a: { $type: [] }',
    says: '"$type" must be one or more of string, number, integer, boolean, object, array, null, got an empty array',
    at: '1:6',
  },
  { line: 'a: { $pattern: "(" }', says: 'The regular expression does not compile', at: '1:6' },
  { line: 'a: { $pattern: "\\\\-" }', says: 'The regular expression does not compile', at: '1:6' },
  {
    line: 'a: { $pattern: "[a${b}]" }',
    says: 'The regular expression does not compile',
    at: '1:6',
    hint: 'A placeholder cannot be in a character class.',
  },
  { line: 'a: { $pattern: 1 }', says: '"$pattern" must be a regular expression of ECMAScript, got 1', at: '1:6' },
  { line: 'a: { $format: uiud }', says: 'got the string "uiud"', at: '1:6', hint: 'Did you mean "uuid"?' },
  { line: 'a: { $format: password }', says: 'got the string "password"', at: '1:6' },
  { line: 'a: { $min: "1" }', says: '"$min" must be a number, or one placeholder, got the string "1"', at: '1:6' },
  { line: 'a: { $enum: [] }', says: '"$enum" must be an array with at least one value, got an empty array', at: '1:6' },
  {
    line: 'a: { $length: -1 }',
    says: '"$length" must be a whole number, or a matcher such as { $min: 1 }, got -1',
    at: '1:6',
  },
  {
    line: 'a: { $length: { b: 1 } }',
    says: '"$length" must be a whole number, or a matcher such as { $min: 1 }, got an object',
    at: '1:6',
  },
  {
    line: 'a: { $present: false }',
    says: '"$present" must be true, got false',
    at: '1:6',
    hint: 'write $absent: true.',
  },
  {
    line: 'a: { $absent: false }',
    says: '"$absent" must be true, got false',
    at: '1:6',
    hint: 'write $present: true.',
  },
  { line: 'a: { $absent: true, $type: string }', says: '$absent stands alone', at: '1:6' },
  { line: 'a: { $type: string, $optional: b }', says: '$optional stands alone', at: '1:21' },
  { line: 'a: { $length: 1, $nullable: b }', says: '$nullable stands alone', at: '1:18' },
  { line: 'a: [{ $absent: true }]', says: '$absent says nothing here', at: '1:7' },
  { line: 'a: { $each: { $optional: 1 } }', says: '$optional says nothing here', at: '1:15' },
  { line: 'a: { $not: { $present: true } }', says: '$present says nothing here', at: '1:14' },
  { line: 'a: { $contains: "" }', says: 'Every text contains the empty one', at: '1:6' },
  { line: 'a: { $minItems: 0 }', says: '$minItems belongs to $each', at: '1:6' },
  { line: 'a: { $each: 1, $minItems: 0.5 }', says: '"$minItems" must be a whole number from 0, got 0.5', at: '1:16' },
  { line: 'a: { $unlessItems: 20 }', says: '$unlessItems belongs to $contains', at: '1:6' },
  { line: 'a: { $each: 1, $unlessItems: 20 }', says: '$unlessItems belongs to $contains', at: '1:16' },
  {
    line: 'a: { $contains: 1, $unlessItems: 0.5 }',
    says: '"$unlessItems" must be a whole number from 1, got 0.5',
    at: '1:20',
  },
  {
    line: 'a: { $contains: 1, $unlessItems: 0 }',
    says: '"$unlessItems" must be a whole number from 1, got 0',
    at: '1:20',
  },
  {
    line: 'a: { $unordered: [] }',
    says: '"$unordered" must be an object such as { by: id, items: [ … ] }, got an array',
    at: '1:6',
  },
  { line: 'a: { $unordered: { key: id, items: [] } }', says: 'Unknown key "key"', at: '1:20' },
  { line: 'a: { $unordered: { by: id, items: [{ b: 1 }] } }', says: 'no plain value "id"', at: '1:36' },
  { line: 'a: { $unordered: { by: id, items: [{ id: {} }] } }', says: 'no plain value "id"', at: '1:36' },
  {
    line: 'a: { $unordered: { by: id, items: [{ id: 1 }, { id: 1.0 }] } }',
    says: 'Another item has the same "id"',
    at: '1:47',
  },
  {
    line: 'a: { $type: string, b: 1 }',
    says: '"b" stands beside a matcher',
    at: '1:21',
    hint: 'put the object into $equals',
  },
  { line: 'a: { $typo: string, b: 1 }', says: '"b" stands beside a matcher', at: '1:21' },
  { line: 'a: { $typo: string, b: 1 }', says: 'Unknown key "$typo"', at: '1:6', hint: '$type' },
  { line: 'a: { $type: string }', says: 'There is no matcher "$type" for a header', at: '1:6', isText: true },
  {
    line: 'a: null',
    says: '"a" must be a string, or a matcher for text: the value of a header is text, got null',
    at: '1:1',
    isText: true,
  },
  { line: 'a: [b]', says: 'the value of a header is text, got an array', at: '1:1', isText: true },
  {
    line: 'a: { $enum: [b, true] }',
    says: 'An item of "$enum" must be a string: the value of a header is text, got true',
    at: '1:17',
    isText: true,
  },
])('$line is refused: $says', ({ line, says, at, hint, isText }) => {
  const { findings } = read(line, isText);
  const finding = findings.find(({ message }) => message.includes(says));
  expect(finding === undefined ? findings : formatSourceLocation(finding)).toBe(`c.yaml:${at}`);
  if (hint !== undefined) expect(finding?.hint).toContain(hint);
});

test('of a header every plain value is text', () => {
  expect(read('a: { $enum: [1, b], $length: 1, $min: 2 }', true)).toEqual({
    matcher: {
      kind: 'all',
      matchers: [
        { kind: 'enum', values: ['1', 'b'], pointer: '/a/$enum' },
        { kind: 'length', matcher: { kind: 'value', value: 1, pointer: '/a/$length' } },
        { kind: 'bound', bound: '$min', limit: 2, isOfText: true, pointer: '/a/$min' },
      ],
    },
    findings: [],
  });
});

const EVERYWHERE = [
  'a:',
  '  b: "${x}"',
  '  c: { $equals: { d: ["${x}"] } }',
  '  e: { $pattern: "^${x}$" }',
  '  f: { $min: "${x}", $length: "${x}" }',
  '  g: { $enum: ["${x}"] }',
  '  h: { $optional: { $nullable: { $contains: "${x}" } } }',
  '  i: { $each: [{ $not: "${x}" }] }',
  '  j: { $unordered: { by: k, items: [{ k: "${x}" }] } }',
].join('\n');

test('placeholders are found in every matcher, each with its place', () => {
  const { matcher, findings } = read(EVERYWHERE);
  expect(findings).toEqual([]);
  expect(placeholdersOfMatcher(matcher!).map(({ pointer }) => pointer)).toEqual([
    '/a/b',
    '/a/c/$equals/d/0',
    '/a/e/$pattern',
    '/a/f/$min',
    '/a/f/$length',
    '/a/g/$enum/0',
    '/a/h/$optional/$nullable/$contains',
    '/a/i/$each/0/$not',
    '/a/j/$unordered/items/0/k',
  ]);
});

test('placeholders are filled in everywhere', () => {
  const filled = fillMatcher(read(EVERYWHERE).matcher!, (value) =>
    fillPlaceholders(value, new Map([['x', 2n ** 63n - 1n]])),
  );
  expect(placeholdersOfMatcher(filled)).toEqual([]);
  expect(JSON.stringify(filled, (_, value: unknown) => (typeof value === 'bigint' ? 'int64' : value))).not.toContain(
    '${',
  );
});

test('a value that comes in by a placeholder is never read as a matcher, and in a pattern stands for itself', () => {
  const values = new Map<string, JsonValue>([
    ['x', { $type: 'string' }],
    ['y', 'a.b|(c)-d/'],
  ]);
  const fill = (value: JsonValue): JsonValue => fillPlaceholders(value, values);
  expect(fillMatcher(read('a: "${x}"').matcher!, fill)).toEqual({
    kind: 'object',
    members: [{ name: '$type', matcher: { kind: 'value', value: 'string', pointer: '/a/$type' } }],
  });
  const pattern = fillMatcher(read('a: { $pattern: "^${y}+$" }').matcher!, fill) as Extract<
    Matcher,
    { kind: 'pattern' }
  >;
  const expression = new RegExp(pattern.source, 'u');
  expect(['a.b|(c)-d/', 'a.b|(c)-d/a.b|(c)-d/', 'axb|(c)-d/', ''].map((text) => expression.test(text))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('every format that can be named can be failed, and each by a value of another type', () => {
  expect(checkedFormats()).toContain('int64');
  for (const name of checkedFormats()) {
    expect([name, formatTest(name)(null), formatTest(name)({})]).toEqual([name, false, false]);
    expect([name, formatTest(name)(' ')]).toEqual([name, false]);
  }
});

test.each<[string, JsonValue, boolean]>([
  ['int64', 9223372036854775807n, true],
  ['int64', 9223372036854775808n, false],
  ['int32', 0, true],
  ['uuid', '6f9619ff-8b86-d011-b42d-00cf4fc964ff', true],
  ['date-time', '2026-02-01T09:00:00', false],
  ['date-time', '2026-02-01T09:00:00Z', true],
  ['email', 'a@example.com', true],
])('%s of %p is %p', (name, value, want) => {
  expect(formatTest(name)(value)).toBe(want);
});

test('the names are in the order of the documents, each once', () => {
  expect(new Set(MATCHER_NAMES).size).toBe(MATCHER_NAMES.length);
});

import { matchValue } from '../../src/checks/matchers/match-value';
import { MATCHER_NAMES } from '../../src/formats/contract/matcher';
import type { JsonValue } from '../../src/core/json/json-value';
import { parseJson } from '../../src/core/json/parse-json';
import { readSource } from '../../src/openapi/read/read-source';
import { readExpected } from './read-expected';

function yaml(text: string): JsonValue {
  return (readSource(`a: ${text}`, 'c.yaml').root as { a: JsonValue }).a;
}

/** What is said of a JSON text, `undefined` for no value at all. */
function say(expected: string, actual: string | undefined, isText = false): string[] {
  const value = actual === undefined ? undefined : isText ? actual : parseJson(actual);
  const { mismatches } = matchValue(readExpected(yaml(expected), isText), value);
  return mismatches.map(({ pointer, rule }) => `${pointer}: ${rule}`);
}

/** Values that a sloppy comparison takes for one another, or for nothing. */
const EVERY_KIND = [
  '0',
  '-1',
  '1',
  '1.5',
  'false',
  'true',
  '""',
  '"a"',
  '"0"',
  '"false"',
  'null',
  '[]',
  '[0]',
  '{}',
  '{"a":0}',
];

interface Case {
  readonly expected: string;
  /** Of {@link EVERY_KIND} and of `also`; no other one matches, and neither does none. */
  readonly matches: readonly string[];
  readonly also?: readonly string[];
  readonly matchesNothing?: true;
}

const CASES: readonly Case[] = [
  { expected: '0', matches: ['0', '0.0', '-0', '0e5'], also: ['0.0', '-0', '0e5'] },
  { expected: 'false', matches: ['false'] },
  { expected: '""', matches: ['""'] },
  { expected: 'null', matches: ['null'] },
  { expected: '{}', matches: ['{}', '{"a":0}'] },
  { expected: '[]', matches: ['[]'] },
  { expected: '{ a: 0 }', matches: ['{"a":0}', '{"a":0,"b":1}'], also: ['{"a":0,"b":1}', '{"b":0}', '{"a":null}'] },
  { expected: '{ $equals: 0 }', matches: ['0'] },
  { expected: '{ $equals: null }', matches: ['null'] },
  { expected: '{ $equals: {} }', matches: ['{}'] },
  { expected: '{ $equals: { a: 0 } }', matches: ['{"a":0}'], also: ['{"a":0,"b":1}', '{"a":false}'] },
  { expected: '{ $equals: { $type: x } }', matches: ['{"$type":"x"}'], also: ['{"$type":"x"}', '"x"'] },
  { expected: '{ $equals: [0] }', matches: ['[0]'], also: ['[0,0]', '[false]'] },
  { expected: '{ $type: string }', matches: ['""', '"a"', '"0"', '"false"'] },
  {
    expected: '{ $type: number }',
    matches: ['0', '-1', '1', '1.5', '9223372036854775808', '1e400'],
    also: ['9223372036854775808', '1e400'],
  },
  { expected: '{ $type: integer }', matches: ['0', '-1', '1', '1.0', '1e400'], also: ['1.0', '1e400', '0.1'] },
  { expected: '{ $type: boolean }', matches: ['false', 'true'] },
  { expected: '{ $type: object }', matches: ['{}', '{"a":0}'] },
  { expected: '{ $type: array }', matches: ['[]', '[0]'] },
  { expected: "{ $type: [array, 'null'] }", matches: ['null', '[]', '[0]'] },
  { expected: '{ $pattern: "^a?$" }', matches: ['""', '"a"'] },
  { expected: '{ $pattern: "^\\\\p{L}$" }', matches: ['"a"', '"ë"'], also: ['"ë"', '"€"'] },
  {
    expected: '{ $format: uuid }',
    matches: ['"6f9619ff-8b86-d011-b42d-00cf4fc964ff"'],
    also: ['"6f9619ff-8b86-d011-b42d-00cf4fc964ff"', '"6f9619ff"'],
  },
  {
    expected: '{ $format: int64 }',
    matches: ['0', '-1', '1', '9223372036854775807'],
    also: ['9223372036854775807', '9223372036854775808'],
  },
  { expected: '{ $min: 0 }', matches: ['0', '1', '1.5'] },
  { expected: '{ $above: 0 }', matches: ['1', '1.5'] },
  { expected: '{ $max: 0 }', matches: ['0', '-1'] },
  { expected: '{ $below: 0 }', matches: ['-1'] },
  { expected: '{ $min: 0, $below: 1 }', matches: ['0', '0.99'], also: ['0.99'] },
  {
    expected: '{ $max: 9007199254740992 }',
    matches: ['0', '-1', '1', '1.5', '9007199254740992'],
    also: ['9007199254740992', '9007199254740993'],
  },
  { expected: '{ $min: 19.99 }', matches: ['19.99', '19.990'], also: ['19.99', '19.990', '19.989999999999999999999'] },
  { expected: '{ $enum: [0, "", false, null] }', matches: ['0', 'false', '""', 'null'] },
  { expected: '{ $enum: [{ a: 0 }] }', matches: ['{"a":0}'], also: ['{"a":0,"b":1}'] },
  { expected: '{ $length: 0 }', matches: ['""', '[]'] },
  { expected: '{ $length: { $min: 1 } }', matches: ['"a"', '"0"', '"false"', '[0]'] },
  { expected: '{ $length: 1 }', matches: ['"a"', '"0"', '[0]', '"😀"'], also: ['"😀"'] },
  { expected: '{ $present: true }', matches: EVERY_KIND },
  { expected: '{ $absent: true }', matches: [], matchesNothing: true },
  { expected: '{ $optional: 0 }', matches: ['0'], matchesNothing: true },
  { expected: '{ $optional: null }', matches: ['null'], matchesNothing: true },
  { expected: '{ $optional: { $nullable: false } }', matches: ['false', 'null'], matchesNothing: true },
  { expected: '{ $nullable: 0 }', matches: ['0', 'null'] },
  { expected: '{ $nullable: { $type: string } }', matches: ['""', '"a"', '"0"', '"false"', 'null'] },
  { expected: '{ $contains: a }', matches: ['"a"', '"false"', '["b","a"]'], also: ['["b","a"]', '["b"]', '[["a"]]'] },
  { expected: '{ $contains: 0 }', matches: ['"0"', '[0]'], also: ['[false]', '[""]', '[null]'] },
  { expected: '{ $contains: { a: 0 } }', matches: ['[1,{"a":0,"b":1}]'], also: ['[1,{"a":0,"b":1}]', '[{"a":false}]'] },
  { expected: '{ $contains: 0, $unlessItems: 2 }', matches: ['[0]', '[1,2]'], also: ['[0]', '[1,2]', '[1]', '"00"'] },
  { expected: '{ $each: 0 }', matches: ['[0]', '[0,0]'], also: ['[0,0]', '[0,false]'] },
  { expected: '{ $each: 0, $minItems: 0 }', matches: ['[]', '[0]'] },
  { expected: '{ $each: 0, $minItems: 2 }', matches: ['[0,0]'], also: ['[0,0]'] },
  {
    expected: '{ $unordered: { by: a, items: [{ a: 0, b: 1 }, { a: "0" }] } }',
    matches: ['[{"a":"0"},{"a":0,"b":1}]', '[{"a":0,"b":1},{"a":"0"}]'],
    also: [
      '[{"a":"0"},{"a":0,"b":1}]',
      '[{"a":0,"b":1},{"a":"0"}]',
      '[{"a":0,"b":1}]',
      '[{"a":0,"b":2},{"a":"0"}]',
      '[{"a":0,"b":1},{"a":"0"},{"a":1}]',
      '[{"a":0,"b":1},{"a":"0"},{"a":"0"}]',
    ],
  },
  { expected: '{ $not: 0 }', matches: EVERY_KIND.filter((text) => text !== '0') },
  { expected: '{ $not: { $type: string } }', matches: EVERY_KIND.filter((text) => !text.startsWith('"')) },
];

test.each(CASES)(
  '$expected matches these values and no others: $matches',
  ({ expected, matches, also, matchesNothing }) => {
    const all = [...EVERY_KIND, ...(also ?? [])];
    expect(all.filter((actual) => say(expected, actual).length === 0)).toEqual(
      all.filter((text) => matches.includes(text)),
    );
    expect(say(expected, undefined).length === 0).toBe(matchesNothing === true);
  },
);

test('every matcher has its case', () => {
  const text = CASES.map(({ expected }) => expected).join('\n');
  expect(MATCHER_NAMES.filter((name) => !text.includes(`${name}:`))).toEqual([]);
});

test.each<[string, string, ...string[]]>([
  ['{ a: { b: [{ $type: string }] } }', '{"a":{"b":[0]}}', '/a/b/0: does not have the expected type'],
  [
    '{ $equals: { a: [1, { b: 2 }] } }',
    '{"a":[1,{"b":3,"c":4}]}',
    '/a/1/b: is not the expected value',
    '/a/1/c: is not expected',
  ],
  ['{ $equals: { a: null } }', '{}', '/a: is missing'],
  ['{ $each: { a: { $min: 1 } } }', '[{"a":0},{"a":1},{}]', '/0/a: is out of range', '/2/a: is missing'],
  ['{ $each: 1 }', '[]', ': has 0 items, not at least 1'],
  ['{ $each: 1 }', '{}', ': is no list'],
  ['{ a: { $absent: true } }', '{"a":null}', '/a: must not be there'],
  ['{ $contains: 5 }', '[1]', ': has no such item'],
  ['{ $pattern: "^b" }', '"a"', ': does not match the pattern'],
  ['{ $pattern: "0" }', '0', ': is no text'],
  ['{ $length: 2 }', '[1]', ': has a length of 1'],
  [
    '{ $unordered: { by: id, items: [{ id: 1, a: 2 }] } }',
    '[{"id":1,"a":3},{"id":2}]',
    '/0/a: is not the expected value',
    '/1: is an item that is not expected',
  ],
  ['{ $unordered: { by: id, items: [{ id: 1 }] } }', '[{"id":1},{"id":1.0}]', ': has several items whose id is 1'],
  ['{ $min: 5, $type: string }', '4', ': is out of range', ': does not have the expected type'],
])('%s says where %s is another one', (expected, actual, ...said) => {
  expect(say(expected, actual)).toEqual(said);
});

test.each<{ expected: string; matches: string[]; not: (string | undefined)[] }>([
  { expected: 'a, b', matches: ['a, b'], not: ['a', '', undefined] },
  { expected: '3', matches: ['3'], not: ['3.0', ''] },
  { expected: '{ $min: 3 }', matches: ['3', '10', '3.5'], not: ['2', 'a', '', ' 3', undefined] },
  { expected: '{ $contains: rel=next }', matches: ['</a>; rel=next'], not: ['rel=prev', undefined] },
  { expected: '{ $contains: 3 }', matches: ['13'], not: ['1'] },
  { expected: '{ $optional: { $pattern: "^W/" } }', matches: ['W/"a"', undefined as never], not: ['"a"'] },
  { expected: '{ $absent: true }', matches: [undefined as never], not: ['', 'a'] },
  { expected: '{ $not: a }', matches: ['b', ''], not: ['a', undefined] },
  { expected: '{ $enum: [1, a] }', matches: ['1', 'a'], not: ['b'] },
])('the header $expected matches $matches and not $not', ({ expected, matches, not }) => {
  for (const text of matches) expect([text, say(expected, text, true)]).toEqual([text, []]);
  for (const text of not) expect([text, say(expected, text, true)]).not.toEqual([text, []]);
});

describe('an assertion that nothing was compared with', () => {
  const missed = (expected: string, actual: string): string[] => {
    const { unevaluated } = matchValue(readExpected(yaml(expected)), parseJson(actual));
    return unevaluated.map(({ pointer, reason }) => `${pointer}: ${reason}`);
  };

  test.each<[string, string, ...string[]]>([
    ['{ $each: { a: 1 }, $minItems: 0 }', '[]', ': the list is empty'],
    ['{ $each: { a: 1 }, $minItems: 0 }', '[{"a":1}]'],
    ['{ a: { $optional: 1 } }', '{}', '/a: it is absent'],
    ['{ a: { $optional: 1 } }', '{"a":1}'],
    ['{ $each: { a: { $optional: 1 } } }', '[{},{}]', '/0/a: it is absent'],
    ['{ $each: { a: { $optional: 1 } } }', '[{},{"a":1},{}]'],
    ['{ $contains: { a: 1, b: { $optional: 2 } } }', '[{"a":2,"b":2},{"a":1}]', '/1/b: it is absent'],
    ['{ $contains: { a: 1, b: { $optional: 2 } } }', '[{"a":2},{"a":1,"b":2}]'],
    ['{ $not: { $each: 1 } }', '[]', ': the list is empty'],
    ['{ $contains: 1, $unlessItems: 2 }', '[2,3]', ': the list has 2 items and not this one, which may be behind them'],
    ['{ $contains: 1, $unlessItems: 2 }', '[2,1]'],
    ['{ $contains: 1, $unlessItems: 2 }', '[2]'],
    ['{ $each: 1 }', '[]'],
    ['{ $nullable: 1 }', 'null'],
    ['{ a: { $absent: true } }', '{}'],
  ])('%s of %s', (expected, actual, ...said) => {
    expect(missed(expected, actual)).toEqual(said);
  });
});

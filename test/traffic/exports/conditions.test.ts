import { execFileSync } from 'node:child_process';
import { query } from 'json-p3';
import { matchValue } from '../../../src/checks/matchers/match-value';
import type { SourceFinding } from '../../../src/core/errors/standin-error';
import type { JsonValue } from '../../../src/core/json/json-value';
import { readContract } from '../../../src/formats/contract/contract-reader';
import type { Matcher } from '../../../src/formats/contract/matcher';
import { readSource } from '../../../src/openapi/read/read-source';
import { type Dialect, toConditions } from '../../../src/traffic/exports/conditions';
import { JAVASCRIPT } from '../../../src/traffic/exports/javascript-dialect';
import { JQ } from '../../../src/traffic/exports/jq-dialect';
import { jsonPathDialect } from '../../../src/traffic/exports/jsonpath-dialect';
import { isFound } from './shell';

function matcherOf(expected: JsonValue): Matcher {
  const findings: SourceFinding[] = [];
  const steps = [{ method: 'GET', path: '/', expect: { status: 200, body: expected } }];
  const text = JSON.stringify({ standin: 'contract/1', name: 'a', steps });
  const contract = readContract(readSource(text, 'a.json'), [], findings);
  expect(findings).toStrictEqual([]);
  return contract!.steps[0]!.expect.body!;
}

/** What is expected of a body, with bodies that are as expected, and others. */
const CASES: readonly { readonly expected: JsonValue; readonly good: JsonValue[]; readonly bad: JsonValue[] }[] = [
  { expected: { a: 1 }, good: [{ a: 1 }, { a: 1, b: 2 }], bad: [{ a: 2 }, { a: '1' }, {}, [1], 'a', null] },
  { expected: { a: 'x' }, good: [{ a: 'x' }], bad: [{ a: 'X' }, { a: null }, {}] },
  { expected: { a: 'it\'s "so" \\ far' }, good: [{ a: 'it\'s "so" \\ far' }], bad: [{ a: "it's so" }] },
  { expected: { a: null }, good: [{ a: null }], bad: [{}, { a: 0 }, { a: false }] },
  { expected: { a: { b: { c: true } } }, good: [{ a: { b: { c: true } } }], bad: [{ a: { b: {} } }, { a: 1 }, {}] },
  { expected: { 'a-b': { 'c d': 1 } }, good: [{ 'a-b': { 'c d': 1 } }], bad: [{ 'a-b': {} }, {}] },
  { expected: [1, { a: 2 }], good: [[1, { a: 2 }]], bad: [[1], [1, { a: 2 }, 3], [{ a: 2 }, 1], {}] },
  { expected: { a: { $type: 'string' } }, good: [{ a: '' }, { a: 'b' }], bad: [{ a: 1 }, { a: null }, { a: [] }, {}] },
  { expected: { a: { $type: ['number', 'null'] } }, good: [{ a: 1.5 }, { a: null }], bad: [{ a: '1' }, {}] },
  { expected: { a: { $type: 'boolean' } }, good: [{ a: false }], bad: [{ a: 0 }, { a: 'true' }] },
  { expected: { a: { $min: 1, $max: 3 } }, good: [{ a: 1 }, { a: 3 }], bad: [{ a: 0 }, { a: 4 }, { a: '2' }, {}] },
  { expected: { a: { $above: 1, $below: 3 } }, good: [{ a: 2 }], bad: [{ a: 1 }, { a: 3 }] },
  {
    expected: { a: { $enum: ['x', 2, null] } },
    good: [{ a: 'x' }, { a: 2 }, { a: null }],
    bad: [{ a: 'y' }, { a: '2' }, {}],
  },
  {
    expected: { a: { $pattern: '^A-[0-9]+$' } },
    good: [{ a: 'A-12' }],
    bad: [{ a: 'A-' }, { a: 'xA-1' }, { a: 1 }, {}],
  },
  { expected: { a: { $length: 2 } }, good: [{ a: 'ab' }, { a: [1, 2] }], bad: [{ a: 'abc' }, { a: [1] }] },
  { expected: { a: { $length: { $min: 1 } } }, good: [{ a: 'a' }, { a: [0] }], bad: [{ a: '' }, { a: [] }, {}] },
  { expected: { a: { $present: true } }, good: [{ a: 1 }, { a: null }], bad: [{}, { b: 1 }] },
  { expected: { a: { $absent: true } }, good: [{}, { b: 1 }], bad: [{ a: 1 }, { a: null }] },
  { expected: { a: { $optional: { $type: 'string' } } }, good: [{}, { a: 'b' }], bad: [{ a: 1 }, { a: null }] },
  { expected: { a: { $nullable: { b: 1 } } }, good: [{ a: null }, { a: { b: 1 } }], bad: [{ a: { b: 2 } }, {}] },
  { expected: { a: { $not: 1 } }, good: [{ a: 2 }, { a: 'x' }, { a: null }], bad: [{ a: 1 }, {}] },
  { expected: { $contains: { a: 1 } }, good: [[{ a: 2 }, { a: 1, b: 3 }]], bad: [[], [{ a: 2 }], [{}]] },
  { expected: { $not: { $contains: { a: 1 } } }, good: [[], [{ a: 2 }], [{}]], bad: [[{ a: 1 }]] },
  {
    expected: { m: { $contains: 'b.c' } },
    good: [{ m: 'ab.cd' }, { m: ['b.c'] }],
    bad: [{ m: 'abxcd' }, { m: ['x'] }],
  },
  { expected: { $each: { a: { $min: 0 } } }, good: [[{ a: 0 }, { a: 1 }]], bad: [[], [{ a: 0 }, { a: -1 }], [{}]] },
  { expected: { $each: { a: 1 }, $minItems: 0 }, good: [[], [{ a: 1 }]], bad: [[{ a: 2 }]] },
  {
    expected: { $not: { $length: { $max: 2 }, $minItems: 0, $each: { id: { $not: 5 } } } },
    good: [[{ id: 5 }], [{ id: 1 }, { id: 5 }], [{ id: 1 }, { id: 2 }, { id: 3 }]],
    bad: [[], [{ id: 1 }], [{ id: 1 }, { id: 2 }]],
  },
  {
    expected: { $contains: { id: 5 }, $unlessItems: 3 },
    good: [[{ id: 5 }], [{ id: 1 }, { id: 5 }], [{ id: 1 }, { id: 2 }, { id: 3 }]],
    bad: [[], [{ id: 1 }], [{ id: 1 }, { id: 2 }]],
  },
  {
    expected: { $unordered: { by: 'id', items: [{ id: 1, a: 'x' }, { id: 2 }] } },
    good: [[{ id: 2 }, { id: 1, a: 'x' }]],
    bad: [[{ id: 2 }], [{ id: 1, a: 'y' }, { id: 2 }], [{ id: 1, a: 'x' }, { id: 2 }, { id: 3 }]],
  },
  {
    expected: { $each: { b: { $each: { c: { $not: 1 } } } } },
    good: [[{ b: [{ c: 2 }] }]],
    bad: [[{ b: [{ c: 1 }] }]],
  },
];

/** Conditions, and bodies for which they may hold. */
interface Question {
  readonly conditions: readonly string[];
  readonly bodies: readonly JsonValue[];
}

/** For which of the bodies of each question does every condition hold? */
type Holds = (questions: readonly Question[]) => boolean[][];

/** One process answers all questions. */
const inJq: Holds = (questions) => {
  const filters = questions.map(({ conditions }, index) => {
    const filter = conditions.map((each) => `(${each})`).join(' and ') || 'true';
    return `(.[${index}] | map(try (${filter}) catch false))`;
  });
  const input = JSON.stringify(questions.map(({ bodies }) => bodies));
  return JSON.parse(String(execFileSync('jq', ['-c', `[${filters.join(',\n')}]`], { input }))) as boolean[][];
};

/** The criteria of Arazzo have the body as the one item that a filter looks at. */
const inJsonPath: Holds = (questions) =>
  questions.map(({ conditions, bodies }) =>
    bodies.map((body) => conditions.every((condition) => query(`$[?${condition}]`, [body] as never).length > 0)),
  );

const JSON_PATH = jsonPathDialect(() => undefined);
const LANGUAGES: readonly [name: string, dialect: Dialect, subject: string, holds: Holds, isThere: boolean][] = [
  ['jq', JQ, '.', inJq, isFound('jq')],
  ['JSONPath', JSON_PATH, '@', inJsonPath, true],
];

describe.each(LANGUAGES)('in %s', (_, dialect, subject, holds, isThere) => {
  const said = CASES.map(({ expected, good, bad }) => {
    const { conditions, lost } = toConditions(matcherOf(expected), subject, dialect);
    return { conditions: conditions.map(({ text }) => text), lost, bodies: [...good, ...bad] };
  });
  let answers: boolean[][];
  beforeAll(() => {
    answers = isThere ? holds(said) : [];
  });

  (isThere ? test : test.skip).each(CASES.map((each, index) => ({ ...each, index })))(
    '$expected is said as the runner understands it',
    ({ expected, good, bad, index }) => {
      const matcher = matcherOf(expected);
      for (const body of good) expect(matchValue(matcher, body).mismatches).toStrictEqual([]);
      for (const body of bad) expect(matchValue(matcher, body).mismatches).not.toStrictEqual([]);
      const { conditions, lost } = said[index]!;
      const held = answers[index]!;
      expect([conditions, good, held.slice(0, good.length)]).toStrictEqual([conditions, good, good.map(() => true)]);
      // A condition that is lost lets more bodies pass, and is reported.
      if (lost.length > 0) return;
      expect([conditions, bad, held.slice(good.length)]).toStrictEqual([conditions, bad, bad.map(() => false)]);
    },
  );
});

test('what has no word is left out, and told with its place; in a negation all of that is', () => {
  const format = matcherOf({ at: { $format: 'date-time' }, id: 1 });
  expect(toConditions(format, '.', JQ)).toMatchObject({
    conditions: [
      { at: '/at', text: '(has("at"))' },
      { at: '/id', text: '.id == 1' },
    ],
    lost: ['/at: $format'],
  });
  const negation = toConditions(matcherOf({ at: { $not: { $format: 'date' } } }), '.', JQ);
  expect(negation).toStrictEqual({
    conditions: [
      { at: '', text: 'type == "object"' },
      { at: '/at', text: '(has("at"))' },
    ],
    lost: ['/at: $not'],
  });
});

test('a list that is as long as a page is right in Postman as well', () => {
  const matcher = matcherOf({ $contains: { id: 1 }, $unlessItems: 20 });
  expect(toConditions(matcher, 'body', JAVASCRIPT)).toStrictEqual({
    conditions: [
      {
        at: '',
        text: '(_.isArray(body) && (_.some(body, (item1) => item1?.id === 1) || Array.from(body ?? []).length >= 20))',
      },
    ],
    lost: [],
  });
});

test('conditions of Postman name what was captured, and items of lists in lists by how deep they stand', () => {
  const matcher = matcherOf({ $each: { parts: { $contains: { id: 'a ${runId}' } } } });
  expect(toConditions(matcher, 'body', JAVASCRIPT).conditions.map(({ text }) => text)).toStrictEqual([
    '(_.isArray(body) && Array.from(body ?? []).length >= 1 && _.every(body, (item1) => ' +
      '(_.isPlainObject(item1) && _.has(item1, ["parts"]) && (_.isArray(item1?.parts) && _.some(item1?.parts, (item2) => ' +
      '_.isEqual(item2?.id, ["a ", values["runId"]].join(\'\')))))))',
  ]);
});

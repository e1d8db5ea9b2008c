import { loadApi } from '../../src/files/load-api';
import { bodyExpected, headersExpected } from '../../src/checks/response/expected/expectations';
import { observeResponse, type ObservedResponse } from '../../src/checks/response-check';
import { fillMatcher } from '../../src/formats/contract/matcher';
import { fillPlaceholders } from '../../src/formats/contract/placeholders';
import { scalarText } from '../../src/core/json/stringify-json';
import type { JsonValue } from '../../src/core/json/json-value';
import { readExpected } from './read-expected';

const { api } = loadApi();

function answer(
  text: string,
  body: JsonValue | undefined,
  headers: Readonly<Record<string, JsonValue>> = {},
): ObservedResponse {
  const wanted = Object.entries(headers).map(([name, value]) => ({ name, matcher: readExpected(value, true) }));
  return observeResponse(api, {
    operation: undefined,
    method: 'GET',
    response: { status: 200, headers: ['X-Total', '12', 'X-Total', '13'], body: text },
    expected: {
      statuses: [200],
      codes: [],
      body: body === undefined ? undefined : readExpected(body),
      headers: wanted,
    },
  });
}

test('a finding says in words what was expected, and shows what came', () => {
  expect(bodyExpected.run(answer('{"a":"x"}', { a: { $min: 3, $type: 'integer' } }))).toMatchObject([
    {
      at: '/response/body/a',
      message: '/a: expected a number at least 3, got "x"',
      expected: 'a number at least 3',
      actual: '"x"',
    },
    { at: '/response/body/a', message: '/a: expected an integer, got "x"', expected: 'an integer' },
  ]);
});

test('every item is compared, and the disagreements that are not listed are counted', () => {
  const findings = bodyExpected.run(answer(`[${'0,'.repeat(29)}0]`, { $each: 1 }));
  expect(findings).toHaveLength(11);
  expect(findings?.at(-1)?.message).toBe('… and 20 more of these');
});

test('what nothing was compared with is a warning, with what would have been asked for', () => {
  expect(bodyExpected.run(answer('{"a":[]}', { a: { $each: { id: 1 }, $minItems: 0 } }))).toMatchObject([
    {
      check: 'not-evaluated',
      severity: 'warning',
      at: '/response/body/a',
      message: 'Nothing was compared with what the contract expects here: the list is empty',
      expected: 'an object with id',
    },
  ]);
  expect(bodyExpected.run(answer('[{"id":2},{"id":3}]', { $contains: { id: 1 }, $unlessItems: 2 }))).toMatchObject([
    {
      check: 'not-evaluated',
      severity: 'warning',
      at: '/response/body',
      expected: 'an object with id',
      hint: 'Filter or sort the list so that the item comes first.',
    },
  ]);
  expect(headersExpected.run(answer('{}', undefined, { Link: { $optional: { $contains: 'next' } } }))).toMatchObject([
    { check: 'not-evaluated', severity: 'warning', at: '/response/headers/link' },
  ]);
});

test.each<[string, number]>([
  ['', 0],
  ['null', 1],
  ['<p>', 1],
])('no body is expected: %j gives %d findings', (text, count) => {
  expect(bodyExpected.run(answer(text, { $absent: true }))).toHaveLength(count);
});

test('several lines of a header are one text', () => {
  expect(headersExpected.run(answer('{}', undefined, { 'x-total': '12, 13' }))).toEqual([]);
  expect(headersExpected.run(answer('{}', undefined, { 'x-total': { $min: 1 } }))).toHaveLength(1);
});

test('a number that is captured is text in a header', () => {
  const values = new Map<string, JsonValue>([['x', 9007199254740993n]]);
  const text = (value: JsonValue): JsonValue => scalarText(fillPlaceholders(value, values));
  expect(fillMatcher(readExpected('${x}', true), text)).toMatchObject({ kind: 'value', value: '9007199254740993' });
  expect(fillMatcher(readExpected({ $enum: ['${x}', 'a'] }, true), text)).toMatchObject({
    kind: 'enum',
    values: ['9007199254740993', 'a'],
  });
});

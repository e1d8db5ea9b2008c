import { formatSourceLocation, type SourceFinding } from '../../src/core/errors/standin-error';
import type { Contract } from '../../src/formats/contract/contract';
import { readContract } from '../../src/formats/contract/contract-reader';
import { groupsOf } from '../../src/formats/contract/groups';
import { readSource } from '../../src/openapi/read/read-source';

const OPERATIONS = [{ id: 'book', method: 'POST', parameters: [] }];

function read(...lines: readonly string[]): { contract: Contract | undefined; said: readonly string[] } {
  const findings: SourceFinding[] = [];
  const text = ['standin: contract/1', 'name: seats', ...lines, ''].join('\n');
  const contract = readContract(readSource(text, 'seats.yaml'), OPERATIONS, findings);
  return { contract, said: findings.map((finding) => `${formatSourceLocation(finding)} ${finding.message}`) };
}

const step = (...more: readonly string[]): string[] => [
  '  - operation: book',
  '    expect: { status: [201, 409] }',
  ...more.map((line) => `    ${line}`),
];
const together = (word: string, ...more: readonly string[]): string[] => step(`together: ${word}`, ...more);

test('steps that stand one after the other with one word are a group', () => {
  const { contract, said } = read(
    'steps:',
    ...step(),
    ...together('a'),
    ...together('a', 'successes: 1'),
    ...together('b'),
    ...together('b'),
    ...step(),
  );
  expect(said).toEqual([]);
  expect(groupsOf(contract?.steps ?? []).map(({ length }) => length)).toEqual([1, 2, 2, 1]);
});

test('how many succeed may be a matcher', () => {
  expect(read('steps:', ...together('a'), ...together('a', 'successes: { $max: 1 }')).said).toEqual([]);
});

const WRONG: Readonly<Record<string, readonly [lines: readonly string[], said: string]>> = {
  'a group of one': [[...together('a'), ...step()], 'seats.yaml:6:5 No step before or behind it has the word "a"'],
  'a group of nine': [
    Array.from({ length: 9 }, () => together('a')).flat(),
    'seats.yaml:6:5 9 steps have the word "a"',
  ],
  'a value of a step of the group': [
    [...together('a', 'capture: { id: $response.body#/id }'), ...together('a', 'body: { id: "${id}" }')],
    'seats.yaml:11:13 No earlier step captures "id", and no variable has that name',
  ],
  'one name for two values': [
    [...together('a', 'capture: { id: $response.body#/id }'), ...together('a', 'capture: { id: $response.body#/id }')],
    'seats.yaml:11:16 A step that is sent at the same time captures "id" as well',
  ],
  'a step that is repeated': [
    [...together('a', 'repeat: { until: { status: 200 } }'), ...together('a')],
    'seats.yaml:7:5 What is sent at the same time as others is sent once',
  ],
  'successes twice': [
    [...together('a', 'successes: 1'), ...together('a', 'successes: 1')],
    'seats.yaml:11:5 Another step of "a" says it already',
  ],
  'successes of a step alone': [step('successes: 1'), 'seats.yaml:6:5 The step is sent alone'],
};

test.each(Object.entries(WRONG))('%s is rejected with its place', (_, [lines, said]) => {
  expect(read('steps:', ...lines).said).toEqual([said]);
});

test('the cleanup has no groups', () => {
  expect(read('steps:', ...step(), 'cleanup:', ...together('a'), ...together('a')).said).toEqual([
    'seats.yaml:9:5 The cleanup is done one step after the other',
    'seats.yaml:12:5 The cleanup is done one step after the other',
  ]);
});

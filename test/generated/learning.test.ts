import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import { formatTextReport } from '../../src/report/kinds/text-report';
import { allSteps } from '../../src/runner/result/outcome';
import type { RunResult } from '../../src/runner/result/run-result';
import { boxesApi, type ErrorStyle, PickyServer, type Rule, STYLES } from '../support/picky-server';
import { temporaryFolder } from '../support/temporary-folder';
import { failureLines } from '../support/failure-lines';

const folder = temporaryFolder();
const description = folder.write('boxes.json', boxesApi());

/** Runs generated contracts against a server whose constraints the description does not declare. */
async function run(
  rules: readonly Rule[],
  style: ErrorStyle,
  more: Partial<RunContractOptions> = {},
): Promise<{ server: PickyServer; result: RunResult; facts: string[] }> {
  const server = new PickyServer(rules, style);
  const options = { description, seed: 1, generate: ['lifecycle'], ...more } satisfies RunContractOptions;
  const result = await runContract({ app: server.app, ...options });
  return { server, result, facts: (result.learnt ?? []).map(({ operation, message }) => `${operation} ${message}`) };
}

const passed = (result: RunResult): number => allSteps(result).filter(({ verdict }) => verdict.kind === 'pass').length;
const failed = (result: RunResult): string[] =>
  failureLines(result, ({ name }, { check, message }) => `${name}: ${check}: ${message}`);

const isText = (value: unknown): value is string => typeof value === 'string';
const needs =
  (field: string): Rule =>
  (body) =>
    isText(body[field]) && body[field] !== '' ? undefined : { field, message: 'is required' };
const keeps =
  (field: string, isRight: (value: unknown) => boolean, message: string): Rule =>
  (body) =>
    isRight(body[field]) ? undefined : { field, message };
const unique =
  (field: string, message = 'has already been taken'): Rule =>
  (body, others) =>
    others.some((each) => each[field] === body[field]) ? { field, message } : undefined;

const endsWithDot = keeps('label', (each) => isText(each) && each.endsWith('.'), 'must end with a dot');
const isKnownWord = keeps('grade', (each) => each === 'coarse' || each === 'fine', "must be one of 'coarse', 'fine'");

interface Constraint {
  readonly field: string;
  readonly rule: Rule;
  /** How the server tells that the rule is broken. */
  readonly style: keyof typeof STYLES;
  readonly learnt: RegExp;
}

/** Constraints that the description does not declare. Those of a group are in one server. */
const GROUPS: readonly (readonly Constraint[])[] = [
  [
    { field: 'label', rule: endsWithDot, style: 'sentence', learnt: /label .*ends with/ },
    { field: 'grade', rule: isKnownWord, style: 'plain', learnt: /grade is "coarse"/ },
    { field: 'origin', rule: needs('origin'), style: 'rails', learnt: /origin is given/ },
  ],
  [
    {
      field: 'code',
      rule: keeps('code', (each) => isText(each) && each.length <= 4, 'is too long (maximum is 4 characters)'),
      style: 'problem',
      learnt: /code has a length/,
    },
    {
      field: 'depth',
      rule: keeps('depth', (each) => Number(each) >= 5000, 'should be greater than or equal to 5000'),
      style: 'invalidParams',
      learnt: /depth is 5000 or more/,
    },
  ],
  [
    {
      field: 'code',
      rule: keeps('code', (each) => isText(each) && /^\S+@\S+\.\w+$/.test(each), 'must be a valid email'),
      style: 'fastapi',
      learnt: /code is an e-mail/,
    },
    {
      field: 'label',
      rule: keeps('label', (each) => isText(each) && /^[a-z0-9]+$/.test(each), 'contains unsupported characters'),
      style: 'ajv',
      learnt: /label has small letters and digits alone/,
    },
    {
      field: 'grade',
      rule: keeps('grade', (each) => each === undefined, 'is not allowed'),
      style: 'rails',
      learnt: /grade is left out/,
    },
  ],
];

/** Runs against a server with the constraints of a group, which tells one complaint at a time. */
function runGroup(group: readonly Constraint[]): ReturnType<typeof run> {
  const tell: ErrorStyle = (all) => {
    const [first] = all;
    const style = group.find(({ field }) => field === first?.field)?.style ?? 'silent';
    return (STYLES[style] as ErrorStyle)(first === undefined ? [] : [first]);
  };
  return run(
    group.map(({ rule }) => rule),
    tell,
  );
}

let runs: readonly Awaited<ReturnType<typeof run>>[];
beforeAll(async () => {
  const all: Awaited<ReturnType<typeof run>>[] = [];
  for (const group of GROUPS) all.push(await runGroup(group));
  runs = all;
});

test.each(
  GROUPS.map((group, index) => ({ group, index, styles: group.map(({ field, style }) => `${field} (${style})`) })),
)('undeclared constraints of $styles are learnt, and items are created', ({ group, index }) => {
  const { server, result, facts } = runs[index] as (typeof runs)[number];
  expect(facts).toHaveLength(group.length);
  for (const { learnt } of group) expect(facts.join('\n')).toMatch(learnt);
  expect(facts.every((fact) => fact.startsWith('POST /boxes refuses what the description allows'))).toBe(true);
  expect(failed(result)).toEqual([]);
  expect(passed(result)).toBeGreaterThan(20);
  const refused = server.posted.filter((body) => group.some(({ rule }) => rule(body, []) !== undefined));
  expect(refused.length).toBeLessThanOrEqual(6 * group.length);
  expect(server.boxes.size).toBe(0);
  expect(result.leftBehind).toEqual([]);
  expect(result.outcome).toBe('conforms');
});

test('the same seed and the same answers give the same requests', async () => {
  const [one, other] = [runs[0] as (typeof runs)[number], await runGroup(GROUPS[0] ?? [])].map(({ server, result }) =>
    server.requests.map((line) => line.replaceAll(result.runId, 'RUN')).toSorted(),
  );
  expect(one?.length).toBeGreaterThan(30);
  expect(one).toEqual(other);
});

test('the report has a line for each learnt constraint, with the response that it was learnt from', () => {
  expect(formatTextReport((runs[0] as (typeof runs)[number]).result, false)).toMatch(
    /^LEARNT\n {2}POST \/boxes refuses what the description allows: label is the name of a host and ends with ".", after 422 "The field 'label' must end with a dot"$/m,
  );
});

test('unique properties are different in each item', async () => {
  const rules = ['label', 'code', 'depth'].map((field) => unique(field));
  const { server, result } = await run(rules, STYLES.rails, {
    generate: ['lifecycle', 'concurrency'],
    concurrency: 4,
  });
  expect(failed(result)).toEqual([]);
  expect(passed(result)).toBeGreaterThan(40);
  expect(server.boxes.size).toBe(0);
});

test('where nothing is told, other bodies are tried', async () => {
  const rule = keeps('grade', (each) => each === undefined, '');
  const { server, result, facts } = await run([rule], STYLES.silent);
  expect(facts.join('\n')).toMatch(/grade is left out, after 400/);
  expect(passed(result)).toBeGreaterThan(20);
  expect(server.boxes.size).toBe(0);
});

test('a service that takes nothing gets a bounded number of bodies, and that is told', async () => {
  const { server, result, facts } = await run([() => ({ field: 'label', message: 'is wrong' })], STYLES.sentence);
  expect(facts).toEqual([expect.stringMatching(/with 422; of \d+ other bodies it took none/)]);
  expect(server.posted.length).toBeLessThanOrEqual(30);
  expect(result.outcome).toBe('conforms');
});

test('in mode observe nothing is tried', async () => {
  const { server, result } = await run([endsWithDot], STYLES.sentence, { mode: 'observe', generate: true });
  expect(server.posted).toEqual([]);
  expect(result.learnt).toBeUndefined();
});

test('tries are part of the requests that a run may send', async () => {
  const { server, result } = await run([needs('origin')], STYLES.fastapi, { maxRequests: 12 });
  expect(server.requests.length).toBeLessThanOrEqual(12 + 3 * (result.created ?? []).length);
});

test('a finding of before is still one', async () => {
  // The description knows no 418 and the first creation meets it: what is refused so is no matter of content.
  const { result, facts } = await run([() => ({ field: 'label', message: 'is wrong' })], () => ({
    status: 418,
    body: {},
  }));
  expect(facts).toEqual([]);
  expect(failed(result).join('\n')).toMatch(/status-documented/);
});

import express from 'express';
import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import { formatTextReport } from '../../src/report/kinds/text-report';
import { allSteps } from '../../src/runner/result/outcome';
import type { RunResult } from '../../src/runner/result/run-result';
import { boxesApi, type ErrorStyle, type Fields, PickyServer, type Rule, STYLES } from '../support/picky-server';
import { list, object, smallApi, text } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const description = folder.write('boxes.json', boxesApi());

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
  allSteps(result).flatMap(({ name, verdict }) =>
    verdict.kind === 'fail' ? verdict.findings.map(({ check, message }) => `${name}: ${check}: ${message}`) : [],
  );

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

const RULES: readonly (readonly [words: string, rule: Rule, learnt: RegExp])[] = [
  [
    'ends with a dot',
    keeps('label', (each) => isText(each) && each.endsWith('.'), 'must end with a dot'),
    /label .*ends with/,
  ],
  [
    'is one of a few words',
    keeps('grade', (each) => each === 'coarse' || each === 'fine', "must be one of 'coarse', 'fine'"),
    /grade is "coarse"/,
  ],
  ['is there, which nobody declares', needs('origin'), /origin is given/],
  [
    'is short',
    keeps('code', (each) => isText(each) && each.length <= 4, 'is too long (maximum is 4 characters)'),
    /code has a length/,
  ],
  [
    'is large',
    keeps('depth', (each) => Number(each) >= 5000, 'should be greater than or equal to 5000'),
    /depth is 5000 or more/,
  ],
  [
    'is an address',
    keeps('code', (each) => isText(each) && /^\S+@\S+\.\w+$/.test(each), 'must be a valid email'),
    /code is an e-mail/,
  ],
  [
    'has no hyphens',
    keeps('label', (each) => isText(each) && /^[a-z0-9]+$/.test(each), 'contains unsupported characters'),
    /label has small letters and digits alone/,
  ],
  ['is not sent', keeps('grade', (each) => each === undefined, 'is not allowed'), /grade is left out/],
];

describe.each(Object.keys(STYLES).filter((name) => name !== 'silent'))('where errors are told as %s', (name) => {
  const style = STYLES[name as keyof typeof STYLES];
  test.each(RULES)('what %s is learnt, and things are made', async (_, rule, learnt) => {
    const { server, result, facts } = await run([rule], style);
    expect(facts.join('\n')).toMatch(learnt);
    expect(facts.every((fact) => fact.startsWith('POST /boxes refuses what the description allows'))).toBe(true);
    expect(failed(result)).toEqual([]);
    expect(passed(result)).toBeGreaterThan(20);
    expect(server.posted.filter((body) => rule(body, []) !== undefined).length).toBeLessThanOrEqual(6);
    expect(server.boxes.size).toBe(0);
    expect(result.leftBehind).toEqual([]);
    expect(result.outcome).toBe('conforms');
  });
});

test('several constraints at once are learnt one after the other', async () => {
  const rules = [RULES[0]?.[1], RULES[1]?.[1], RULES[2]?.[1]].filter((rule) => rule !== undefined);
  const { server, result, facts } = await run(rules, STYLES.sentence);
  expect(facts).toHaveLength(3);
  expect(passed(result)).toBeGreaterThan(20);
  expect(server.boxes.size).toBe(0);
});

test.each(['label', 'code', 'depth'])('a unique %s is different for each', async (field) => {
  const { server, result } = await run([unique(field)], STYLES.rails, { generate: true, concurrency: 4 });
  expect(failed(result)).toEqual([]);
  expect(passed(result)).toBeGreaterThan(100);
  expect(server.boxes.size).toBe(0);
});

test('where nothing is told, other bodies are tried', async () => {
  const rule = keeps('grade', (each) => each === undefined, '');
  const { server, result, facts } = await run([rule], STYLES.silent);
  expect(facts.join('\n')).toMatch(/what may be left out is left out/);
  expect(passed(result)).toBeGreaterThan(20);
  expect(server.boxes.size).toBe(0);
});

test('what others have is taken where only that is accepted', async () => {
  const server = new PickyServer([keeps('grade', (each) => each === 'qx-7', 'is unknown')], STYLES.sentence);
  server.boxes.set('other', { id: 'other', label: 'Of others', grade: 'qx-7' });
  const result = await runContract({ app: server.app, description, seed: 1, mode: 'own', generate: ['lifecycle'] });
  expect(result.learnt?.map(({ message }) => message).join()).toContain('grade is "qx-7"');
  expect([...server.boxes.values()]).toEqual([{ id: 'other', label: 'Of others', grade: 'qx-7' }]);
});

test('a secret that others have is taken nowhere', async () => {
  const server = new PickyServer([keeps('hint', (each) => each === 'qx-7', 'is unknown')], STYLES.sentence);
  server.boxes.set('other', { id: 'other', label: 'Of others', hint: 'qx-7' });
  const secret = folder.write('secret.json', boxesApi({ hint: { type: 'string', format: 'password' } }));
  const result = await runContract({ app: server.app, description: secret, seed: 1, generate: ['lifecycle'] });
  expect(server.posted.length).toBeGreaterThan(1);
  expect(server.posted.filter(({ hint }) => hint === 'qx-7')).toEqual([]);
  expect(JSON.stringify(result.learnt)).not.toContain('qx-7');
});

test('a service that takes nothing gets a bounded number of bodies, and that is told', async () => {
  const { server, result, facts } = await run([() => ({ field: 'label', message: 'is wrong' })], STYLES.sentence);
  expect(facts).toEqual([expect.stringMatching(/with 422; of \d+ other bodies it took none/)]);
  expect(server.posted.length).toBeLessThanOrEqual(30);
  expect(result.outcome).toBe('conforms');
});

test('where nothing is refused, nothing is learnt, and the requests are those without', async () => {
  const { result } = await run([], STYLES.rails, { generate: true });
  expect(result.learnt).toBeUndefined();
  const names = result.contracts.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(failed(result)).toEqual([]);
});

test('the same seed and the same answers give the same requests', async () => {
  const rules = RULES.slice(0, 4).map(([, rule]) => rule);
  const [one, other] = [await run(rules, STYLES.fastapi), await run(rules, STYLES.fastapi)].map(({ server, result }) =>
    server.requests.map((line) => line.replaceAll(result.runId, 'RUN')).toSorted(),
  );
  expect(one).toEqual(other);
});

test('each thing that was learnt is told in a line, with the answer that it is learnt of', async () => {
  const { result } = await run([RULES[0]?.[1] as Rule], STYLES.sentence);
  expect(formatTextReport(result, false)).toMatch(
    /^LEARNT\n {2}POST \/boxes refuses what the description allows: label is the name of a host and ends with ".", after 422 "The field 'label' must end with a dot"$/m,
  );
});

test('in mode observe nothing is tried', async () => {
  const { server, result } = await run([RULES[0]?.[1] as Rule], STYLES.sentence, { mode: 'observe', generate: true });
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

describe('what is made for another kind', () => {
  const shelf = object({ id: { type: 'string', readOnly: true }, label: text });
  const crate = object({ id: { type: 'string', readOnly: true }, label: text, shelf: text });
  const collection = (name: string, schema: object): Parameters<typeof smallApi>[0] => ({
    [`GET /${name}`]: { answers: { 200: list(schema) } },
    [`POST /${name}`]: { body: schema, answers: { 201: schema, 400: null, 422: null } },
    [`GET /${name}/{id}`]: { answers: { 200: schema, 404: null } },
    [`DELETE /${name}/{id}`]: { answers: { 204: null, 404: null } },
  });
  const two = folder.write(
    'crates.json',
    smallApi({ ...collection('shelves', shelf), ...collection('crates', crate) }),
  );

  test('is the thing that the run made of it, where a refusal says that there is none', async () => {
    const stored = new Map<string, Fields>();
    const app = express();
    app.use(express.json());
    app.get('/:kind', ({ params: { kind } }, response) => {
      response.json([...stored.values()].filter(({ id }) => String(id).startsWith(kind)));
    });
    app.post('/:kind', ({ params: { kind }, body }: { params: { kind: string }; body: Fields }, response) => {
      if (kind === 'crates' && !stored.has(String(body['shelf']))) {
        response.status(422).json({ errors: { shelf: ['does not exist'] } });
        return;
      }
      const made = { ...body, id: `${kind}-${stored.size + 1}-${Math.random()}` };
      stored.set(made.id, made);
      response.status(201).json(made);
    });
    app.get('/:kind/:id', ({ params: { kind, id } }, response) => {
      const thing = id.startsWith(kind) ? stored.get(id) : undefined;
      response.status(thing === undefined ? 404 : 200).json(thing ?? {});
    });
    app.delete('/:kind/:id', ({ params: { kind, id } }, response) => {
      if (id.startsWith(kind) && stored.delete(id)) response.status(204).end();
      else response.status(404).json({});
    });
    const result = await runContract({ app, description: two, seed: 1, mode: 'own', generate: ['lifecycle'] });
    expect(result.learnt).toEqual([
      {
        operation: 'POST /crates',
        message: 'refuses what the description allows: shelf is the key of a shelf, after 422 "does not exist"',
      },
    ]);
    expect(failed(result)).toEqual([]);
    expect((result.created ?? []).filter(({ operation }) => operation === 'POST /crates').length).toBeGreaterThan(4);
    expect(stored.size).toBe(0);
    expect(result.leftBehind).toEqual([]);
  });
});

describe('an operation that answers nothing useful', () => {
  // Beside its steps a run looks itself whether what it made is gone.
  const reads = (result: RunResult): number =>
    allSteps(result).filter(({ operation, status }) => operation === 'GET /boxes/{boxId}' && status !== undefined)
      .length;

  test.each([501, 503, 404])('with %i to each request gets no more of them, and that is told once', async (status) => {
    const server = new PickyServer([], STYLES.rails, (method, path) =>
      method === 'GET' && path.startsWith('/boxes/') ? status : undefined,
    );
    const whole = new PickyServer([], STYLES.rails);
    const options = { description, seed: 1, generate: true, probesAuth: false } as const;
    const result = await runContract({ app: server.app, ...options });
    const other = await runContract({ app: whole.app, ...options });
    expect(reads(result)).toBeLessThanOrEqual(6);
    expect(reads(other)).toBeGreaterThan(10);
    const told = (result.learnt ?? []).map(({ operation, message }) => `${operation} ${message}`);
    expect(told).toEqual([
      expect.stringMatching(
        new RegExp(`^GET /boxes/\\{boxId\\} answered ${status} to each of \\d+ requests: it is asked no more`),
      ),
    ]);
    expect(failed(result).join('\n')).toMatch(/status-expected/);
    // Whose something is that no GET shows nobody knows: it is told, and not removed.
    expect(result.leftBehind).toHaveLength(server.boxes.size);
  });

  test('leaves the budget to others', async () => {
    const isBroken = (method: string, path: string): number | undefined =>
      method === 'GET' && path.startsWith('/boxes/') ? 501 : undefined;
    const names = async (server: PickyServer): Promise<string[]> => {
      const options = { description, seed: 1, generate: true, probesAuth: false, maxRequests: 130 } as const;
      const { contracts } = await runContract({ app: server.app, ...options });
      return contracts.map(({ name }) => name);
    };
    const [broken, whole] = [
      await names(new PickyServer([], STYLES.rails, isBroken)),
      await names(new PickyServer([], STYLES.rails)),
    ];
    expect(broken.length).toBeGreaterThanOrEqual(whole.length);
    expect(broken.filter((name) => !whole.includes(name))).not.toEqual([]);
  });

  test('is still asked where it answers once as it should', async () => {
    let count = 0;
    const server = new PickyServer([], STYLES.rails, (method, path) =>
      method === 'GET' && path.startsWith('/boxes/') && (count += 1) > 1 ? 503 : undefined,
    );
    const result = await runContract({ app: server.app, description, seed: 1, generate: true, probesAuth: false });
    expect(reads(result)).toBeGreaterThan(10);
  });

  test('still removes what was made', async () => {
    const server = new PickyServer([], STYLES.rails, (method) => (method === 'DELETE' ? 405 : undefined));
    const result = await runContract({ app: server.app, description, seed: 1, generate: true, probesAuth: false });
    expect(result.outcome).toBe('violations');
    const removals = server.requests.filter((line) => line.startsWith('DELETE')).length;
    expect(removals).toBeGreaterThanOrEqual(server.boxes.size);
  });
});

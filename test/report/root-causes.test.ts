import fc from 'fast-check';
import { loadApi } from '../../src/files/load-api';
import { locate } from '../../src/runner/exchange/finding-location';
import { rootCauses } from '../../src/report/causes/root-causes';
import { type LocatedFinding, type RunResult, type StepResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import {
  arbitraryResult,
  contractOf,
  failed,
  findingOf,
  KEYED,
  PASSED,
  resultOf,
  resultOfSteps,
  skipped,
  statusFinding,
} from './results';

const fingerprints = (result: RunResult): string[] => rootCauses(result).map(({ fingerprint }) => fingerprint);
const request = PASSED.request!;
const MISSING = { subject: 'The value /state', rule: 'is missing', expected: '' };

test('the same field of many items and answers is one cause, with its first step and its count', () => {
  const item = (index: number): StepResult =>
    failed(
      [findingOf('body-schema', `/response/body/${index}/id`, { message: `The field /${index}/id must be text` })],
      {
        name: `list ${index}`,
      },
    );
  const [cause, ...others] = rootCauses(resultOfSteps(item(0), item(3), item(12)));
  expect(others).toEqual([]);
  expect(cause).toMatchObject({ kind: 'finding', suspect: 'service', count: 3, at: '/response/body/0/id' });
  expect(cause!.steps.map(({ step }) => step.name)).toEqual(['list 0', 'list 3', 'list 12']);
});

test.each<{ what: string; left: StepResult; right: StepResult; causes: number }>([
  {
    what: 'a field of a shared component, at two operations and two places',
    left: failed([findingOf('body-schema', '/response/body/0/id', { spec: '/components/schemas/Book/properties/id' })]),
    right: failed([findingOf('body-schema', '/response/body/id', { spec: '/components/schemas/Book/properties/id' })], {
      operation: 'listBooks',
    }),
    causes: 1,
  },
  {
    what: 'a rule of a shared component that is broken in a list and alone',
    left: failed([
      findingOf('body-schema', '/response/body/3/id', {
        message: 'The field /3/id must be an integer',
        identity: { subject: 'The field /3/id', rule: 'must be an integer' },
        expected: 'an integer',
        spec: '/components/schemas/Book/properties/id',
      }),
    ]),
    right: failed(
      [
        findingOf('body-schema', '/response/body/id', {
          message: 'The field /id must be an integer',
          identity: { subject: 'The field /id', rule: 'must be an integer' },
          expected: 'an integer',
          spec: '/components/schemas/Book/properties/id',
        }),
      ],
      { operation: 'listBooks' },
    ),
    causes: 1,
  },
  {
    what: 'a member that a shared component requires, missing in a list and alone',
    left: failed([
      findingOf('body-schema', '/response/body/3/id', {
        message: 'The field /3 must have the property "id"',
        identity: { subject: 'The field /3', rule: 'must have the property "id"' },
        spec: '/components/schemas/Book/properties/id',
      }),
    ]),
    right: failed([
      findingOf('body-schema', '/response/body/id', {
        message: 'The body must have the property "id"',
        identity: { subject: 'The body', rule: 'must have the property "id"' },
        spec: '/components/schemas/Book/properties/id',
      }),
    ]),
    causes: 1,
  },
  {
    what: 'two rules of one shared component',
    left: failed([
      findingOf('body-schema', '/response/body/id', {
        message: 'The field /id must be an integer',
        identity: { subject: 'The field /id', rule: 'must be an integer' },
        spec: '/components/schemas/Book/properties/id',
      }),
    ]),
    right: failed([
      findingOf('body-schema', '/response/body/id', {
        message: 'The field /id must be at least 1',
        identity: { subject: 'The field /id', rule: 'must be at least 1' },
        spec: '/components/schemas/Book/properties/id',
      }),
    ]),
    causes: 2,
  },
  {
    what: 'the type of errors that two documented responses share',
    left: failed(
      [findingOf('content-type', '/response/headers/content-type', { spec: '/components/responses/NoBook' })],
      { status: 404 },
    ),
    right: failed(
      [findingOf('content-type', '/response/headers/content-type', { spec: '/components/responses/NoShelf' })],
      { status: 404, operation: 'getShelf' },
    ),
    causes: 1,
  },
  {
    what: 'the type of errors, and that of what was asked for',
    left: failed([findingOf('content-type', '/response/headers/content-type')], { status: 404 }),
    right: failed([findingOf('content-type', '/response/headers/content-type')]),
    causes: 2,
  },
  {
    what: 'the status in the bodies of two errors',
    left: failed([findingOf('error-contract', '/response/body/status', { expected: '404' })], { status: 404 }),
    right: failed([findingOf('error-contract', '/response/body/status', { expected: '422' })], { status: 422 }),
    causes: 1,
  },
  {
    what: 'one member that is missing where three values of it are expected',
    left: failed([
      findingOf('body-expected', '/response/body/state', {
        message: '/state is missing',
        expected: '"new"',
        identity: MISSING,
      }),
    ]),
    right: failed([
      findingOf('body-expected', '/response/body/state', {
        message: '/state is missing',
        expected: '"lent"',
        identity: MISSING,
      }),
    ]),
    causes: 1,
  },
  {
    what: 'what a framework answers with, at two operations',
    left: failed([findingOf('error-contract', '/response/body')]),
    right: failed([findingOf('error-contract', '/response/body')], { operation: 'addBook' }),
    causes: 1,
  },
  {
    what: 'a status of two operations',
    left: failed([statusFinding(200, 201)]),
    right: failed([statusFinding(200, 201)], { operation: 'addBook' }),
    causes: 2,
  },
  {
    what: 'an auth probe of two operations',
    left: failed([statusFinding(404, 401)], { phase: 'auth' }),
    right: failed([statusFinding(404, 401)], { phase: 'auth', operation: 'addBook' }),
    causes: 1,
  },
  {
    what: 'two statuses of one operation',
    left: failed([statusFinding(200, 201)]),
    right: failed([statusFinding(500, 201)], { status: 500 }),
    causes: 2,
  },
  {
    what: 'two fields of one answer',
    left: failed([findingOf('body-schema', '/response/body/id'), findingOf('body-schema', '/response/body/name')]),
    right: PASSED,
    causes: 2,
  },
  {
    what: 'two findings about one place of one answer',
    left: failed([findingOf('status-documented', '/response/status'), statusFinding(206, 200)]),
    right: failed([findingOf('capture', '/response/body/id'), findingOf('body-schema', '/response/body/id')]),
    causes: 2,
  },
])('$what: $causes', ({ left, right, causes }) => {
  expect(rootCauses(resultOfSteps(left, right))).toHaveLength(causes);
});

test('of two findings about one place the one with more to go on speaks', () => {
  const [cause] = rootCauses(
    resultOfSteps(failed([findingOf('status-documented', '/response/status'), statusFinding(206, 200)])),
  );
  expect(cause).toMatchObject({ check: 'status-expected', count: 2, suspect: 'service' });
});

test('a status that the contract expects and nobody documented is suspected of the description', () => {
  const [cause] = rootCauses(resultOfSteps(failed([findingOf('status-documented', '/response/status')])));
  expect(cause).toMatchObject({ suspect: 'description' });
});

test('a fingerprint is the same in another run, with other ids', () => {
  const made = (runId: string, id: number): RunResult => {
    const expected = `{"id":${id},"name":"Contract ${runId}"}`;
    const finding = findingOf('body-expected', '/response/body/name', { message: `The field is "x${id}"`, expected });
    return { ...resultOfSteps(failed([finding])), runId };
  };
  const [one] = fingerprints(made('0a1b2c3d', 12));
  expect(one).toMatch(/^[0-9a-f]{12}$/);
  expect(fingerprints(made('ffffffff', 4711))).toEqual([one]);
});

test('an entity tag that was captured is another one in each run', () => {
  const made = (tag: string): RunResult => {
    const expected = `not "\\"${tag}\\""`;
    return resultOfSteps(failed([findingOf('headers-expected', '/response/headers/etag', { expected })]));
  };
  const [one] = fingerprints(made('PAbVyezezklJFv-EhQf0'));
  for (const tag of ['xbfpl0M75A8JMovRPxTi', 'cn_U6Kvaw69oxVe9ZMTK', '12', '7']) {
    const isCounted = /^\d+$/.test(tag);
    expect(fingerprints(made(tag))).toEqual([isCounted ? fingerprints(made('1'))[0] : one]);
  }
});

test('words that a contract expects are told apart', () => {
  const made = (expected: string): RunResult => {
    return resultOfSteps(failed([findingOf('body-expected', '/response/body/status', { expected })]));
  };
  expect(fingerprints(made('"available"'))).not.toEqual(fingerprints(made('"pending-review"')));
});

test('how many findings were not listed is no cause of its own', () => {
  const missing = (index: number) => {
    const message = `The value /${index}/name is missing`;
    return findingOf('body-expected', `/response/body/${index}/name`, { message });
  };
  const more = (count: number) =>
    findingOf('body-expected', '/response/body', { message: `… and ${count} more of these`, omitted: count });
  const few = resultOfSteps(failed([missing(0)]));
  const many = resultOfSteps(failed([missing(0), missing(1), more(3)]));
  expect(fingerprints(many)).toEqual(fingerprints(few));
  expect(rootCauses(many)[0]).toMatchObject({ count: 3, message: 'The value /0/name is missing' });
});

describe('what a check over the whole run finds', () => {
  const message = 'The property "name" that addBook sent does not come back as it was';
  const lost = (more: Partial<LocatedFinding> = {}) => findingOf('echo', '/response/body/name', { message, ...more });

  test('is one cause, at whichever step it shows', () => {
    const here = failed([lost({ expected: '"Emma"', spec: '/components/schemas/Book/properties/name' })]);
    const there = failed([lost({ expected: '12' })], { operation: 'addBook', phase: 'auth' });
    expect(rootCauses(resultOfSteps(here, there))).toHaveLength(1);
  });

  test('is of the operation that wrote, and of the member', () => {
    const other = lost({ message: message.replace('addBook', 'replaceBook') });
    const member = findingOf('echo', '/response/body/title', { message });
    expect(rootCauses(resultOfSteps(failed([lost()]), failed([other]), failed([member])))).toHaveLength(3);
  });

  test('does not speak for what the step itself found at the same place', () => {
    const expected = findingOf('body-expected', '/response/body/name');
    const [alone] = fingerprints(resultOfSteps(failed([expected])));
    expect(fingerprints(resultOfSteps(failed([lost(), expected])))).toEqual([alone]);
  });
});

test('a rejected write is of its operation, whatever it would have changed', () => {
  const done = (operation: string, expected: string) =>
    failed([findingOf('rejected-write-changed', '/request', { expected })], { phase: 'auth', operation });
  const causes = rootCauses(resultOfSteps(done('a', '{"id":1}'), done('a', '{"name":"x"}'), done('b', '{"id":1}')));
  expect(causes.map(({ operations, count }) => [operations, count])).toEqual([
    [['a'], 2],
    [['b'], 1],
  ]);
});

/** Steps of three operations that all end alike. */
function everywhere(more: Partial<StepResult>, findings = [statusFinding(more.status ?? 404, 200)]): StepResult[] {
  return ['listBooks', 'getBook', 'addBook', 'getBook'].map((operation) =>
    failed(findings, { operation, name: operation, ...more }),
  );
}

const page = findingOf('content-type', '/response/headers/content-type', { actual: 'text/html; charset=utf-8' });
const error = {
  kind: 'error',
  error: { code: 'TRANSPORT_TIMEOUT', message: 'no response', hint: 'wait', findings: [] },
} as const;
const nobody = { ...error, error: { ...error.error, code: 'TRANSPORT_UNREACHABLE' } } as const;

test.each<{ what: string; steps: StepResult[]; check: string; suspect: string; count: number }>([
  {
    what: 'a dead host',
    steps: everywhere({ status: undefined, verdict: nobody }),
    check: 'TRANSPORT_UNREACHABLE',
    suspect: 'runner settings',
    count: 4,
  },
  {
    what: 'a host that keeps silent',
    steps: everywhere({ status: undefined, verdict: error }),
    check: 'TRANSPORT_TIMEOUT',
    suspect: 'service',
    count: 4,
  },
  {
    what: 'a wrong base path',
    steps: everywhere({ status: 404 }),
    check: 'wrong-base-path',
    suspect: 'runner settings',
    count: 4,
  },
  {
    what: 'a server of files, which has 405 for writes',
    steps: [...everywhere({ status: 404 }), failed([statusFinding(405, 201)], { status: 405 })],
    check: 'wrong-base-path',
    suspect: 'runner settings',
    count: 5,
  },
  {
    what: 'a login page',
    steps: everywhere({ status: 200 }, [page]),
    check: 'gateway-page',
    suspect: 'gateway',
    count: 4,
  },
  {
    what: 'a redirect to a login page',
    steps: everywhere({ status: 302 }),
    check: 'gateway-redirect',
    suspect: 'gateway',
    count: 4,
  },
  {
    what: 'a gateway without a service',
    steps: everywhere({ status: 502 }),
    check: 'gateway-unavailable',
    suspect: 'gateway',
    count: 4,
  },
  {
    what: 'a wrong key',
    steps: [
      ...everywhere({ status: 401, request: { ...request, headers: KEYED } }),
      { ...PASSED, phase: 'auth', status: 401 },
      { ...PASSED, phase: 'auth', status: 401 },
      { ...PASSED, phase: 'auth', status: 401 },
    ],
    check: 'wrong-key',
    suspect: 'runner settings',
    count: 4,
  },
  {
    what: 'a wrong key that the setup met at once',
    steps: [
      failed([statusFinding(403, 201)], { phase: 'setup', status: 403, request: { ...request, headers: KEYED } }),
      skipped('read', 'setup-failed', 'the setup step "read a book" did not do what it is for', 'read a book'),
    ],
    check: 'wrong-key',
    suspect: 'runner settings',
    count: 1,
  },
])('$what is one cause before all else', ({ steps, check, suspect, count }) => {
  const causes = rootCauses(resultOfSteps(...steps));
  expect(causes).toHaveLength(1);
  expect(causes[0]).toMatchObject({ kind: 'run', check, suspect, count });
});

test('a wrong key is reported with the ways to give another', () => {
  const [cause] = rootCauses(resultOfSteps(...everywhere({ status: 401, request: { ...request, headers: KEYED } })));
  expect(cause).toMatchObject({ check: 'wrong-key', hint: expect.stringMatching(/STANDIN_API_KEY or --api-key-env/) });
});

test.each<{ what: string; steps: StepResult[] }>([
  { what: 'one operation that is missing', steps: everywhere({ status: 404, operation: 'getBook' }) },
  { what: 'a service that answers others well', steps: [...everywhere({ status: 404 }), PASSED, PASSED] },
  {
    what: 'one operation that refuses the key',
    steps: [failed([statusFinding(401, 200)], { status: 401, request: { ...request, headers: KEYED } })],
  },
  { what: 'JSON under another type', steps: everywhere({ status: 200 }, [{ ...page, actual: 'text/plain' }]) },
  { what: 'a read that always fails', steps: everywhere({ status: 500 }) },
])('$what is no cause of the whole run', ({ steps }) => {
  expect(rootCauses(resultOfSteps(...steps)).filter(({ kind }) => kind === 'run')).toEqual([]);
});

test('a contract of nothing but refusals that are right has no cause', () => {
  const refused = ['listBooks', 'getBook', 'addBook'].map((operation) => ({ ...PASSED, operation, status: 404 }));
  expect(rootCauses(resultOfSteps(...refused))).toEqual([]);
});

describe('what could not be tried is counted at its cause', () => {
  const setup = failed([statusFinding(500, 201)], { phase: 'setup', name: 'add a shelf' });
  const other = failed([statusFinding(500, 200)], { phase: 'setup', name: 'look at the shelf', operation: 'getShelf' });

  test('through the step that the reason names', () => {
    const steps = [
      other,
      setup,
      skipped('a', 'setup-failed', 'the setup step "add a shelf" did not do what it is for', 'add a shelf'),
    ];
    const counts = rootCauses(resultOfSteps(...steps)).map(({ steps: [first], consequences }) => [
      first.step.name,
      consequences,
    ]);
    expect(counts).toEqual([
      ['look at the shelf', 0],
      ['add a shelf', 1],
    ]);
  });

  test('through other steps that were skipped', () => {
    const steps = [
      setup,
      skipped('add a book', 'missing-value', 'it needs ${shelfId}, which "add a shelf" did not capture', 'add a shelf'),
      skipped('read the book', 'missing-value', 'it needs ${bookId}, which "add a book" did not capture', 'add a book'),
      skipped('later', 'pending', 'not yet'),
    ];
    expect(rootCauses(resultOfSteps(...steps)).map(({ consequences }) => consequences)).toEqual([2]);
  });

  test('only in its own contract', () => {
    const alone = skipped(
      'b',
      'missing-value',
      'it needs ${shelfId}, which "add a shelf" did not capture',
      'add a shelf',
    );
    const contracts = [contractOf('one', setup), contractOf('two', alone)];
    expect(rootCauses(resultOf({ contracts })).map(({ consequences }) => consequences)).toEqual([0]);
  });

  test('wherever the target was lost', () => {
    const lost = { ...PASSED, status: undefined, verdict: nobody };
    const contracts = [
      contractOf('one', PASSED, lost),
      contractOf('two', skipped('b', 'target-lost', 'the target cannot be reached')),
    ];
    expect(rootCauses(resultOf({ contracts }))).toMatchObject([
      { check: 'TRANSPORT_UNREACHABLE', kind: 'error', consequences: 1 },
    ]);
  });
});

test('every finding and every error is counted at exactly one cause', () => {
  fc.assert(
    fc.property(arbitraryResult, (result) => {
      const causes = rootCauses(result);
      const all = allSteps(result).reduce((sum, { verdict }) => {
        return sum + (verdict.kind === 'fail' ? verdict.findings.length : verdict.kind === 'error' ? 1 : 0);
      }, 0);
      expect(causes.reduce((sum, { count }) => sum + count, 0)).toBe(all);
      expect(new Set(causes.map(({ fingerprint }) => fingerprint)).size).toBe(causes.length);
    }),
  );
});

test.each([
  { what: 'a long value', more: { actual: `GET${', PUT'.repeat(1000)}` } },
  { what: 'a long hint', more: { hint: 'x'.repeat(3000) } },
])('$what is cut, and the finding keeps its fingerprint', ({ more }) => {
  const { api } = loadApi();
  const identity = { rule: 'Allow lists PUT, which was refused' };
  const short = findingOf('allow', '/response/headers/allow', {
    message: 'Allow lists PUT, which was rejected',
    identity,
  });
  const [located] = [locate(api, { ...short, ...more })];
  expect(Math.max(...Object.values(located).map((text) => String(text).length))).toBe(2001);
  expect(fingerprints(resultOfSteps(failed([located])))).toEqual(fingerprints(resultOfSteps(failed([short]))));
});

test('a long identity is cut as the message is', () => {
  const { api } = loadApi();
  const subject = `The field /${'x'.repeat(3000)}`;
  const finding = findingOf('body-schema', '/response/body/x', {
    message: `${subject} must be an integer`,
    expected: 'an integer',
  });
  const located = locate(api, { ...finding, identity: { subject, rule: 'must be an integer' } });
  expect(JSON.stringify(located.identity).length).toBeLessThan(2100);
  // As the first releases had it, whose fingerprints were made of messages.
  const [plain] = [locate(api, finding)];
  expect(fingerprints(resultOfSteps(failed([located])))).toEqual(fingerprints(resultOfSteps(failed([plain]))));
});

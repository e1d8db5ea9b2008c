import { execFileSync } from 'node:child_process';
import { TransportError } from '../../src/core/errors/standin-error';
import { commandsFor, curlCommand } from '../../src/report/text/shell-commands';
import { formatTextReport } from '../../src/report/kinds/text-report';
import type { RunResult, StepResult } from '../../src/runner/result/run-result';
import { PASSED as BOOK_READ, resultOf as resultWith } from './results';

const PASSED: StepResult = {
  ...BOOK_READ,
  name: 'read a pet',
  operation: 'getPet',
  request: { ...BOOK_READ.request!, url: 'http://localhost/pets/1' },
};
const FAILED: StepResult = {
  ...PASSED,
  name: 'add a pet',
  operation: 'createPet',
  place: 'contracts/a.yaml:9:5',
  request: {
    method: 'POST',
    url: 'http://localhost/pets',
    headers: [
      'Accept',
      'application/json',
      'Content-Type',
      'application/json',
      'Authorization',
      'Bearer $STANDIN_API_KEY',
    ],
    body: `{"name":"O'Malley","categoryId":9007199254740993}`,
  },
  status: 200,
  verdict: {
    kind: 'fail',
    findings: [
      {
        check: 'status-expected',
        severity: 'error',
        at: '/response/status',
        message: 'Expected status 201, got 200',
        expected: '201',
        actual: '200',
        spec: '/paths/~1pets/post',
        place: 'spec/petstore.yaml:90:5',
        hint: 'Look here.',
      },
    ],
  },
};
const SKIPPED: StepResult = {
  ...PASSED,
  name: 'remove it',
  request: undefined,
  status: undefined,
  verdict: { kind: 'skipped', reason: 'it needs ${petId}', cause: 'missing-value' },
};
const WARNED: StepResult = {
  ...PASSED,
  name: 'add a category',
  warnings: [{ check: 'location', severity: 'warning', at: '/response/headers/location', message: 'No Location' }],
};

function resultOf(outcome: RunResult['outcome'], ...steps: StepResult[]): RunResult {
  const contracts = [{ name: 'Pets', file: 'contracts/a.yaml', steps }];
  return resultWith({ api: 'Petstore API 1.0.0', description: 'spec/petstore.yaml', contracts, outcome });
}

test('a report tells first what failed and how to send it again, then warnings, what was skipped, and the counts', () => {
  const result = resultOf('violations', PASSED, WARNED, FAILED, SKIPPED, { ...SKIPPED, name: 'read it' });
  expect(formatTextReport(result, false)).toBe(`Petstore API 1.0.0 at http://localhost

FAIL add a pet (createPet)  contracts/a.yaml:9:5
  POST http://localhost/pets → 200
  status-expected Expected status 201, got 200
    at        /response/status
    expected  201
    actual    200
    see       spec/petstore.yaml:90:5
    hint      Look here.
    so        2 steps could not be sent
  reproduce curl -i -X POST "http://localhost/pets" -H "Accept: application/json" -H "Content-Type: application/json" -H "Authorization: Bearer $STANDIN_API_KEY" --data-binary '{"name":"O'\\''Malley","categoryId":9007199254740993}'

WARNING add a category (getPet)  contracts/a.yaml:4:5
  location No Location
    at        /response/headers/location

SKIPPED
  2 steps: it needs \${petId}
    remove it, read it

✗ Pets contracts/a.yaml: 1 failed, 2 passed, 2 skipped

Mode full
VIOLATIONS: 1 failed, 2 passed, 2 skipped, 1 warning
`);
});

test('removals of what was refused, as it should be, are counted and not named', () => {
  const needless = (id: string): StepResult => ({
    ...SKIPPED,
    phase: 'cleanup',
    verdict: {
      kind: 'skipped',
      reason: `it needs \${${id}}, which "add a pet badly" did not capture`,
      cause: 'refused',
    },
  });
  const text = formatTextReport(resultOf('conforms', PASSED, needless('petId_1'), needless('petId_2')), false);
  expect(text).toContain('\nSKIPPED\n  2 steps: what they would remove was not made, as it should be\n\n');
});

test('what could not be judged is told with its reason', () => {
  const error = new TransportError('TRANSPORT_TIMEOUT', 'no response within 1 s', { hint: 'Wait longer.' });
  const lost = { ...PASSED, status: undefined, verdict: { kind: 'error', error } } as const;
  const text = formatTextReport(resultOf('inconclusive', lost), false);
  expect(text).toContain('  GET http://localhost/pets/1 → no response\n');
  expect(text).toContain('  TRANSPORT_TIMEOUT: no response within 1 s\n    hint: Wait longer.\n');
  expect(text).toContain('INCONCLUSIVE: 1 could not be checked');
  expect(text).toContain('\nERROR read a pet');
});

test('one cause is told once, with how often and where else', () => {
  const steps = ['one', 'two', 'three'].map((name) => ({ ...FAILED, name }));
  const text = formatTextReport(resultOf('violations', ...steps), false);
  expect(text.match(/status-expected/g)).toHaveLength(1);
  expect(text).toContain('    total     3 times in 3 steps\n    also      two, three\n');
});

test('a wrong base URL is one cause, told before everything else', () => {
  const lost = ['getPet', 'createPet', 'listPets', 'getPet'].map((operation) => ({
    ...FAILED,
    operation,
    status: 404,
    name: operation,
  }));
  const text = formatTextReport(resultOf('violations', ...lost), false);
  expect(text).toContain('  wrong-base-path Nearly every response is a 404, whatever the operation\n');
  expect(text).toContain('    suspect   the runner settings\n    hint      Does the base URL lack the path');
  expect(text).toContain('    total     4 times in 4 steps, 3 operations: getPet, createPet, listPets\n');
  expect(text).not.toContain('status-expected');
});

test('what explains the whole run explains what was not tried, and no contract by itself', () => {
  const lost = ['getPet', 'createPet', 'listPets'].map((operation) => ({ ...FAILED, operation, status: 404 }));
  const coverage = lost.map(({ operation }) => ({ operation, method: 'GET', path: '/x', steps: 1, statuses: [404] }));
  const missing = { ...PASSED, operation: 'listPets', status: 404 };
  const unsent: StepResult = { ...SKIPPED, verdict: { kind: 'skipped', reason: 'it writes', cause: 'mode' } };
  const result = { ...resultOf('violations', ...lost, missing, SKIPPED, unsent), coverage };
  const text = formatTextReport(result, false);
  expect(text.slice(text.indexOf('\nSKIPPED'))).toBe(`
SKIPPED
  1 step: it writes
    remove it

Mode full · 0 of 3 operations responded as expected
VIOLATIONS: 3 failed, 1 passed, 2 skipped
`);
  const verbose = formatTextReport(result, false, { kind: 'set' }, { isVerbose: true });
  expect(verbose).toContain('  1 step: it needs ${petId}\n');
  expect(verbose).toContain('✗ Pets contracts/a.yaml: 3 failed, 1 passed, 2 skipped\n');
});

test('a pending step was sent, and is counted apart from those that were not', () => {
  const reason = 'pending: issue 12';
  const pending: StepResult = { ...PASSED, verdict: { kind: 'skipped', cause: 'pending', reason } };
  const text = formatTextReport(resultOf('conforms', PASSED, pending, SKIPPED), false);
  expect(text).toContain(
    '\nPENDING — sent and checked; what was found does not fail the run yet\n  read a pet: issue 12\n',
  );
  expect(text).toContain('\nSKIPPED\n  1 step: it needs ${petId}\n');
  expect(text).toContain('\nCONFORMS: 1 passed, 1 skipped, 1 pending\n');
});

test('more than twenty causes are counted, with where to see them', () => {
  const steps = Array.from({ length: 25 }, (_, index) => ({ ...FAILED, operation: `operation${index}` }));
  const text = formatTextReport(resultOf('violations', ...steps), false);
  expect(text.match(/^FAIL /gm)).toHaveLength(20);
  expect(text).toContain('… and 5 more causes: --report json=FILE and --report html=FILE have them all\n');
});

test('what is left behind is told apart from what cannot be removed', () => {
  const residue = { url: 'http://localhost/pets/1', operation: 'createPet', reason: '500', isAccepted: false };
  const leftBehind = [residue, { ...residue, url: 'http://localhost/orders/2', isAccepted: true }];
  const text = formatTextReport({ ...resultOf('left-behind', PASSED), leftBehind }, false);
  expect(text).toMatch(/\nLEFT BEHIND — .*\n {2}http:\/\/localhost\/pets\/1 \(createPet\): 500\n/);
  expect(text).toMatch(/\nNOT REMOVED \(expected\) — .*\n {2}http:\/\/localhost\/orders\/2 \(createPet\): 500\n/);
});

test('of what stays as expected the first of each kind are named', () => {
  const leftBehind = [1, 2, 3, 4, 5].map((id) => ({
    url: `http://localhost/orders/${id}`,
    operation: 'placeOrder',
    reason: 'nothing removes it',
    isAccepted: true,
  }));
  const text = formatTextReport({ ...resultOf('conforms', PASSED), leftBehind }, false);
  expect(text).toContain(
    '  http://localhost/orders/3 (placeOrder): nothing removes it\n  … and 2 more of placeOrder: --report json=FILE has them all\n',
  );
  expect(text).not.toContain('orders/4');
  const unexpected = leftBehind.map((each) => ({ ...each, isAccepted: false }));
  expect(formatTextReport({ ...resultOf('left-behind', PASSED), leftBehind: unexpected }, false)).toContain('orders/5');
});

describe('the coverage', () => {
  const operation = { operation: 'getPet', method: 'GET', path: '/pets/{petId}', steps: 3, statuses: [200, 404] };
  const silent = { ...operation, operation: 'deletePet', steps: 1, statuses: [] };
  const result = {
    ...resultOf('inconclusive', PASSED, { ...SKIPPED, operation: 'deletePet' }),
    coverage: [operation, silent, { ...silent, operation: 'listPets', steps: 0 }],
  };

  test('counts the operations that answered, and names the others', () => {
    const text = formatTextReport(result, false);
    expect(text).toContain('\nMode full · 1 of 3 operations responded as expected\n');
    expect(text).toContain('  1 operation that a step was to call gave no response: deletePet\n');
    expect(text).toContain('  1 operation not called by any step: listPets\n');
  });

  test('names documented statuses that were never seen when asked to be verbose', () => {
    const unseen = ['410', '500'].map((name) => ({ operation: 'getPet', pointer: '/paths', name }));
    const other = { operation: 'listPets', pointer: '/paths', name: 'all: not called', units: 3 };
    const dimensions = [{ dimension: 'statuses' as const, total: 9, seen: 4, unseen: [...unseen, other] }];
    const text = formatTextReport({ ...result, dimensions }, false, { kind: 'set' }, { isVerbose: true });
    expect(text).toContain('  getPet (GET /pets/{petId}), 3 steps: 200, 404; documented but never seen: 410, 500\n');
  });
});

test('the same warning from many steps is told once', () => {
  const text = formatTextReport(resultOf('conforms', WARNED, WARNED, { ...WARNED, name: 'other' }), false);
  expect(text.match(/No Location/g)).toHaveLength(1);
  expect(text).toContain(', and 2 more like it');
});

test('nothing that a server sent moves the cursor or begins a line', () => {
  const actual = 'a\u001b[2Jb\r\nFAIL c\u0007\u202ed';
  const finding = { check: 'x', severity: 'error', at: '/y', message: 'm', actual } as const;
  const text = formatTextReport(
    resultOf('violations', { ...FAILED, verdict: { kind: 'fail', findings: [finding] } }),
    false,
  );
  expect(text).toContain('    actual    a?[2Jb FAIL c??d\n');
});

test('colour is there for who wants it', () => {
  expect(formatTextReport(resultOf('conforms', PASSED), true)).toContain('\u001b[32mCONFORMS\u001b[39m');
  expect(formatTextReport(resultOf('conforms', PASSED), false)).not.toContain('\u001b');
});

describe('a command to send a request again', () => {
  test.each([
    {
      request: { method: 'GET', url: 'http://localhost/pets?a=1&b=2', headers: ['Accept', 'a/b'], body: undefined },
      want: ['-i', 'http://localhost/pets?a=1&b=2', '-H', 'Accept: a/b'],
    },
    {
      request: {
        method: 'PUT',
        url: 'http://localhost/{id}',
        headers: ['X', '$HOME `id` $STANDIN_API_KEY \\'],
        body: "'; rm -rf ~ #\n$STANDIN_API_KEY",
      },
      want: [
        ...['-i', '-g', '-X', 'PUT', 'http://localhost/{id}', '-H', 'X: $HOME `id` s3cret \\'],
        ...['-H', 'Accept:', '-H', 'Content-Type:', '--data-binary', "'; rm -rf ~ # s3cret"],
      ],
    },
    {
      request: {
        method: 'HEAD',
        url: 'http://localhost/',
        headers: ['Accept', '*/*', 'Content-Type', 'a'],
        body: undefined,
      },
      want: ['-i', '-I', 'http://localhost/', '-H', 'Accept: */*', '-H', 'Content-Type: a'],
    },
  ])('gives a shell exactly the words meant: $request.method', ({ request, want }) => {
    const script = curlCommand(request).replace(/^curl /, `printf '%s\\n' `);
    const words = execFileSync('sh', ['-c', script], { env: { ...process.env, STANDIN_API_KEY: 's3cret' } });
    expect(words.toString().trimEnd().split('\n')).toEqual(want);
  });
});

describe('the key in a command', () => {
  const request = { ...FAILED.request!, url: 'http://localhost/pets/$STANDIN_API_KEY' };

  test('is the variable, when that is set', () => {
    expect(commandsFor(request, { kind: 'set' })).toEqual([curlCommand(request)]);
  });

  test('stands in it, when everybody knows it', () => {
    const [command, ...more] = commandsFor(request, { kind: 'well-known', key: 'test-key' });
    expect(command).toContain('"http://localhost/pets/test-key"');
    expect(command).toContain('"Authorization: Bearer test-key"');
    expect(more).toEqual([]);
  });

  test('is set by a command before it, where it is needed', () => {
    const key = { kind: 'export', command: 'export STANDIN_API_KEY="$PET_KEY"' } as const;
    expect(commandsFor(request, key)).toEqual([key.command, curlCommand(request)]);
    expect(commandsFor(PASSED.request!, key)).toEqual([curlCommand(PASSED.request!)]);
    expect(formatTextReport(resultOf('violations', FAILED), false, key)).toContain(
      `\n  first     ${key.command}\n  reproduce curl `,
    );
  });
});

test('what was not selected is counted, and named nowhere', () => {
  const unselected: StepResult = {
    ...PASSED,
    name: 'list orders',
    operation: 'listOrders',
    status: undefined,
    verdict: { kind: 'skipped', cause: 'selection', reason: 'it was not selected' },
  };
  const text = formatTextReport(
    {
      ...resultOf('conforms'),
      contracts: [
        { name: 'Pets', file: 'contracts/pets.yaml', steps: [PASSED, unselected] },
        { name: 'Orders', file: 'contracts/orders.yaml', steps: [unselected, unselected] },
      ],
      coverage: [
        { operation: 'getPet', method: 'GET', path: '/pets/{petId}', steps: 1, statuses: [200] },
        { operation: 'listOrders', method: 'GET', path: '/store/orders', steps: 3, statuses: [] },
      ],
    },
    false,
  );
  expect(text).toContain('\nSKIPPED\n  3 steps: not selected\n\n✓ Pets contracts/pets.yaml: 1 passed, 1 skipped\n');
  expect(text).not.toMatch(/list ?orders/i);
});

test('what is merged into one cause is told with what it expected', () => {
  const documented = { check: 'status-documented', severity: 'error', at: '/response/status' } as const;
  const twice: StepResult = {
    ...FAILED,
    verdict: {
      kind: 'fail',
      findings: [
        { ...documented, message: 'The status is not documented', expected: '201, 400', actual: '200' },
        ...(FAILED.verdict.kind === 'fail' ? FAILED.verdict.findings : []),
      ],
    },
  };
  const text = formatTextReport(resultOf('violations', twice), false);
  expect(text).toContain('  status-expected Expected status 201, got 200\n');
  expect(text).toContain(
    '    related   status-documented The status is not documented (expected 201, 400, actual 200), in step "add a pet"\n' +
      '    total     2 findings in 1 step\n',
  );
});

import { oneStep, cannedTransport, replayText, stepNamed } from './peer';

const STEP = [
  'operation: getCategory',
  'name: wait',
  'parameters: { categoryId: 1 }',
  'repeat: { until: { body: { name: Done } }, attempts: 4, intervalMs: 1, timeoutMs: 5000 }',
  'expect: { status: 200, body: { name: Done } }',
];
const pending = { status: 200, body: '{"id":1,"name":"Pending"}' };
const done = { status: 200, body: '{"id":1,"name":"Done"}' };

test('a request is sent again until its answer is as awaited, and the last answer is the one that counts', async () => {
  const transport = cannedTransport(pending, pending, done);
  const result = await replayText(oneStep(...STEP, 'capture: { what: $response.body#/name }'), transport);
  expect(transport.sent).toHaveLength(3);
  expect(stepNamed(result, 'wait')).toMatchObject({
    attempts: 3,
    status: 200,
    verdict: { kind: 'pass' },
    warnings: [],
  });
  expect(result.contracts[0]!.steps).toHaveLength(1);
});

test('when it does not come within its attempts, the step says so and what was lacking', async () => {
  const transport = cannedTransport(pending);
  const { verdict } = stepNamed(await replayText(oneStep(...STEP), transport), 'wait');
  expect(transport.sent).toHaveLength(4);
  expect(verdict).toMatchObject({
    kind: 'fail',
    findings: [
      {
        check: 'repeat-until',
        message: expect.stringMatching(/^What the step waits for did not come in 4 attempts/) as string,
        expected: '"Done"',
        actual: '"Pending"',
        hint: expect.stringContaining('repeat.attempts is 4') as string,
      },
      { check: 'body-expected' },
    ],
  });
});

test('Retry-After is waited in place of the interval, and the time-out holds for it', async () => {
  const slow = { ...pending, status: 200, headers: ['Content-Type', 'application/json', 'Retry-After', '60'] };
  const transport = cannedTransport(slow);
  const { verdict } = stepNamed(await replayText(oneStep(...STEP), transport), 'wait');
  expect(transport.sent).toHaveLength(1);
  expect(JSON.stringify(verdict)).toContain('the next attempt would be 60000 ms away');
  const zero = { ...slow, headers: ['Content-Type', 'application/json', 'Retry-After', '0'] };
  const patient = oneStep(...STEP.map((line) => line.replace('intervalMs: 1', 'intervalMs: 3600000')));
  expect(stepNamed(await replayText(patient, cannedTransport(zero, done)), 'wait').verdict.kind).toBe('pass');
});

test('an answer on the way need not be what the step expects, but what the description allows', async () => {
  const missing = { status: 404, body: '{"code":"not_found","message":"There is none","status":404}' };
  const late = await replayText(oneStep(...STEP), cannedTransport(missing, done));
  expect(stepNamed(late, 'wait').verdict.kind).toBe('pass');
  const broken = await replayText(oneStep(...STEP), cannedTransport({ status: 200, body: '{"id":"x"}' }, done));
  expect(stepNamed(broken, 'wait').verdict).toMatchObject({ kind: 'fail', findings: [{ check: 'body-schema' }, {}] });
});

test('a status alone can be waited for', async () => {
  const step = STEP.map((line) => line.replace('body: { name: Done } }, attempts', 'status: 200 }, attempts'));
  const missing = { status: 404, body: '{"code":"not_found","message":"There is none","status":404}' };
  const transport = cannedTransport(missing, missing, done);
  expect(stepNamed(await replayText(oneStep(...step), transport), 'wait').verdict.kind).toBe('pass');
  expect(transport.sent).toHaveLength(3);
});

test('an answer that takes longer than its bound is a warning', async () => {
  const step = ['operation: getCategory', 'name: slow', 'parameters: { categoryId: 1 }', 'maxDurationMs: 1'];
  const transport = cannedTransport(done);
  const slow = {
    async send(...sent: Parameters<typeof transport.send>) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return transport.send(...sent);
    },
  };
  const result = stepNamed(await replayText(oneStep(...step, 'expect: { status: 200 }'), slow), 'slow');
  expect(result).toMatchObject({
    verdict: { kind: 'pass' },
    warnings: [{ check: 'duration', expected: 'at most 1 ms' }],
  });
  const quick = oneStep(
    ...step.map((line) => line.replace('maxDurationMs: 1', 'maxDurationMs: 3600000')),
    'expect: { status: 200 }',
  );
  expect(stepNamed(await replayText(quick, transport), 'slow').warnings).toEqual([]);
});

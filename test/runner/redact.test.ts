import { ConfigError } from '../../src/errors/harness-error';
import { createRedactor, redactStep } from '../../src/runner/redact';
import type { StepResult } from '../../src/runner/run-result';

const KEY = 'sk-live/Ab+9==';
const redact = createRedactor(KEY);

test.each([
  { form: 'as it is', text: `Bearer ${KEY} is wrong`, want: 'Bearer $STANDIN_API_KEY is wrong' },
  { form: 'percent-encoded', text: `/a?key=${encodeURIComponent(KEY)}&b`, want: '/a?key=$STANDIN_API_KEY&b' },
  { form: 'with the slashes that JSON may escape', text: '{"k":"sk-live\\/Ab+9=="}', want: '{"k":"$STANDIN_API_KEY"}' },
  { form: 'in base64', text: `Basic ${Buffer.from(KEY).toString('base64')}`, want: 'Basic $STANDIN_API_KEY=' },
  { form: 'cut off', text: 'the key sk-live/A…', want: 'the key $STANDIN_API_KEY…' },
  { form: 'twice', text: `${KEY},${KEY}`, want: '$STANDIN_API_KEY,$STANDIN_API_KEY' },
])('a key is taken out of a text $form', ({ text, want }) => {
  expect(redact(text)).toBe(want);
});

test('without a key nothing is taken out', () => {
  expect(createRedactor(undefined)('a b')).toBe('a b');
});

test('no part of a result keeps the key', () => {
  const finding = { check: 'a', severity: 'error', at: '/b', message: KEY, expected: KEY, actual: `…${KEY}` } as const;
  const step: StepResult = {
    name: 'a step',
    phase: 'steps',
    operation: undefined,
    place: undefined,
    request: {
      method: 'GET',
      url: `http://a/${KEY}`,
      headers: ['Authorization', `Bearer ${KEY}`],
      body: `{"a":"${KEY}"}`,
    },
    recipe: undefined,
    status: 200,
    durationMs: 1,
    attempts: 1,
    verdict: { kind: 'fail', findings: [finding] },
    warnings: [finding],
  };
  expect(JSON.stringify(redactStep(step, redact))).not.toContain('sk-live');
  const error = new ConfigError('CONFIG_INVALID', `the key ${KEY}`);
  const { verdict } = redactStep({ ...step, verdict: { kind: 'error', error } }, redact);
  expect(verdict).toMatchObject({ error: { code: 'CONFIG_INVALID', message: 'the key $STANDIN_API_KEY' } });
});

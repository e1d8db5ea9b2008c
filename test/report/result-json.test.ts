import Ajv from 'ajv';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, TransportError } from '../../src/errors/harness-error';
import { formatResultJson } from '../../src/report/result-json';
import { readResultJson } from '../../src/report/read-result';
import { resultJsonSchema } from '../../src/report/result-shape';
import type { RunResult } from '../../src/runner/run-result';
import { arbitraryResult, failed, PASSED, resultOf, resultOfSteps, skipped, statusFinding } from './results';

const SCHEMA_FILE = join(__dirname, '..', '..', 'docs', 'result.schema.json');
const example = resultOfSteps(PASSED, failed([statusFinding(500, 200)]), skipped('later', 'pending', 'not yet'));

test('docs/result.schema.json is the schema that results are written and read by', () => {
  expect(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'))).toEqual(resultJsonSchema());
});

test('every result is valid by the schema, and has no member that the schema does not know', () => {
  const validate = new Ajv({ allErrors: true, strict: true }).compile(resultJsonSchema(true));
  fc.assert(
    fc.property(arbitraryResult, (result) => {
      validate(JSON.parse(formatResultJson(result)));
      expect(validate.errors ?? []).toEqual([]);
    }),
  );
});

test('what was written is read back as it was', () => {
  fc.assert(
    fc.property(arbitraryResult, (result) => {
      expect(readResultJson(formatResultJson(result))).toEqual(result);
    }),
  );
});

test('an error is its code, its message and its hint', () => {
  const error = new TransportError('TRANSPORT_TIMEOUT', 'no answer', { hint: 'wait', cause: new Error('secret') });
  const text = formatResultJson(resultOfSteps({ ...PASSED, status: undefined, verdict: { kind: 'error', error } }));
  const { verdict } = JSON.parse(text).contracts[0].steps[0];
  expect(verdict).toEqual({
    kind: 'error',
    error: { code: 'TRANSPORT_TIMEOUT', message: 'no answer', hint: 'wait', findings: [] },
  });
  expect(text).not.toContain('secret');
});

test('members stand in one order, however the result was put together', () => {
  const shuffled = Object.fromEntries(Object.entries(example).reverse()) as unknown as RunResult;
  expect(formatResultJson(shuffled)).toBe(formatResultJson(example));
  expect(Object.keys(JSON.parse(formatResultJson(example))).slice(0, 3)).toEqual(['format', 'version', 'runId']);
});

test('a member that a later version added is let through', () => {
  const text = formatResultJson(resultOf()).replace('{', '{ "later": { "a": 1 },');
  expect(readResultJson(text)).toEqual(resultOf());
});

test.each([
  { what: 'no JSON', change: (text: string) => text.slice(0, 40), says: 'r.json:' },
  { what: 'another format', change: (text: string) => text.replace('result/1', 'result/2'), says: 'one of result/1' },
  {
    what: 'an unknown verdict',
    change: (text: string) => text.replace('"pass"', '"passed"').replaceAll('"kind": "pass"', '"kind": "passed"'),
    says: 'one of pass, fail, error, skipped',
  },
  {
    what: 'a missing member',
    change: (text: string) => text.replace('"runId": "run1",', ''),
    says: 'The member "runId" is missing',
  },
  { what: 'a number for a text', change: (text: string) => text.replace('"Library API 1.0.0"', '7'), says: 'text' },
  {
    what: 'a negative count',
    change: (text: string) => text.replace('"attempts": 1', '"attempts": -1'),
    says: 'a whole number from 0',
  },
  { what: 'a list of another thing', change: () => '[]', says: 'an object' },
])('$what is refused, with the line', ({ change, says }) => {
  let refusal: unknown;
  try {
    readResultJson(change(formatResultJson(example)), 'r.json');
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(ConfigError);
  const { code, message, findings } = refusal as ConfigError;
  expect([code, message]).toEqual(['CONFIG_INVALID', 'r.json is no result of standin']);
  const texts = findings.map(
    (finding) => `${finding.file}:${finding.line ?? '?'} ${finding.message} ${finding.expected ?? ''}`,
  );
  expect(texts.join('\n')).toContain(says);
  expect(findings[0]?.line).toBeGreaterThan(0);
});

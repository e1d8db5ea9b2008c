import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, ERROR_CODES, TransportError } from '../../src/core/errors/standin-error';
import { formatResultJson } from '../../src/report/kinds/json-report';
import { readResultJson } from '../../src/report/result/merge-results';
import { SUSPECTS } from '../../src/report/causes/root-cause';
import { OUTCOME_WORDS, VERDICT_WORDS } from '../../src/report/causes/run-summary';
import { MODES, RESULT_FORMAT, type RunResult, SKIP_CAUSES } from '../../src/runner/result/run-result';
import { thrownBy } from '../openapi/load-text';
import { arbitraryResult, failed, PASSED, resultOf, resultOfSteps, skipped, statusFinding } from './results';

const SCHEMA_FILE = join(__dirname, '..', '..', 'docs', 'result.schema.json');
const example = resultOfSteps(PASSED, failed([statusFinding(500, 200)]), skipped('later', 'pending', 'not yet'));

const schema = JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'));

test('docs/result.schema.json lists the words of the code', () => {
  const { properties, definitions } = schema;
  expect(properties.format.const).toBe(RESULT_FORMAT);
  expect(properties.mode.enum).toEqual([...MODES, 'recorded']);
  expect(properties.outcome.enum).toEqual(Object.keys(OUTCOME_WORDS));
  expect(definitions.cause.properties.suspect.enum).toEqual(SUSPECTS);
  expect(definitions.error.properties.code.enum).toEqual(ERROR_CODES);
  expect(definitions.verdict.properties.kind.enum.toSorted()).toEqual(Object.keys(VERDICT_WORDS).toSorted());
  expect(definitions.verdict.allOf[3].then.properties.cause.enum).toEqual(SKIP_CAUSES);
});

interface Condition {
  readonly if: object;
  readonly then: { readonly required: string[]; readonly properties: object };
}

/** The schema without room for properties that it does not declare. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const { allOf = [], ...rest } = part as { allOf?: Condition[]; type?: unknown; properties?: object };
  const inside = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, closed(value)]));
  const conditions = allOf.map(({ if: condition, then: { required, properties } }) => {
    return { if: condition, then: { required, properties: closed(properties) } };
  });
  const names = [rest, ...allOf.map(({ then }) => then)].flatMap(({ properties = {} }) => Object.keys(properties));
  return {
    ...inside,
    ...(allOf.length === 0 ? {} : { allOf: conditions }),
    ...(rest.type === 'object' ? { propertyNames: { enum: names } } : {}),
  };
}

test('every result is valid by the schema, and has no member that the schema does not know', () => {
  const validate = addFormats(new Ajv({ allErrors: true, strict: false })).compile(closed(schema) as object);
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
  const error = new TransportError('TRANSPORT_TIMEOUT', 'no response', { hint: 'wait', cause: new Error('secret') });
  const text = formatResultJson(resultOfSteps({ ...PASSED, status: undefined, verdict: { kind: 'error', error } }));
  const { verdict } = JSON.parse(text).contracts[0].steps[0];
  expect(verdict).toEqual({
    kind: 'error',
    error: { code: 'TRANSPORT_TIMEOUT', message: 'no response', hint: 'wait', findings: [] },
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
  {
    what: 'another format',
    change: (text: string) => text.replace('result/1', 'result/2'),
    says: '"format" must be "result/1", got the string "result/2"',
  },
  {
    what: 'an unknown verdict',
    change: (text: string) => text.replace('"pass"', '"passed"').replaceAll('"kind": "pass"', '"kind": "passed"'),
    says: 'one of pass, fail, error, skipped',
  },
  {
    what: 'a missing member',
    change: (text: string) => text.replace('"runId": "run1",', ''),
    says: 'The property "runId" is missing',
  },
  {
    what: 'a number for a text',
    change: (text: string) => text.replace('"Library API 1.0.0"', '7'),
    says: '"api" must be a string, got 7',
  },
  {
    what: 'a negative count',
    change: (text: string) => text.replace('"attempts": 1', '"attempts": -1'),
    says: 'a whole number from 0',
  },
  {
    what: 'a start that is no moment',
    change: (text: string) => text.replace(/"startedAt": "[^"]*"/, '"startedAt": "2031-13-45"'),
    says: '"startedAt" must be a date-time such as 2031-01-01T00:00:00Z, got the string "2031-13-45"',
  },
  {
    what: 'a number of shards that no run has',
    change: (text: string) => text.replace('"startedAt"', '"shard": { "index": 1, "count": 1e300 }, "startedAt"'),
    says: '"count" must be a whole number from 1 to 9999, got 1e300',
  },
  { what: 'a list of another thing', change: () => '[]', says: 'must be an object, got an array' },
])('$what is refused, with the line', ({ change, says }) => {
  let refusal: unknown;
  try {
    readResultJson(change(formatResultJson(example)), 'r.json');
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(ConfigError);
  const { code, message, findings } = refusal as ConfigError;
  expect([code, message]).toEqual(['CONFIG_INVALID', 'r.json is not a result of standin']);
  const texts = findings.map(
    (finding) => `${finding.file}:${finding.line ?? '?'} ${finding.message} ${finding.expected ?? ''}`,
  );
  expect(texts.join('\n')).toContain(says);
  expect(findings[0]?.line).toBeGreaterThan(0);
});

test('of a result of another version only that is told', () => {
  const text = formatResultJson(example).replace('result/1', 'result/99').replace('"attempts": 1', '"attempts": -1');
  const refused = thrownBy(() => readResultJson(text, 'r.json'));
  const message = '"format" must be "result/1", got the string "result/99"';
  expect(refused.findings).toMatchObject([{ message, line: 2 }]);
});

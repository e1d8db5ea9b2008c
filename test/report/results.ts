import fc from 'fast-check';
import {
  SKIP_CAUSES,
  type ContractResult,
  type LocatedFinding,
  type Outcome,
  type Residue,
  type RunResult,
  type StepResult,
  type Verdict,
} from '../../src/runner/result/run-result';
import { allSteps, outcomeOf, isEmptyShard } from '../../src/runner/result/outcome';
import { anyCharacter } from '../support/any-character';

/** A step that passed. */
export const PASSED: StepResult = {
  name: 'read a book',
  phase: 'steps',
  operation: 'getBook',
  place: 'contracts/a.yaml:4:5',
  request: { method: 'GET', url: 'http://localhost/books/1', headers: ['Accept', 'application/json'], body: undefined },
  recipe: undefined,
  status: 200,
  durationMs: 12,
  attempts: 1,
  verdict: { kind: 'pass', checksRun: 4 },
  warnings: [],
};

export const KEYED = ['Accept', 'application/json', 'Authorization', 'Bearer $STANDIN_API_KEY'];

export function findingOf(check: string, at: string, more: Partial<LocatedFinding> = {}): LocatedFinding {
  return { check, severity: 'error', at, message: `${check} speaks`, ...more };
}

export function statusFinding(actual: number, expected: number): LocatedFinding {
  return findingOf('status-expected', '/response/status', {
    message: `Expected status ${expected}, got ${actual}`,
    expected: String(expected),
    statuses: [expected],
    actual: String(actual),
    place: 'openapi.yaml:9:5',
  });
}

export function failed(findings: readonly LocatedFinding[], more: Partial<StepResult> = {}): StepResult {
  return { ...PASSED, verdict: { kind: 'fail', findings }, ...more };
}

export function skipped(
  name: string,
  cause: (typeof SKIP_CAUSES)[number],
  reason: string,
  because?: string,
): StepResult {
  const nothing = { request: undefined, status: undefined, durationMs: undefined, attempts: 0 };
  return { ...PASSED, ...nothing, name, verdict: { kind: 'skipped', cause, reason, because } };
}

export function contractOf(name: string, ...steps: StepResult[]): ContractResult {
  return { name, file: `contracts/${name}.yaml`, steps };
}

/** A result whose outcome is what its steps say. */
export function resultOf(more: Partial<RunResult> = {}): RunResult {
  const parts = { contracts: [], probes: [], leftBehind: [], ...more };
  return {
    format: 'result/1',
    version: '0.0.0',
    runId: 'run1',
    startedAt: '2026-11-20T10:00:00.000Z',
    durationMs: 20,
    api: 'Library API 1.0.0',
    description: 'openapi.yaml',
    baseUrl: 'http://localhost',
    mode: 'full',
    shard: undefined,
    coverage: [],
    outcome: outcomeOfParts(parts),
    ...parts,
  };
}

/** A shard that nothing fell to is no fault. */
function outcomeOfParts(parts: Pick<RunResult, 'contracts' | 'probes' | 'leftBehind'> & Partial<RunResult>): Outcome {
  return outcomeOf(allSteps(parts), parts.leftBehind, {
    isEmpty: isEmptyShard({ shard: undefined, ...parts }),
    allowsSkipped: parts.allowsSkipped,
  });
}

export function resultOfSteps(...steps: StepResult[]): RunResult {
  return resultOf({ contracts: [contractOf('Books', ...steps)] });
}

const NASTY = [
  ...['<script>alert(1)</script>', ']]>', '"\'&', '\u0000\u0008\u001b[2J', '\ud800', 'a\udfffb', '\ufffe\uffff'],
  ...['| a | b |', '```', '@team #1', '::error::x%0A', '{0} [a](b)', '\r\n\t', '-->', '\u202e', '😀', '', ' '],
];

/** Texts as servers send them, and as nobody should. */
const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.string({ maxLength: 12 }),
);
const optional = fc.option(text, { nil: undefined });
const place = fc.option(fc.constantFrom('openapi.yaml:3:5', 'sub\\b.yaml:10:1', 'no place'), { nil: undefined });
const operation = fc.option(fc.constantFrom('listBooks', 'getBook', 'addBook'), { nil: undefined });

const finding: fc.Arbitrary<LocatedFinding> = fc.record({
  check: fc.constantFrom(
    'status-expected',
    'status-documented',
    'content-type',
    'body-schema',
    'error-contract',
    'capture',
  ),
  severity: fc.constant('error' as const),
  at: fc.constantFrom(
    '/response/status',
    '/response/body',
    '/response/body/0/id',
    '/response/body/7/id',
    '/response/headers/a',
  ),
  message: text,
  expected: optional,
  actual: optional,
  spec: fc.option(fc.constantFrom('/components/schemas/Book/properties/id', '/paths/~1books/get'), { nil: undefined }),
  place,
  hint: optional,
});
const warning = finding.map((each): LocatedFinding => ({ ...each, severity: 'warning' }));

const verdict: fc.Arbitrary<Verdict> = fc.oneof(
  fc.record({ kind: fc.constant('pass' as const), checksRun: fc.nat(20) }),
  fc.record({ kind: fc.constant('fail' as const), findings: fc.array(finding, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('error' as const),
    error: fc.record({
      code: fc.constantFrom(
        'TRANSPORT_TIMEOUT' as const,
        'TRANSPORT_UNREACHABLE' as const,
        'SPEC_SCHEMA_DOES_NOT_COMPILE' as const,
      ),
      message: text,
      hint: optional,
      findings: fc.constant([]),
    }),
  }),
  fc.record({ kind: fc.constant('skipped' as const), reason: text, cause: fc.constantFrom(...SKIP_CAUSES) }),
);

const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'DELETE', 'HEAD'),
  url: text.map((path) => `http://localhost/${path}`),
  headers: fc.array(text, { maxLength: 2 }).map((values) => values.flatMap((value) => ['X-Header', value])),
  body: optional,
});

const step: fc.Arbitrary<StepResult> = fc
  .record({
    name: text,
    phase: fc.constantFrom('setup' as const, 'steps' as const, 'cleanup' as const),
    operation,
    place,
    request,
    status: fc.constantFrom(200, 201, 302, 401, 404, 503),
    durationMs: fc.nat(5000),
    attempts: fc.integer({ min: 1, max: 3 }),
    verdict,
    warnings: fc.array(warning, { maxLength: 2 }),
    recipe: fc.option(
      fc.record({
        request,
        uses: fc.constantFrom([], ['bookId'], ['shelfId']),
        captures: fc.constantFrom(
          [],
          [{ name: 'bookId', text: '$response.body#/id' }],
          [{ name: 'shelfId', text: '$response.header.Location' }],
        ),
      }),
      { nil: undefined },
    ),
  })
  .map((each): StepResult => {
    if (each.verdict.kind === 'skipped') {
      return {
        ...each,
        request: undefined,
        recipe: undefined,
        status: undefined,
        durationMs: undefined,
        attempts: 0,
        warnings: [],
      };
    }
    return each.verdict.kind === 'error' ? { ...each, status: undefined } : each;
  });

const residue: fc.Arbitrary<Residue> = fc.record({
  url: text,
  operation: fc.constant('addBook'),
  reason: text,
  isAccepted: fc.boolean(),
});

/** Results of every outcome, with whatever texts. */
export const arbitraryResult: fc.Arbitrary<RunResult> = fc
  .record({
    api: text,
    baseUrl: fc.constantFrom('http://localhost', 'https://example.com/v1'),
    contracts: fc.array(
      fc.record({ name: text, file: fc.constantFrom('a.yaml', 'b\\c.yaml'), steps: fc.array(step, { maxLength: 6 }) }),
      {
        maxLength: 3,
      },
    ),
    probes: fc.array(
      step.map((each): StepResult => ({ ...each, phase: 'auth', place: undefined })),
      { maxLength: 3 },
    ),
    leftBehind: fc.array(residue, { maxLength: 2 }),
    coverage: fc.constant([{ operation: 'getBook', method: 'GET', path: '/books/{id}', steps: 1, statuses: [200] }]),
    shard: fc.option(fc.constant({ index: 1, count: 2 }), { nil: undefined }),
  })
  .map(resultOf);

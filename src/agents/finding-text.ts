import { formatSourceLocation, type SourceFinding } from '../core/errors/standin-error';
import type { JsonObject } from '../core/json/json-value';
import type { ContractResult, LocatedFinding, RunResult, StepResult } from '../runner/result/run-result';

/** A finding about a file, as an agent reads it. */
export function findingText(finding: SourceFinding): JsonObject {
  const { severity, rule, message, pointer, expected, hint } = finding;
  return withoutNothing({ severity, rule, at: formatSourceLocation(finding), pointer, message, expected, hint });
}

/** How a run went, with its first failures. */
export function runSummary(result: RunResult, most: number): JsonObject {
  const steps = result.contracts.flatMap(({ steps: all }) => all);
  const failures = failuresOf(result);
  return {
    outcome: result.outcome,
    baseUrl: result.baseUrl,
    mode: result.mode,
    steps: counts(steps),
    callsWithoutKey: counts(result.probes),
    warnings: warningsOf(result).length,
    leftBehind: result.leftBehind.length,
    failures: failures.slice(0, most),
    ...(failures.length > most ? { more: `${failures.length - most} more: read_findings has them` } : {}),
  };
}

function counts(steps: readonly StepResult[]): JsonObject {
  const count = (kind: StepResult['verdict']['kind']): number =>
    steps.filter(({ verdict }) => verdict.kind === kind).length;
  return { passed: count('pass'), failed: count('fail'), errors: count('error'), skipped: count('skipped') };
}

/** Every step that did not pass, with its evidence. */
export function failuresOf(result: RunResult): JsonObject[] {
  return partsOf(result).flatMap((contract) =>
    contract.steps.flatMap((step) => (step.verdict.kind === 'pass' ? [] : [failure(contract, step)])),
  );
}

/** Every warning, with its step. */
export function warningsOf(result: RunResult): JsonObject[] {
  return partsOf(result).flatMap(({ steps }) =>
    steps.flatMap((step) => step.warnings.map((each) => ({ step: step.name, ...evidence(each) }))),
  );
}

function partsOf({ contracts, probes }: RunResult): readonly ContractResult[] {
  return [...contracts, { name: 'calls without a valid key', file: '', steps: probes }];
}

function failure({ name: contract }: ContractResult, step: StepResult): JsonObject {
  const { name, place, request, status, verdict, response } = step;
  return withoutNothing({
    contract,
    step: name,
    place,
    request: request && `${request.method} ${request.url}`,
    sent: request?.body?.slice(0, MOST_TEXT),
    status,
    verdict: verdict.kind,
    findings: verdict.kind === 'fail' ? verdict.findings.map(evidence) : undefined,
    reason: verdict.kind === 'skipped' ? verdict.reason : undefined,
    error: verdict.kind === 'error' ? `${verdict.error.code}: ${verdict.error.message}` : undefined,
    response: response?.body?.slice(0, MOST_TEXT),
  });
}

/** Characters of a body that an agent is shown. */
const MOST_TEXT = 1500;

/** With its place in the description. */
function evidence({ check, severity, at, message, expected, actual, place, spec, hint }: LocatedFinding): JsonObject {
  return withoutNothing({ check, severity, at, message, expected, actual, description: place ?? spec, hint });
}

function withoutNothing(facts: Readonly<Record<string, unknown>>): JsonObject {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(known) as JsonObject;
}

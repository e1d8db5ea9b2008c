import { createHash } from 'node:crypto';
import type { ResponseCheck } from '../../checks/response-check';
import { RESPONSE_CHECKS } from '../../checks/response/registry';
import { RUN_CHECKS } from '../../checks/run/registry';
import { TRAFFIC_CHECKS } from '../../checks/traffic-checks';
import type { CheckArea, CheckDefinition } from '../../core/errors/finding';
import { KEY_VARIABLE, schemeVariable } from '../../redaction/key-redactor';
import type { LocatedFinding, SentRequest, StepResult } from '../../runner/result/run-result';
import {
  CAPTURE,
  LOCK_STEP,
  EVENT_EXPECTED,
  EVENT_ORDER,
  EVENT_REPEATED,
  EVENT_SIGNATURE,
  NO_ORDER,
  OTHER_CALLER,
  REJECTED_WRITE_CHANGED,
  SUCCESSES_EXPECTED,
} from '../../runner/result/runner-checks';

/** A failing finding, with the one that stands for it. */
export interface FingerprintedFinding {
  readonly finding: LocatedFinding;
  /** The finding that says the same place of the same response best; often the finding itself. */
  readonly primary: LocatedFinding;
  /** Of the primary one: stable between runs, deployments and machines. */
  readonly fingerprint: string;
}

/** How findings of a check are gathered, by its id; of what is not listed nothing special is known. */
const DEFINITIONS: ReadonlyMap<string, Partial<CheckDefinition & Pick<ResponseCheck, 'basis'>>> = new Map(
  [
    ...RESPONSE_CHECKS,
    ...TRAFFIC_CHECKS,
    CAPTURE,
    REJECTED_WRITE_CHANGED,
    LOCK_STEP,
    NO_ORDER,
    OTHER_CALLER,
    SUCCESSES_EXPECTED,
    EVENT_EXPECTED,
    EVENT_SIGNATURE,
    EVENT_ORDER,
    EVENT_REPEATED,
    // What these find is seen over a whole run: whether it shows, and at which step, depends on what was under way.
    ...RUN_CHECKS.map(({ id, area }): CheckDefinition => ({
      id,
      area,
      scope: 'run',
      priority: -6,
      expectsVarying: true,
    })),
  ].map((check) => [check.id, check]),
);

function definitionOf({ check }: Pick<LocatedFinding, 'check'>): NonNullable<ReturnType<typeof DEFINITIONS.get>> {
  return DEFINITIONS.get(check) ?? {};
}

/**
 * The findings with their fingerprints: operation (or `*`), check, place with the indexes of lists folded, and
 * expectation without what differs between runs. Findings of one response about one place have one fingerprint, and one
 * that counts what is not listed has that of the finding before it.
 *
 * @param runId - of the run, which names of created things hold; several for a joined result
 */
export function fingerprintFindings(
  step: StepResult,
  findings: readonly LocatedFinding[],
  runId: string,
): FingerprintedFinding[] {
  const primaries = new Map<string, LocatedFinding>();
  for (const finding of findings) {
    if (finding.omitted !== undefined) continue;
    const place = foldPointer(finding.at);
    const earlier = primaries.get(place);
    if (earlier === undefined || priorityOf(finding) > priorityOf(earlier)) primaries.set(place, finding);
  }
  return findings.map((finding, index) => {
    const before = findings.slice(0, index);
    const listed =
      finding.omitted === undefined
        ? finding
        : (before.findLast(({ check, omitted }) => check === finding.check && omitted === undefined) ?? finding);
    const primary = primaries.get(foldPointer(listed.at)) ?? listed;
    return { finding, primary, fingerprint: fingerprintOf(step, primary, runId) };
  });
}

function priorityOf(finding: LocatedFinding): number {
  return definitionOf(finding).priority ?? 0;
}

/** What the check of a finding looks at; the few without a definition are about the message and its way. */
export function areaOf(finding: Pick<LocatedFinding, 'check'>): CheckArea {
  return DEFINITIONS.get(finding.check)?.area ?? 'http';
}

/** Is a finding of a check over a whole run? Then the operation of its step says nothing, and its message all. */
export function isRunCheck(check: string): boolean {
  return definitionOf({ check }).scope === 'run';
}

function fingerprintOf(step: StepResult, finding: LocatedFinding, runId: string): string {
  const { check } = finding;
  // What such a one expects is what another response held.
  if (isCredentialRejection(step, finding)) return shortHash(['*', check, `/response/status of a ${step.status ?? 0}`]);
  const scope = scopeOf(step, finding);
  return shortHash([
    scope === 'operation' ? (step.operation ?? step.name) : '*',
    check,
    fingerprintLocation(step, finding, scope),
    ...identityOf(step, finding, scope).map((text) => stableText(text, finding, runId)),
  ]);
}

/** What a finding holds of; a probe asks about the service as a whole. */
function scopeOf({ phase }: StepResult, finding: LocatedFinding): 'service' | 'component' | 'operation' | 'run' {
  const { scope, basis } = definitionOf(finding);
  if (scope !== undefined) return scope;
  // What a contract expects is of one operation, also where the response is a shared one.
  if (finding.spec?.startsWith('/components/') === true && basis !== 'contract') return 'component';
  return phase === 'auth' ? 'service' : 'operation';
}

/** What is violated, and what was expected in its place: texts that no release changes. */
function identityOf(
  step: StepResult,
  finding: LocatedFinding,
  scope: ReturnType<typeof scopeOf>,
): readonly [rule: string, expected: string] {
  const { message, statuses, identity = {} } = finding;
  if (statuses !== undefined) {
    const wanted = (step.phase === 'auth' ? withoutMissingMethod(statuses) : statuses).join(' or ');
    return [`The status is ${step.status ?? 0}, not ${wanted}`, wanted];
  }
  const { subject, rule = message, expected = finding.expected ?? '' } = identity;
  // In a list and alone, at whatever depth, a shared component breaks one rule.
  const told = subject === undefined || scope === 'component' ? rule : `${subject} ${rule}`;
  return [told, definitionOf(finding).expectsVarying === true ? '' : expected];
}

/** A stranger who asks by HEAD may be told that there is no such method as well: it is one matter with the GET. */
function withoutMissingMethod(statuses: readonly number[]): readonly number[] {
  return statuses.join() === '401,404,405' ? [401] : statuses;
}

/**
 * Is it about the rejection of credentials, which is one matter whatever the operation: a 401 or 403 that is documented
 * nowhere, or a key that is not taken?
 */
export function isCredentialRejection({ status, phase, request }: StepResult, { check, at }: LocatedFinding): boolean {
  if (at !== '/response/status' || (status !== 401 && status !== 403)) return false;
  if (check === 'status-documented') return true;
  return check === 'status-expected' && status === 401 && phase !== 'auth' && sendsKey(request);
}

/** The variables of the keys of a run, and what a shell makes of them. */
const RUN_KEY = new RegExp(`\\$\\{?(?:${KEY_VARIABLE.slice(1)}|${schemeVariable('')})`);

/** Does a request carry the key that the run was given? */
export function sendsKey(request: SentRequest | undefined): boolean {
  if (request === undefined) return false;
  const values = request.headers.filter((_, index) => index % 2 === 1);
  return [request.url, ...values].some((text) => RUN_KEY.test(text));
}

/** A component that several operations share has one place in the description and many in the responses. */
function fingerprintLocation(
  { status = 0 }: StepResult,
  finding: LocatedFinding,
  scope: ReturnType<typeof scopeOf>,
): string {
  if (scope === 'component') return foldPointer(finding.spec ?? '');
  const at = foldPointer(finding.at);
  // Who accepts that errors are not JSON does not accept it of what was asked for.
  return definitionOf(finding).scope === 'service' && status >= 400 ? `${at} of errors` : at;
}

/** What a finding says of the response, without the values that it names; indexes of lists are folded. */
export function ruleOf({ message, identity: { subject, rule } = {} }: LocatedFinding): string {
  return foldPointer(rule === undefined ? message : [subject, rule].join(' '));
}

/** Twelve hexadecimal digits: enough to tell the causes of one service apart, short enough to be read. */
export function shortHash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}

/** A JSON pointer with `*` in the place of each index of a list. */
export function foldPointer(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, '/*');
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/**
 * What a server generated and a contract captured: an entity tag, a cursor, a ULID. Told by its length and by digits
 * before letters or capitals after small letters, because words have neither.
 */
const RANDOM = /(?<![\w-])(?=[\w-]{8,})(?=[\w-]*(?:\d[A-Za-z]|[a-z][A-Z]{2}))[\w-]+={0,2}/g;

/** Without what is another one in each run: the run id, uuids, indexes; in values of the contract what was captured. */
function stableText(text: string, finding: LocatedFinding, runId: string): string {
  const ids = runId.split('+').filter((id) => id !== '');
  const named = ids
    .reduce((rest, id) => rest.replaceAll(id, '…'), text)
    .replace(UUID, '…')
    .replace(/\/\d+(?=[/\s]|$)/g, '/*');
  const hasOwnNumbers = definitionOf(finding).basis === 'contract' && finding.at !== '/response/status';
  return hasOwnNumbers ? named.replace(RANDOM, '…').replace(/\d+/g, '0') : named;
}

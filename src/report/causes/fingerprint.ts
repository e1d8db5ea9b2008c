import { createHash } from 'node:crypto';
import { RUN_CHECKS } from '../../checks/run/registry';
import { KEY_VARIABLE } from '../../redaction/key-redactor';
import type { LocatedFinding, SentRequest, StepResult } from '../../runner/result/run-result';

/** A failing finding, with the one that stands for it. */
export interface FingerprintedFinding {
  readonly finding: LocatedFinding;
  /** The finding that says the same place of the same response best; often the finding itself. */
  readonly primary: LocatedFinding;
  /** Of the primary one: stable between runs, deployments and machines. */
  readonly fingerprint: string;
}

/** What these say holds of a service as a whole, whichever operation they met it at. */
const GENERAL_CHECKS: ReadonlySet<string> = new Set([
  'error-contract',
  'content-type',
  'no-body',
  'body-json',
  'www-authenticate',
  'allow',
  'cors',
]);

/** A probe whose effect is checked: of one operation, and not of the credentials as a whole. */
const REJECTED_WRITE = 'rejected-write-changed';

/** What these find is seen over a whole run: at which step it shows, and whether, depends on what was under way. */
const RUN_CHECK_IDS: ReadonlySet<string> = new Set(RUN_CHECKS.map(({ id }) => id));

/** Of several findings about one place, these speak last: the others say the same with more to go on. */
const LOW_PRIORITY_CHECKS = [
  'status-documented',
  'code-expected',
  'body-expected',
  'headers-expected',
  'capture',
  ...RUN_CHECK_IDS,
];

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
    if (earlier === undefined || checkPriority(finding) < checkPriority(earlier)) primaries.set(place, finding);
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

function checkPriority({ check }: LocatedFinding): number {
  return LOW_PRIORITY_CHECKS.indexOf(check);
}

/** Is a finding of a check over a whole run? Then the operation of its step says nothing, and its message all. */
export function isRunCheck(check: string): boolean {
  return RUN_CHECK_IDS.has(check);
}

function fingerprintOf(step: StepResult, finding: LocatedFinding, runId: string): string {
  const { check, at } = finding;
  // What such a one expects is what another response held.
  if (isCredentialRejection(step, finding)) return shortHash(['*', check, `/response/status of a ${step.status ?? 0}`]);
  if (isRunCheck(check))
    return shortHash(['*', check, foldPointer(at), stableText(finding.message, finding, runId), '']);
  const isShared = isAboutSharedComponent(finding);
  const isGeneral = isShared || GENERAL_CHECKS.has(check) || (step.phase === 'auth' && check !== REJECTED_WRITE);
  return shortHash([
    isGeneral ? '*' : (step.operation ?? step.name),
    check,
    fingerprintLocation(step, finding),
    stableText(asForGet(isShared ? withoutLocation(finding) : finding.message, step), finding, runId),
    stableText(asForGet(expectationOf(finding), step), finding, runId),
  ]);
}

/** A stranger who asks by HEAD may be told that there is no such method as well: it is one matter with the GET. */
function asForGet(text: string, { phase }: StepResult): string {
  return phase === 'auth' ? text.replace(/\b401 or 404 or 405$/, '401') : text;
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

/** Does a request carry the key that the run was given? */
export function sendsKey(request: SentRequest | undefined): boolean {
  if (request === undefined) return false;
  const values = request.headers.filter((_, index) => index % 2 === 1);
  return [request.url, ...values].some((text) => text.includes(KEY_VARIABLE));
}

/** Is it about a part of the description that operations share? What a contract expects is of one operation. */
function isAboutSharedComponent({ check, spec }: LocatedFinding): boolean {
  const isComponent = spec?.startsWith('/components/') === true;
  return isComponent && !check.endsWith('-expected') && !GENERAL_CHECKS.has(check);
}

/** A part that several operations share has one place in the description and many in the responses. */
function fingerprintLocation({ status = 0 }: StepResult, finding: LocatedFinding): string {
  const { check, at, spec = '' } = finding;
  if (isAboutSharedComponent(finding)) return foldPointer(spec);
  // Who accepts that errors are no JSON does not accept it of what was asked for.
  return GENERAL_CHECKS.has(check) && status >= 400 ? `${foldPointer(at)} of errors` : foldPointer(at);
}

/** In a list and alone, at whatever depth, a shared part breaks one rule: `must be an integer`. */
function withoutLocation({ message }: LocatedFinding): string {
  return message.replace(/^The (?:body|field .*?) (?=must )/s, '');
}

/** What tells one cause from another at one place. */
function expectationOf({ check, message, expected = '' }: LocatedFinding): string {
  // What was read before a write that was to be rejected is of this run alone, and each status is the one of a response.
  if (check === REJECTED_WRITE || check === 'error-contract') return '';
  // What is not there at all is so whichever value it should have.
  return check === 'body-expected' && message.endsWith(' is missing') ? '' : expected;
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
function stableText(text: string, { check, at }: LocatedFinding, runId: string): string {
  const ids = runId.split('+').filter((id) => id !== '');
  const named = ids
    .reduce((rest, id) => rest.replaceAll(id, '…'), text)
    .replace(UUID, '…')
    .replace(/\/\d+(?=[/\s]|$)/g, '/*');
  const hasOwnNumbers = check.endsWith('-expected') && at !== '/response/status';
  return hasOwnNumbers ? named.replace(RANDOM, '…').replace(/\d+/g, '0') : named;
}

import type { Expectation } from '../../formats/contract/contract';
import { type Finding, limitFindings } from '../../core/errors/finding';
import { allow } from './headers/allow';
import { bodyExpected } from './expected/body-expected';
import { bodyJson } from './body/body-json';
import { bodyPresent } from './body/body-present';
import { bodySchema } from './body/body-schema';
import { cacheControl } from './headers/cache-control';
import { cors } from './headers/cors';
import { codeExpected } from './expected/code-expected';
import { contentType } from './headers/content-type';
import { date } from './headers/date';
import { deprecation } from './headers/deprecation';
import { errorContract } from './body/error-contract';
import { errorStatus } from './status/error-status';
import { etag } from './headers/etag';
import { headersExpected } from './expected/headers-expected';
import { headersSchema } from './headers/headers-schema';
import { internals } from './body/internals';
import { link } from './headers/link';
import { location } from './headers/location';
import { noBody } from './body/no-body';
import { noServerError } from './status/no-server-error';
import { notModified } from './headers/not-modified';
import type { ObservedResponse, ResponseCheck } from '../response-check';
import { retryAfter } from './headers/retry-after';
import { secretEcho } from './body/secret-echo';
import { statusDocumented } from './status/status-documented';
import { statusExpected } from './expected/status-expected';
import { statusFitsHeaders } from './status/status-fits-headers';
import { statusFitsRequest } from './status/status-fits-request';
import { sunset } from './headers/sunset';
import { sunsetOrder } from './headers/sunset-order';
import { undocumentedProperties } from './body/undocumented-members';
import { writeOnly } from './body/write-only';
import { wwwAuthenticate } from './headers/www-authenticate';

/** Every check of a response, in the order that findings are read: what the contract said, then what always holds. */
export const RESPONSE_CHECKS: readonly ResponseCheck[] = [
  statusExpected,
  codeExpected,
  bodyExpected,
  headersExpected,
  statusDocumented,
  noServerError,
  statusFitsRequest,
  statusFitsHeaders,
  contentType,
  noBody,
  bodyPresent,
  bodyJson,
  bodySchema,
  writeOnly,
  undocumentedProperties,
  errorContract,
  errorStatus,
  internals,
  secretEcho,
  headersSchema,
  wwwAuthenticate,
  allow,
  location,
  link,
  etag,
  notModified,
  cacheControl,
  cors,
  retryAfter,
  deprecation,
  sunset,
  sunsetOrder,
  date,
];

/** What the checks found in one response. */
export interface ResponseCheckResult {
  readonly findings: readonly Finding[];
  /** Checks that had something to check. */
  readonly checksRun: number;
}

/** What is not as a contract expects it, whatever the description says; any status will do where none is named. */
export function expectationFindings(observed: ObservedResponse, expected: Expectation): readonly Finding[] {
  const statuses = expected.statuses.length === 0 ? [observed.status] : expected.statuses;
  const asked = { ...observed, expected: { ...expected, statuses } };
  const checks = RESPONSE_CHECKS.filter(({ basis }) => basis === 'contract');
  return [...findingsByCheck(asked, checks).values()].flat().filter(({ severity }) => severity === 'error');
}

/** @throws SpecError when a schema does not compile */
export function checkResponse(observed: ObservedResponse): ResponseCheckResult {
  const outcomes = findingsByCheck(observed);
  return { findings: [...outcomes.values()].flat(), checksRun: outcomes.size };
}

/** So many findings of one check and one severity are listed; the rest are counted. */
const MAX_LISTED = 100;

/**
 * Runs checks in their order, and leaves out what is a consequence of a finding of another one.
 *
 * @returns the findings by id of the check; checks that had nothing to check are not in it
 * @throws SpecError when a schema does not compile
 */
export function findingsByCheck(
  observed: ObservedResponse,
  checks: readonly ResponseCheck[] = RESPONSE_CHECKS,
): ReadonlyMap<string, readonly Finding[]> {
  const outcomes = new Map<string, readonly Finding[]>();
  for (const { id, run } of checks) {
    const findings = run(observed)?.map((each): Finding => ({ check: id, severity: 'error', ...each }));
    if (findings !== undefined) outcomes.set(id, findings);
  }
  for (const { id, supersededBy } of checks) {
    const findings = outcomes.get(id);
    if (findings === undefined) continue;
    const reported = new Set(supersededBy?.checks.flatMap((other) => outcomes.get(other)?.map(({ at }) => at) ?? []));
    if (supersededBy?.at !== undefined && reported.has(supersededBy.at)) outcomes.delete(id);
    else outcomes.set(id, limited(findings.filter(({ at }) => supersededBy?.at !== undefined || !reported.has(at))));
  }
  return outcomes;
}

function limited(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= MAX_LISTED) return findings;
  return (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const all = findings.filter((finding) => finding.severity === severity);
    return limitFindings(all, MAX_LISTED, (finding) => finding);
  });
}

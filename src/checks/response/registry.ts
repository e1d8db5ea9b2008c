import type { Expectation } from '../../formats/contract/contract';
import { type CheckArea, type Finding, limitFindings } from '../../core/errors/finding';
import { allow } from './headers/allow';
import { contentType } from './headers/content-type';
import { cors } from './headers/cors';
import { location } from './headers/location';
import { notModified } from './headers/not-modified';
import { wwwAuthenticate } from './headers/www-authenticate';
import { bodyExpected, codeExpected, headersExpected, statusExpected } from './expected/expectations';
import { bodyJson, bodyPresent, noBody } from './body/body-presence';
import { bodySchema } from './body/body-schema';
import { cacheControl } from './headers/cache-control';
import { date, deprecation, etag, link, retryAfter, sunset, sunsetOrder } from './headers/header-syntax';
import { errorContract } from './body/error-contract';
import {
  errorStatus,
  noServerError,
  statusDocumented,
  statusFitsHeaders,
  statusFitsRequest,
} from './status/status-checks';
import { headersSchema } from './headers/headers-schema';
import { internals } from './body/internals';
import type { ObservedResponse, ResponseCheck } from '../response-check';
import { secretEcho } from './body/secret-echo';
import { undocumentedProperties, writeOnly } from './body/body-properties';

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

export interface ResponseCheckResult {
  readonly findings: readonly Finding[];
  /** Checks that had something to check. */
  readonly checksRun: number;
  /** What these look at. */
  readonly areas: ReadonlySet<CheckArea>;
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
  const areas = new Set<CheckArea>();
  for (const { id, area } of RESPONSE_CHECKS) if (outcomes.has(id)) areas.add(area);
  return { findings: [...outcomes.values()].flat(), checksRun: outcomes.size, areas };
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

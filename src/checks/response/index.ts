import type { Expectation } from '../../formats/contract';
import type { Finding } from '../finding';
import { remainderMessage } from '../remainder';
import { allow } from './allow';
import { bodyExpected } from './body-expected';
import { bodyJson } from './body-json';
import { bodyPresent } from './body-present';
import { bodySchema } from './body-schema';
import { cacheControl } from './cache-control';
import { cors } from './cors';
import { codeExpected } from './code-expected';
import { contentType } from './content-type';
import { date } from './date';
import { deprecation } from './deprecation';
import { errorContract } from './error-contract';
import { errorStatus } from './error-status';
import { etag } from './etag';
import { headersExpected } from './headers-expected';
import { headersSchema } from './headers-schema';
import { internals } from './internals';
import { link } from './link';
import { location } from './location';
import { noBody } from './no-body';
import { noServerError } from './no-server-error';
import { notModified } from './not-modified';
import type { ObservedResponse, ResponseCheck } from './response-check';
import { retryAfter } from './retry-after';
import { secretEcho } from './secret-echo';
import { statusDocumented } from './status-documented';
import { statusExpected } from './status-expected';
import { statusFitsHeaders } from './status-fits-headers';
import { statusFitsRequest } from './status-fits-request';
import { sunset } from './sunset';
import { sunsetOrder } from './sunset-order';
import { undocumentedMembers } from './undocumented-members';
import { writeOnly } from './write-only';
import { wwwAuthenticate } from './www-authenticate';

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
  undocumentedMembers,
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

/** What the checks said of one response. */
export interface ResponseJudgement {
  readonly findings: readonly Finding[];
  /** Checks that had something to judge. */
  readonly checksRun: number;
}

const EXPECTED: readonly ResponseCheck[] = [statusExpected, codeExpected, bodyExpected, headersExpected];

/** What is not as a contract expects it, whatever the description says; any status will do where none is named. */
export function disagreements(observed: ObservedResponse, expected: Expectation): readonly Finding[] {
  const { statuses } = expected;
  const asked = { ...expected, statuses: statuses.length === 0 ? [observed.status] : statuses };
  return EXPECTED.flatMap((check) => check.run({ ...observed, expected: asked }) ?? []).filter(
    ({ severity }) => severity === 'error',
  );
}

/** @throws SpecError when a schema does not compile */
export function checkResponse(observed: ObservedResponse): ResponseJudgement {
  const outcomes = RESPONSE_CHECKS.flatMap((check) => {
    const findings = check.run(observed);
    return findings === undefined ? [] : [listed(findings)];
  });
  return { findings: outcomes.flat(), checksRun: outcomes.length };
}

/** So many findings of one check and one severity are listed; the rest are counted. */
const MOST_LISTED = 100;

function listed(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= MOST_LISTED) return findings;
  return (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const all = findings.filter((finding) => finding.severity === severity);
    const more = all.length - MOST_LISTED;
    const [last] = all.slice(-1);
    if (more <= 0 || last === undefined) return all;
    const message = remainderMessage(more);
    return [...all.slice(0, MOST_LISTED), { ...last, message, expected: undefined, actual: undefined }];
  });
}

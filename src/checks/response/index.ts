import type { Finding } from '../finding';
import { allow } from './allow';
import { bodyExpected } from './body-expected';
import { bodyJson } from './body-json';
import { bodyPresent } from './body-present';
import { bodySchema } from './body-schema';
import { codeExpected } from './code-expected';
import { contentType } from './content-type';
import { errorContract } from './error-contract';
import { headersExpected } from './headers-expected';
import { location } from './location';
import { noBody } from './no-body';
import type { ObservedResponse, ResponseCheck } from './response-check';
import { statusDocumented } from './status-documented';
import { statusExpected } from './status-expected';
import { wwwAuthenticate } from './www-authenticate';

/** Every check of a response, in the order that findings are read: what the contract said, then what always holds. */
export const RESPONSE_CHECKS: readonly ResponseCheck[] = [
  statusExpected,
  codeExpected,
  bodyExpected,
  headersExpected,
  statusDocumented,
  contentType,
  noBody,
  bodyPresent,
  bodyJson,
  bodySchema,
  errorContract,
  wwwAuthenticate,
  allow,
  location,
];

/** What the checks said of one response. */
export interface ResponseJudgement {
  readonly findings: readonly Finding[];
  /** Checks that had something to judge. */
  readonly checksRun: number;
}

/** @throws SpecError when a schema does not compile */
export function checkResponse(observed: ObservedResponse): ResponseJudgement {
  const outcomes = RESPONSE_CHECKS.flatMap((check) => {
    const findings = check.run(observed);
    return findings === undefined ? [] : [findings];
  });
  return { findings: outcomes.flat(), checksRun: outcomes.length };
}

import { headerValues } from '../../http/headers';
import type { JsonValue } from '../../json/json-value';
import type { ResponseHeader } from '../../openapi/model';
import type { Finding } from '../finding';
import { allow } from './allow';
import { deprecation } from './deprecation';
import { etag } from './etag';
import { readHeader } from './header-value';
import { link } from './link';
import { location } from './location';
import type { ObservedResponse, ResponseCheck } from './response-check';
import { retryAfter } from './retry-after';
import { shownText } from './shown';
import { sunset } from './sunset';
import { wwwAuthenticate } from './www-authenticate';

/** Checks that know one header, whatever the description says of it. */
const OF_ONE_HEADER = [allow, deprecation, etag, link, location, retryAfter, sunset, wwwAuthenticate];

/**
 * The headers that the response documents are valid against their schemas, and those that it requires are there. One
 * that it shows and does not require may be missing: whoever needs it says so in a contract.
 */
export const headersSchema: ResponseCheck = {
  id: 'headers-schema',
  source: 'OAS 3.0.3 §4.7.17 Response Object, §4.7.21 Header Object; RFC 9110 §5.3; RFC 6265 §3',
  run(observed) {
    const headers = [...(observed.documented?.headers.values() ?? [])];
    const judged = headers.flatMap((header) => judge(observed, header) ?? []);
    const findings = judged.flat();
    if (findings.length === 0) return judged.length === 0 ? undefined : [];
    // One cause, one finding.
    const said = new Set(OF_ONE_HEADER.flatMap((check) => check.run(observed)?.map(({ at }) => at) ?? []));
    return findings.filter(({ at }) => !said.has(at));
  },
};

/** What is wrong with one header, in a list of its own; `undefined` when there was nothing to judge. */
function judge(observed: ObservedResponse, header: ResponseHeader): readonly [readonly Finding[]] | undefined {
  const { headers, method } = observed;
  const lines = headerValues(headers, header.name);
  const at = `/response/headers/${header.name.toLowerCase()}`;
  const about = { check: 'headers-schema', severity: 'error', at, spec: header.pointer } as const;
  if (lines.length === 0) {
    if (!header.required) return undefined;
    // To HEAD, what is only known once there is a body may be left out (RFC 9110 §9.3.2).
    const severity = method === 'HEAD' ? 'warning' : 'error';
    const message = `The header ${header.name} is missing`;
    return [[{ ...about, severity, message, expected: 'the header', actual: 'no header' }]];
  }
  // The lines of Set-Cookie cannot be joined: a cookie may have commas of its own.
  const values = header.name.toLowerCase() === 'set-cookie' ? lines : [lines.join(', ')];
  const faults = values.map((value) => ({ value, fault: faultOf(observed, header, value) }));
  if (faults.every(({ fault }) => fault === undefined)) return undefined;
  return [
    faults.flatMap(({ value, fault = '' }) => {
      if (fault === '') return [];
      const severity = isWeakenedTag(observed, header, value) ? 'warning' : 'error';
      const message = `The header ${header.name} ${fault}`;
      return [{ ...about, severity, message, expected: fault.replace(/^must (?:be )?/, ''), actual: shownText(value) }];
    }),
  ];
}

/** `undefined` when there is nothing to judge the value by; `''` when it is right. */
function faultOf({ api }: ObservedResponse, header: ResponseHeader, value: string): string | undefined {
  const read = readHeader(api, header, value);
  if (read === undefined) return undefined;
  const validate = read.schema.validate('response');
  const violations = read.readings.map((reading: JsonValue) => validate(reading));
  if (violations.some((found) => found.length === 0)) return '';
  return violations[0]?.[0]?.message ?? 'must be JSON';
}

/** A proxy that compresses takes the strength from a tag (RFC 9110 §8.8.1): no fault of the service. */
function isWeakenedTag(observed: ObservedResponse, header: ResponseHeader, value: string): boolean {
  const isTag = header.name.toLowerCase() === 'etag' && value.startsWith('W/');
  return isTag && faultOf(observed, header, value.slice('W/'.length)) === '';
}

import { type ResponseCheck } from '../../response-check';
import { headerValue } from '../../../core/http/headers';

// A reference has no white space and nothing that URLs must encode (RFC 3986 §4.1).
const REFERENCE = /^[!#-;=?-[\]_a-z~]+$/;

/** Is a value a URL or a relative reference (RFC 3986 §4.1)? */
export function isReference(value: string): boolean {
  return REFERENCE.test(value);
}

/** A 201 names the new resource, where the description has the header. */
export const location: ResponseCheck = {
  id: 'location',
  area: 'http',
  source: 'RFC 9110 §10.2.2, §15.3.2; OAS 3.0.3 §4.7.17 headers',
  basis: 'description',
  run({ status, headers, documented }) {
    const header = documented?.headers.get('location');
    if (status !== 201 || header === undefined) return undefined;
    const value = headerValue(headers, 'location');
    const about = { at: '/response/headers/location', spec: header.pointer } as const;
    if (value === undefined) {
      const severity = header.required ? 'error' : 'warning';
      const message = 'The 201 has no Location, which the description shows';
      return [{ ...about, severity, message, expected: 'the URL of the new resource', actual: 'no header' }];
    }
    if (isReference(value)) return [];
    const message = 'Location must be a URL or a relative reference';
    return [{ ...about, message, expected: 'a URI reference', actual: value }];
  },
};

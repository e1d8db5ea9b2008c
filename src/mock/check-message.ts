import { problem, type Problem } from '../checks/problem';
import { countHeader } from '../http/headers';
import { isValidHost } from '../http/host';
import type { RequestHead } from '../http/message';
import { parseTarget } from '../http/request-target';
import type { MockContext } from './context';

/** A bad percent sequence, bytes that are not UTF-8, or NUL (RFC 3986 §2.1, §7.3). */
export const UNDECODABLE_PATH = problem(
  'invalid_parameter',
  'The path holds a percent sequence that is not UTF-8 text, or %00',
);

export const NOT_A_PATH = problem('bad_request', 'The request target is not a path (RFC 9112 §3.2.1)');

/** Faults of the message itself, whatever it asks for (RFC 9112 §3.2; RFC 9110 §10.1.1, §15.5.15). */
export function checkMessage({ options }: MockContext, head: RequestHead): Problem | undefined {
  if (head.target.length > options.limits.targetBytes) {
    return problem('uri_too_long', `The request target has more than ${options.limits.targetBytes} bytes`);
  }
  const expect = head.headers['expect'];
  if (typeof expect === 'string' && expect.toLowerCase() !== '100-continue') {
    return problem('expectation_failed', 'The header Expect asks for something other than 100-continue');
  }
  const hosts = countHeader(head.rawHeaders, 'host');
  if (hosts !== 1) {
    return problem(
      'bad_request',
      hosts === 0 ? 'The header Host is missing' : 'The header Host was sent more than once',
    );
  }
  const host = head.headers['host'];
  if (typeof host !== 'string' || !isValidHost(host)) return problem('bad_request', 'The header Host is not a host');
  const target = parseTarget(head.target);
  // `*` is the server itself, of which only the options can be asked (RFC 9112 §3.2.4).
  return target === undefined || (target.path === '*' && head.method !== 'OPTIONS') ? NOT_A_PATH : undefined;
}

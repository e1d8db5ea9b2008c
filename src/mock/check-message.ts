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

/** One Host from HTTP/1.1 on, at most one before (RFC 9112 §3.2). */
function checkHost({ rawHeaders, headers, usualHost }: RequestHead): Problem | undefined {
  const hosts = countHeader(rawHeaders, 'host');
  if (hosts > 1) return problem('bad_request', 'The header Host was sent more than once');
  if (hosts === 0) return usualHost === undefined ? problem('bad_request', 'The header Host is missing') : undefined;
  const { host } = headers;
  return typeof host === 'string' && isValidHost(host)
    ? undefined
    : problem('bad_request', 'The header Host is not a host');
}

/**
 * `chunked` alone is understood. Node takes whatever stands before it, and would hand on what another server on the way
 * reads otherwise (RFC 9112 §6.1, §7; `identity` is none since RFC 7230).
 */
function checkTransferCoding({ headers, usualHost }: RequestHead): Problem | undefined {
  const codings = headers['transfer-encoding'];
  if (codings === undefined) return undefined;
  if (usualHost !== undefined)
    return problem('bad_request', 'HTTP/1.0 has no Transfer-Encoding; send Content-Length (RFC 9112 §6.1)');
  const text = String(codings).trim().toLowerCase();
  if (text === 'chunked') return undefined;
  // Nobody knows where such a body ends (RFC 9112 §6.3).
  if (!/(?:^|[, \t])chunked$/.test(text))
    return problem('bad_request', 'The last coding of Transfer-Encoding is not chunked');
  return problem(
    'unsupported_transfer_coding',
    `The transfer coding ${JSON.stringify(String(codings))} is not known; send chunked or Content-Length`,
  );
}

/** Faults of the message itself, whatever it asks for (RFC 9112 §3.2; RFC 9110 §10.1.1, §15.5.15). */
export function checkMessage({ options }: MockContext, head: RequestHead): Problem | undefined {
  if (head.target.length > options.limits.targetBytes) {
    return problem('uri_too_long', `The request target has more than ${options.limits.targetBytes} bytes`);
  }
  const expect = head.headers['expect'];
  if (typeof expect === 'string' && expect.toLowerCase() !== '100-continue') {
    return problem('expectation_failed', 'The header Expect asks for something other than 100-continue');
  }
  const framing = checkTransferCoding(head);
  if (framing !== undefined) return framing;
  const host = checkHost(head);
  if (host !== undefined) return host;
  const target = parseTarget(head.target);
  // `*` is the server itself, of which only the options can be asked (RFC 9112 §3.2.4).
  return target === undefined || (target.path === '*' && head.method !== 'OPTIONS') ? NOT_A_PATH : undefined;
}

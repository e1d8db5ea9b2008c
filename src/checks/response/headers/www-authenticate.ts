import type { Finding } from '../../../core/errors/finding';
import { joinedHeader, type ObservedResponse, type ResponseCheck } from '../../response-check';

// A scheme may stand alone before the next one, and a list may have empty elements (RFC 9110 §5.6.1, §11.6.1).
const CHALLENGE = /^[\s,]*[A-Za-z0-9!#$%&'*+\-.^_`|~]+(?:[\s,]|$)/;

/** A 401 says how to authenticate, in the scheme that the operation asks for. */
export const wwwAuthenticate: ResponseCheck = {
  id: 'www-authenticate',
  area: 'auth',
  source: 'RFC 9110 §11.6.1, §15.5.2; RFC 6750 §3',
  basis: 'http',
  scope: 'service',
  run(observed) {
    if (observed.status !== 401) return undefined;
    const value = joinedHeader(observed, 'www-authenticate') ?? '';
    const schemes = schemesOf(observed);
    const about = {
      at: '/response/headers/www-authenticate',
      expected: `a challenge such as ${schemes[0] ?? 'Bearer'} realm="…"`,
      spec: observed.documented?.pointer ?? observed.operation?.pointer,
    } as const;
    if (!CHALLENGE.test(value)) return [{ ...about, ...lackOf(value, observed) }];
    const isOffered = schemes.length === 0 || schemes.some((scheme) => namesScheme(value, scheme));
    if (isOffered) return [];
    const message = `WWW-Authenticate does not offer the scheme ${schemes.join(' or ')}`;
    return [{ ...about, severity: 'warning', message, actual: value }];
  },
};

/** No registered scheme is one for cookies and keys in headers: hardly any service with them sends a challenge. */
function lackOf(value: string, observed: ObservedResponse): Pick<Finding, 'severity' | 'message' | 'actual'> {
  if (value !== '') return { severity: 'error', message: 'WWW-Authenticate holds no challenge', actual: value };
  const isPromised = [...(observed.documented?.headers ?? [])].some(
    ([name, { required }]) => required && name.toLowerCase() === 'www-authenticate',
  );
  const severity = hasNoScheme(observed) && !isPromised ? 'warning' : 'error';
  return { severity, message: 'The 401 has no WWW-Authenticate', actual: 'no header' };
}

/**
 * Does the operation, or else the description, ask for nothing but API keys (OAS 3.0.3 §4.7.27)? A login, which asks for
 * none at all, has no scheme to name either.
 */
function hasNoScheme({ api, operation }: ObservedResponse): boolean {
  const requirements = operation?.security ?? [];
  if (operation !== undefined && !requirements.some((each) => each.length > 0)) return true;
  const required = requirements.flat().flatMap(({ name }) => api.securitySchemes.get(name) ?? []);
  const schemes = required.length > 0 ? required : [...api.securitySchemes.values()];
  return schemes.length > 0 && schemes.every(({ type }) => type === 'apiKey');
}

/** HTTP authentication schemes that would let a caller in. */
function schemesOf({ api, operation }: ObservedResponse): string[] {
  const required = operation?.security.flat() ?? [];
  return required.flatMap(({ name }) => {
    const scheme = api.securitySchemes.get(name)?.scheme;
    return scheme === undefined ? [] : [scheme.charAt(0).toUpperCase() + scheme.slice(1)];
  });
}

function namesScheme(value: string, scheme: string): boolean {
  return value
    .toLowerCase()
    .split(/[\s,]+/)
    .includes(scheme.toLowerCase());
}

import { parseCacheControl } from '../../../core/http/header-fields';
import { joinedHeader, type ObservedResponse, type ResponseCheck } from '../../response-check';
import { previewText } from '../../../core/json/stringify-json';

/**
 * What only callers with credentials may read is not left to shared caches, which would hand it to anybody.
 *
 * HTTP keeps shared caches from storing a response to a request with Authorization unless the response allows it by
 * `public`, `s-maxage` or `must-revalidate`. The first two say so in as many words, and are errors; the third is often
 * sent by servers that mean something else, and `max-age` alone binds caches that keep to HTTP: warnings.
 */
export const cacheControl: ResponseCheck = {
  id: 'cache-control',
  area: 'http',
  source: 'RFC 9111 §3.5, §5.2.2; OAS 3.0.3 §4.7.10 security',
  basis: 'http',
  run(observed) {
    const value = joinedHeader(observed, 'cache-control');
    if (value === undefined || !isProtected(observed)) return undefined;
    const directives = parseCacheControl(value);
    if (forbidsSharedCaching(directives) || variesByAuthorization(observed)) return [];
    const fault = sharedCachingFault(directives);
    if (fault === undefined) return [];
    return [
      {
        ...fault,
        at: '/response/headers/cache-control',
        expected: 'private, no-cache or no-store',
        actual: previewText(value),
        spec: observed.operation?.pointer,
        hint: 'A cache does not ask for the key: whoever comes next gets the response without one.',
      },
    ];
  },
};

/** The good answer to a read that asks for credentials. Whether they were asked for at all, the auth probes find out. */
function isProtected({ operation, method, status, isAuthenticated }: ObservedResponse): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  if (operation === undefined || !isRead || status >= 400 || isAuthenticated === false) return false;
  return operation.security.length > 0 && operation.security.every((requirement) => requirement.length > 0);
}

/** The cache asks the server each time, with the credentials of the caller, or keeps nothing. */
function forbidsSharedCaching(directives: ReadonlyMap<string, string>): boolean {
  if (directives.has('no-store')) return true;
  // With field names these two speak of the fields alone.
  if (directives.get('private') === '' || directives.get('no-cache') === '') return true;
  return Number(directives.get('s-maxage') ?? directives.get('max-age') ?? Number.NaN) === 0;
}

function sharedCachingFault(
  directives: ReadonlyMap<string, string>,
): { readonly severity: 'error' | 'warning'; readonly message: string } | undefined {
  const permit = ['public', 's-maxage'].find((name) => directives.has(name));
  if (permit !== undefined) {
    return { severity: 'error', message: `${permit} lets shared caches keep what only callers with a key may read` };
  }
  if (!directives.has('max-age')) return undefined;
  const message = directives.has('must-revalidate')
    ? 'must-revalidate lets shared caches keep what only callers with a key may read, as long as it is fresh'
    : 'max-age without private relies on shared caches to look for the key of the request';
  return { severity: 'warning', message };
}

/** Then a cache gives the response to the same credentials only (RFC 9111 §4.1). */
function variesByAuthorization(observed: ObservedResponse): boolean {
  const names = (joinedHeader(observed, 'vary') ?? '').split(',').map((name) => name.trim().toLowerCase());
  return names.includes('*') || names.includes('authorization');
}

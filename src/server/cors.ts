import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import type { ApiModel } from '../openapi/model/api-model';

/** Headers of our own that a page may read beside the documented ones. */
const ALWAYS_EXPOSED = [
  'Allow',
  'Deprecation',
  'ETag',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Standin-Fault',
  'X-Standin-Problem',
  'X-Total-Count',
];

/** Sets the CORS headers of a response, whatever it will be. */
export type SetCorsHeaders = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * CORS for the paths of the description (Fetch §3.2). Preflights need no credentials and change nothing; errors carry
 * the headers too, or a page would see a network error in their place.
 *
 * @param origins - `*` for any; otherwise exactly these
 */
export function crossOrigin(api: ApiModel, origins: readonly string[]): SetCorsHeaders {
  const documented = api.operations.flatMap((operation) =>
    [...operation.responses.values()].flatMap((response) => [...response.headers.values()].map(({ name }) => name)),
  );
  const methods = new Set(['GET', 'HEAD', ...api.operations.map((operation) => operation.method)]);
  const isOpen = origins.includes('*');
  const apply = cors({
    origin: isOpen ? '*' : [...origins],
    methods: [...methods],
    // Cookies go to origins that are named, never to any (Fetch §3.2.3).
    credentials: !isOpen,
    exposedHeaders: [...new Set([...ALWAYS_EXPOSED, ...documented])].sort(),
    // The requested headers are echoed: `*` would not cover Authorization.
    maxAge: 5,
    // The response is ours: the package sends a Content-Length with a 204, which RFC 9110 §8.6 forbids.
    preflightContinue: true,
  });
  return (request, response) => {
    if (request.headers.origin !== undefined) apply(request, response, () => undefined);
    // No page asked, but a cache must know that the answer to a page would be another one (Fetch §3.2.5).
    else if (!isOpen) response.appendHeader('Vary', 'Origin');
  };
}

/** A preflight (Fetch §4.8) rather than an OPTIONS of the description's own. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

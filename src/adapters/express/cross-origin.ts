import cors from 'cors';
import type { RequestHandler } from 'express';
import type { ApiModel } from '../../openapi/model';

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
  'X-Total-Count',
];

/**
 * CORS for the paths of the description (Fetch §3.2). Preflights need no credentials and change nothing; errors carry
 * the headers too, or a page would see a network error in their place.
 *
 * @param origins - `*` for any; otherwise exactly these
 */
export function crossOrigin(api: ApiModel, origins: readonly string[]): RequestHandler {
  const documented = api.operations.flatMap((operation) =>
    [...operation.responses.values()].flatMap((response) => [...response.headers.values()].map(({ name }) => name)),
  );
  const methods = new Set(api.operations.map((operation) => operation.method));
  const apply = cors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', ...methods],
    exposedHeaders: [...new Set([...ALWAYS_EXPOSED, ...documented])].sort(),
    // The requested headers are echoed: `*` would not cover Authorization.
    maxAge: 5,
  });
  return (request, response, next) => {
    // A request from no page needs none of it, and an OPTIONS that is no preflight is the description's own.
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (request.headers.origin === undefined) next();
    else if (request.method !== 'OPTIONS' || isPreflight) apply(request, response, next);
    else cors({ origin: origins.includes('*') ? '*' : [...origins], preflightContinue: true })(request, response, next);
  };
}

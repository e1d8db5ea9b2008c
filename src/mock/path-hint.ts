import type { MockContext } from './context';

/**
 * What may help with a path that the description does not have, as the rest of a sentence; empty when nothing is near.
 *
 * @param path - as received, with the base path
 */
export function pathHint({ api, basePath }: Pick<MockContext, 'api' | 'basePath'>, path: string): string {
  if (basePath !== '' && !path.startsWith(`${basePath}/`)) return `; paths start with ${basePath}`;
  const below = path.slice(basePath.length);
  // A slash at the end makes another path of it (RFC 3986 §6.2.3).
  const hasSlash = below.endsWith('/');
  const route = api.routes.match(hasSlash ? below.slice(0, -1) : `${below}/`)?.route;
  if (route === undefined) return '';
  return `; ${hasSlash ? 'without' : 'with'} a slash at the end it is ${basePath}${route.path}`;
}

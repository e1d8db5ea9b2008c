import type { SourceDocument } from './source-document';
import { items, member, members, rootOf } from './walk';

/**
 * The path that the first server puts before every path of the description, variables at their defaults
 * (OAS 3.0.3 §4.7.5, §4.7.6): `''`, or `/v1` without a trailing slash.
 */
export function readBasePath(document: SourceDocument): string {
  const [server] = items(member(rootOf(document), 'servers'));
  const url = server === undefined ? undefined : member(server, 'url')?.value;
  if (server === undefined || typeof url !== 'string') return '';
  const defaults = new Map(
    members(member(server, 'variables')).map(({ name, ...variable }) => [name, member(variable, 'default')?.value]),
  );
  const filled = url.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = defaults.get(name);
    return typeof value === 'string' ? value : '';
  });
  return normaliseBasePath(filled.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, ''));
}

/** `v1/` → `/v1`; `/` → `''`. Query and fragment are dropped. */
export function normaliseBasePath(path: string): string {
  const trimmed = path.replace(/[?#].*$/s, '').replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? '' : `/${trimmed}`;
}

import type { Mode } from '../run-result';

/**
 * Why the right key is not put into a URL: access logs of the target, and of every proxy on the way, keep URLs, and
 * everybody who may read those would have a key that is good. Only mode `full` is for a target that is one's own.
 */
export const NO_KEY_IN_URL = 'it would put the key into the URL, which access logs keep; --mode full sends it';

/** @param auth - how a step or an interaction authenticates @returns `undefined` when it may be sent */
export function refusedInUrl(mode: Mode, auth: unknown): string | undefined {
  return mode !== 'full' && auth === 'query' ? NO_KEY_IN_URL : undefined;
}

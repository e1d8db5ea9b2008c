import type { ApiModel, Operation } from '../../openapi/model';

/** Titles of the probes that are sent as HEAD as well: without credentials, and with some that nobody knows. */
export const HEAD_KINDS: readonly string[] = ['without a key', 'with an unknown key'];

/** Is it a GET whose path describes no HEAD? Services answer one all the same (RFC 9110 §9.1). */
export function hasUndescribedHead({ operations }: ApiModel, { method, path }: Operation): boolean {
  return method === 'GET' && !operations.some((other) => other.method === 'HEAD' && other.path === path);
}

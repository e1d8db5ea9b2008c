import { ConfigError } from '../errors/harness-error';
import type { AuthMode } from '../formats/contract';
import type { RawHeaders } from '../http/message';
import type { ApiModel, Operation, SecurityRequirement } from '../openapi/model';
import type { Run } from './run';

const NONE: RawHeaders = [];
/** `standin:standin`; the scheme is what is wrong with it. */
const BASIC = 'Basic c3RhbmRpbjpzdGFuZGlu';

/**
 * The headers that authenticate a request, or pretend to.
 *
 * @param operation - `undefined` for a request that no operation describes; it gets the key as well
 * @throws ConfigError when the operation asks for a scheme that is not known here, or for a key that was not given
 */
export function credentials({ api, apiKey, runId }: Run, operation: Operation | undefined, mode: AuthMode): RawHeaders {
  switch (mode) {
    case 'none':
      return NONE;
    case 'malformed':
      return ['Authorization', BASIC];
    case 'invalid':
      return ['Authorization', `Bearer standin-unknown-key-${runId}`];
    case 'valid':
      if (!wantsBearer(api, operation)) return NONE;
      if (apiKey === undefined)
        throw new ConfigError('CONFIG_INVALID', 'The target asks for an API key; none was given');
      return ['Authorization', `Bearer ${apiKey}`];
  }
}

/** Does the operation refuse callers without credentials? */
export function isSecured({ security }: Operation): boolean {
  return security.length > 0 && security.every((requirement) => requirement.length > 0);
}

function wantsBearer(api: ApiModel, operation: Operation | undefined): boolean {
  if (operation === undefined) return [...api.securitySchemes.keys()].some((name) => isBearer(api, name));
  if (!isSecured(operation)) return false;
  const isKnown = (requirement: SecurityRequirement): boolean => requirement.every((name) => isBearer(api, name));
  if (operation.security.some(isKnown)) return true;
  const names = [...new Set(operation.security.flat())].join(', ');
  throw new ConfigError('CONFIG_INVALID', `${operation.id} asks for ${names}: only bearer keys can be sent so far`);
}

function isBearer(api: ApiModel, name: string): boolean {
  const scheme = api.securitySchemes.get(name);
  return scheme?.type === 'http' && scheme.scheme === 'bearer';
}

import { observeResponse, type ObservedResponse } from '../checks/response/response-check';
import type { RawHeaders } from '../http/message';
import type { JsonValue } from '../json/json-value';
import type { Operation } from '../openapi/model';
import { credentialQuery, credentials, withQuery } from './credentials';
import { exchange } from './exchange';
import { acceptOf, makeRequest } from './interaction';
import { neededParameters, queryPairs, type SentParameters } from './needed-parameters';
import type { Run } from './run';

/** What a call with the right key gave. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: RawHeaders;
  /** `undefined` where the body is no JSON, or there is none. */
  readonly body: JsonValue | undefined;
}

/** How a call is made. */
export interface CallManner {
  /** `auth` when left out. */
  readonly phase?: 'auth' | 'cleanup';
  /** `valid` for the key of the run, also when left out; else the name of an identity. */
  readonly caller?: string | undefined;
  /** Of another request about the same thing, which has what the operation asks for beside its path. */
  readonly like?: SentParameters | undefined;
}

const ANY = { statuses: [], codes: [], body: undefined, headers: [] };

/**
 * Calls an operation with the right key to look at something or to remove it. The answer is not judged: the contracts
 * do that.
 *
 * @param path - below the base URL, with its query
 * @returns `undefined` when no answer came, or when nothing may be sent
 * @throws ConfigError when the operation asks for a scheme that is not known here
 */
export async function callOperation(
  run: Run,
  operation: Operation,
  path: string,
  { phase = 'auth', caller = 'valid', like }: CallManner = {},
): Promise<CallAnswer | undefined> {
  const { method } = operation;
  const auth = run.identities?.has(caller) === true ? { identity: caller } : 'valid';
  const own = ['Accept', acceptOf(run.api, operation), ...credentials(run, operation, auth)];
  const keys = credentialQuery(run, operation, auth);
  const given = { query: [...queryPairs(path), ...keys], headers: own };
  const needed = neededParameters(operation, given, like);
  const headers = [...own, ...needed.headers];
  const target = withQuery(path, [...needed.query, ...keys]);
  const request = makeRequest(run, method, target, headers, undefined);
  const about = {
    name: operation.id,
    phase,
    place: undefined,
    auth: auth === 'valid' ? auth : caller,
    recipe: undefined,
    captures: [],
  } as const;
  const { response } = await exchange(run, { ...about, operation, request, expected: ANY });
  if (response === undefined) return undefined;
  const { body }: ObservedResponse = observeResponse(run.api, { operation, method, response, expected: undefined });
  const { status, headers: lines } = response;
  return { status, headers: lines, body: body.kind === 'json' ? body.value : undefined };
}

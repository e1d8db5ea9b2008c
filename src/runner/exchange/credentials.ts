import type { RequestFacts } from '../../checks/response-check';
import { ConfigError } from '../../core/errors/standin-error';
import { parseCookies } from '../../core/http/header-fields';
import { withoutHeaders } from '../../core/http/headers';
import type { HttpRequest, RawHeaders } from '../../core/http/message';
import { parseQuery } from '../../core/http/request-target';
import type { JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { type Contract, PREDEFINED, type Step, type StepAuth, stepsOf } from '../../formats/contract/contract';
import { placeholdersIn } from '../../formats/contract/placeholders';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import type { NamedKey } from '../../redaction/key-redactor';
import { BEARER_SENDER } from '../../security/bearer';
import {
  type CredentialLocations,
  credentialLocations,
  hidesHeader,
  hidesParameter,
} from '../../security/credential-locations';
import { chooseScheme, keyForScheme, type KeyRing, kindOf } from '../../security/registry';
import {
  type CredentialSender,
  type CredentialVariant,
  mergeCredentials,
  NO_CREDENTIALS,
  type RequestCredentials,
  splitKey,
} from '../../security/scheme';
import type { Interaction } from './interaction';
import { makeRequest } from './request';
import type { Run } from './run-state';

/** How a request authenticates; a key has no placeholder any more. */
type CallAuth = StepAuth | CredentialVariant;

type CredentialSource = KeyRing & Pick<Run, 'api' | 'sendsKey' | 'runId' | 'identities'>;

/** Disguises that are made of the right key. */
const NEEDS_KEY: ReadonlySet<CallAuth> = new Set<CallAuth>(['doubled', 'lower-case', 'query']);

export function withQuery(path: string, pairs: readonly string[]): string {
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/**
 * The headers, and the percent-encoded pairs of the query, that authenticate a request, or pretend to.
 *
 * @param operation - `undefined` for a request that no operation describes; it gets the key as well
 * @throws ConfigError when the operation asks for a scheme that is not known here, or for a key that was not given
 */
export function credentials(
  caller: CredentialSource,
  operation: Operation | undefined,
  auth: CallAuth,
): RequestCredentials {
  const keys = typeof auth === 'object' ? keysFor(caller, auth) : caller;
  const choice = chooseScheme(caller.api, operation, keys);
  if (auth === 'valid' || typeof auth === 'object') {
    if (choice.kind === 'open' || (auth === 'valid' && caller.sendsKey === false)) return NO_CREDENTIALS;
    if (choice.kind === 'unknown') throw new ConfigError('CONFIG_INVALID', choice.reason);
    if (typeof auth === 'object' && 'identity' in auth) requireIdentity(caller, auth.identity);
    return mergeCredentials(choice.parts.map(({ name, sender }) => sender.send(requireKey(keys, name))));
  }
  // A pretence is sent to whatever asks for something else as well: nobody is let in by it.
  const parts = choice.kind === 'known' ? choice.parts : [{ name: '', sender: BEARER_SENDER }];
  const keyOf = (name: string): string => (NEEDS_KEY.has(auth) ? splitKey(requireKey(caller, name)).key : '');
  return mergeCredentials(parts.map(({ name, sender }) => sender.variant(auth, keyOf(name), caller.runId)));
}

/**
 * Why a step is not sent: no request can have what its operation asks for, or there is no key for it.
 *
 * @returns `undefined` where it can authenticate, and where it is not to
 */
export function missingCredentials(run: Run, operation: Operation | undefined, auth: StepAuth): string | undefined {
  const isSent = auth === 'valid' ? run.sendsKey !== false : typeof auth === 'object';
  if (operation === undefined || !isSent) return undefined;
  const keys = typeof auth === 'object' ? keysFor(run, auth) : run;
  const choice = chooseScheme(run.api, operation, keys);
  const schemes = operation.security.flat().flatMap(({ name }) => run.api.securitySchemes.get(name) ?? []);
  if (choice.kind === 'unknown') return schemes.every(kindOf) ? undefined : choice.reason;
  if (choice.kind === 'open' || keys.schemeKeys === undefined) return undefined;
  const missing = choice.parts.find(({ name }) => keyForScheme(keys, name) === undefined)?.name;
  return missing && `${operation.id} asks for ${missing}, and no key was given for it (--api-key ${missing}=VARIABLE)`;
}

/** Does a request have the key of the run in it? */
export function hasRunKey(api: ApiModel, operation: Operation | undefined, auth: CallAuth): boolean {
  return NEEDS_KEY.has(auth) || (auth === 'valid' && chooseScheme(api, operation).kind !== 'open');
}

/** The keys of a step that has its own, beside those of the run. */
function keysFor(caller: CredentialSource, auth: Exclude<StepAuth, string>): KeyRing {
  const { schemeKeys, schemeWords } = caller;
  if ('keys' in auth) return { ...caller, schemeKeys: new Map([...(schemeKeys ?? []), ...Object.entries(auth.keys)]) };
  return { apiKey: 'key' in auth ? auth.key : caller.identities?.get(auth.identity), schemeWords };
}

function requireKey(keys: KeyRing, name: string): string {
  const key = keyForScheme(keys, name);
  if (key !== undefined) return key;
  const message = `The target asks for an API key${keys.schemeKeys === undefined ? '' : ` for ${name}`}; none was given`;
  throw new ConfigError('CONFIG_INVALID', message);
}

function requireIdentity({ identities }: CredentialSource, name: string): void {
  if (identities?.has(name) === true) return;
  const known = [...(identities?.keys() ?? [])].join(', ');
  throw new ConfigError('CONFIG_INVALID', `No key was given for the identity "${name}"`, {
    hint: known === '' ? 'No identity was given a key at all.' : `There are keys for: ${known}.`,
  });
}

const AUTHENTICATED_MODES = new Set(['valid', 'lower-case']);

/** What the checks of a response may want to know of its request. */
export function requestFacts(
  {
    api,
    identities,
    sessions,
    basePath,
  }: Pick<Run, 'api'> & Partial<Pick<Run, 'identities' | 'sessions' | 'basePath'>>,
  { request, auth, browser }: Pick<Interaction, 'request' | 'auth' | 'browser'>,
): RequestFacts {
  const secrets = sentSecrets(request, credentialLocations(api));
  const isMeantGood = AUTHENTICATED_MODES.has(auth) || identities?.has(auth) === true || sessions?.has(auth) === true;
  return {
    target: basePath === undefined ? undefined : request.target.slice(basePath.length),
    requestHeaders: request.rawHeaders,
    requestBodyLength: request.body.length,
    isAuthenticated: isMeantGood && secrets.length > 0,
    secrets,
    browser,
  };
}

/** What stands in every place for credentials, without the scheme of an Authorization (RFC 9110 §11.4). */
function sentSecrets({ rawHeaders, target }: HttpRequest, places: CredentialLocations): string[] {
  const inHeaders = rawHeaders.flatMap((value, index) => {
    const name = index % 2 === 1 ? (rawHeaders[index - 1] ?? '').toLowerCase() : '';
    if (name === 'authorization') return [value.replace(/^\S+\s*/, '')];
    if (name === 'cookie') {
      return parseCookies(value).flatMap((cookie) => (places.cookies.has(cookie.name) ? [cookie.value] : []));
    }
    return places.headers.has(name) ? [value] : [];
  });
  const inQuery = parseQuery(target.split('?')[1] ?? '').flatMap(({ name, value }) =>
    name !== undefined && value !== undefined && places.query.has(name) ? [value] : [],
  );
  return [...inHeaders, ...inQuery].filter((secret) => secret !== '');
}

/**
 * The same request without credentials, or with others in their place; nor does it take the idempotency key that the write
 * itself needs.
 */
export function withoutKey(
  run: Run,
  request: HttpRequest,
  scheme: CredentialSender,
  others: RequestCredentials = NO_CREDENTIALS,
): HttpRequest {
  const { headers: headerNames, query, cookies } = scheme.locations;
  const { method, target, rawHeaders, body } = request;
  const stored = withoutHeaders(rawHeaders, new Set([...headerNames, 'idempotency-key']));
  const headers = cookies.length === 0 ? stored : withoutCookies(stored, cookies);
  const path = withQuery(withoutPairs(target.slice(run.basePath.length), query), others.query);
  return makeRequest(run, method, path, [...headers, ...others.headers], body);
}

function withoutPairs(target: string, names: readonly string[]): string {
  const [path = '', query] = target.split('?', 2);
  if (query === undefined || names.length === 0) return target;
  const encoded = new Set(names.map((name) => encodeURIComponent(name)));
  const pairs = query.split('&').filter((pair) => !encoded.has(pair.split('=')[0] ?? ''));
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function withoutCookies(headers: RawHeaders, names: readonly string[]): RawHeaders {
  const result: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    const isCookie = name.toLowerCase() === 'cookie';
    const stored = parseCookies(isCookie ? value : '').filter((cookie) => !names.includes(cookie.name));
    if (!isCookie) result.push(name, value);
    else if (stored.length > 0) result.push(name, stored.map((cookie) => `${cookie.name}=${cookie.value}`).join('; '));
  }
  return result;
}

/** Names of the captured values that steps of a contract send as credentials, such as the token of a login. */
export function capturedCredentials(api: ApiModel, contract: Contract): ReadonlySet<string> {
  const places = credentialLocations(api);
  const texts = stepsOf(contract).flatMap((step) => credentialTexts(step, places));
  const names = texts.flatMap((text) => placeholdersIn(text, '').map(({ name }) => name));
  return new Set(names.filter((name) => !PREDEFINED.includes(name)));
}

/** What a step sends where credentials are, with its placeholders. */
function credentialTexts({ request, headers, auth }: Step, places: CredentialLocations): JsonValue[] {
  const named = headers.flatMap(({ name, value }) => (hidesHeader(places, name.toLowerCase()) ? [value] : []));
  const written = [...keysWritten(auth), ...named];
  if (request.kind === 'raw') return [...written, ...queryTexts(request.path, places)];
  const parameters = request.parameters.filter(({ name, in: place }) => {
    if (place === 'query') return hidesParameter(places, name);
    return place === 'cookie' || (place === 'header' && hidesHeader(places, name.toLowerCase()));
  });
  return [...written, ...parameters.map(({ value }) => value)];
}

/** The keys that a step has itself, with their placeholders. */
export function keysWritten(auth: StepAuth): readonly string[] {
  if (typeof auth !== 'object' || 'identity' in auth) return [];
  return 'key' in auth ? [auth.key] : Object.values(auth.keys);
}

function queryTexts(path: string, places: CredentialLocations): string[] {
  const [, pairs = ''] = path.split('?');
  return pairs.split('&').filter((pair) => hidesParameter(places, pair.split('=')[0] ?? ''));
}

/** Values of variables that contracts call secret, and of the environment; of the latter no short ones. */
export function secretVariables(contracts: readonly Contract[]): (NamedKey & { readonly length: 'long' | 'any' })[] {
  return contracts.flatMap(({ variables }) =>
    variables.flatMap(({ name, value, secret }) => {
      if (value === undefined || secret === 'no') return [];
      const length = secret === 'always' ? 'any' : 'long';
      return [{ name: name.replace(/^env\./, ''), key: scalarText(value), length } as const];
    }),
  );
}

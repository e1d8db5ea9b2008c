import { headerValue } from '../../core/http/headers';
import { parseCookies } from '../../core/http/header-fields';
import { decodeQueryComponent, parseQuery } from '../../core/http/request-target';
import type { ApiModel } from '../../openapi/model/api-model';
import { credentialLocations } from '../../security/credential-locations';
import { chooseScheme } from '../../security/registry';
import { SECRET_MARK } from '../exchange/recorded-exchange';
import { type Call, isSuccess } from '../flow/call';
import { leavesOf } from '../flow/producers';

/** Where a contract gets the value of a secret from. */
export type SecretSource =
  /** A response gave it before any request used it: it is captured there. */
  | {
      readonly kind: 'captured';
      readonly call: Call;
      readonly expression: string;
      readonly pattern: string | undefined;
    }
  /** Who starts the run gives it, in the environment. */
  | { readonly kind: 'given'; readonly variable: string };

export interface Secrets {
  /** By name of the mark. */
  readonly sources: ReadonlyMap<string, SecretSource>;
  /** Names of credentials from outside, the one that most calls succeeded with first: that is the key of the run. */
  readonly callers: readonly string[];
}

/** How a call authenticates, as far as its marks tell. */
export type CallAuth =
  | { readonly kind: 'open' }
  | { readonly kind: 'none' | 'empty' | 'malformed' }
  | { readonly kind: 'secret'; readonly name: string };

export function marksIn(text: string): string[] {
  return [...text.matchAll(SECRET_MARK)].map(([, name = '']) => name);
}

/**
 * Reads where each secret that a request sends comes from: a response, where one had it before any request did. What is
 * only shown is nobody's concern.
 */
export function findSecrets(api: ApiModel, calls: readonly Call[]): Secrets {
  const sources = new Map<string, SecretSource>();
  const sent = new Set<string>();
  for (const call of calls) {
    for (const name of marksOfRequest(call)) {
      sent.add(name);
      if (!sources.has(name)) sources.set(name, { kind: 'given', variable: environmentName(name) });
    }
    for (const found of marksOfResponse(call)) {
      const { name, expression, pattern } = found;
      if (!sources.has(name)) sources.set(name, { kind: 'captured', call, expression, pattern });
    }
  }
  for (const name of sources.keys()) if (!sent.has(name)) sources.delete(name);
  return { sources, callers: callersOf(api, calls, sources) };
}

/** Does a call give a secret for a secret, as a login does? Nothing that anybody keeps is changed by it. */
export function isLogin({ sources }: Secrets, call: Call): boolean {
  const gives = [...sources.values()].some((source) => source.kind === 'captured' && source.call === call);
  return gives && call.method === 'POST' && marksOfRequest(call).length > 0;
}

/** `access_token` is `ACCESS_TOKEN` in the environment. */
export function environmentName(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
}

/** How a call authenticates, where its operation asks for that. */
export function authOfCall(api: ApiModel, call: Call): CallAuth {
  if (chooseScheme(api, call.operation).kind === 'open') return { kind: 'open' };
  const authorization = headerValue(call.exchange.request.headers, 'authorization');
  const [name] = sentCredentials(api, call).flatMap(marksIn);
  if (name === undefined) {
    if (authorization === undefined) return { kind: 'none' };
    return { kind: /^\S+\s*$/.test(authorization) ? 'empty' : 'malformed' };
  }
  const scheme = /^(\S+) /.exec(authorization ?? '')?.[1]?.toLowerCase();
  const known = schemesOf(api);
  const isOther = scheme !== undefined && known.size > 0 && !known.has(scheme);
  return isOther ? { kind: 'malformed' } : { kind: 'secret', name };
}

/** What stands in every place for credentials. */
function sentCredentials(api: ApiModel, { exchange, query }: Call): string[] {
  const places = credentialLocations(api);
  const { headers } = exchange.request;
  const lines = ['authorization', ...[...places.headers].filter((name) => !/^(?:authorization|cookie)$/.test(name))];
  const cookies = parseCookies(headerValue(headers, 'cookie') ?? '').filter(({ name }) => places.cookies.has(name));
  return [
    ...lines.map((name) => headerValue(headers, name) ?? ''),
    ...parseQuery(query).flatMap(({ name, value }) => (places.query.has(name ?? '') ? [value ?? ''] : [])),
    ...cookies.map(({ value }) => decodeQueryComponent(value) ?? value),
  ];
}

function schemesOf({ securitySchemes }: ApiModel): Set<string> {
  return new Set(
    [...securitySchemes.values()].flatMap(({ type, scheme }) =>
      type === 'http' ? [scheme ?? ''] : type === 'apiKey' ? [] : ['bearer'],
    ),
  );
}

function callersOf(
  api: ApiModel,
  calls: readonly Call[],
  sources: ReadonlyMap<string, SecretSource>,
): readonly string[] {
  const uses = new Map<string, number>();
  for (const call of calls) {
    const auth = authOfCall(api, call);
    if (auth.kind !== 'secret' || sources.get(auth.name)?.kind !== 'given' || call.status === 401) continue;
    uses.set(auth.name, (uses.get(auth.name) ?? 0) + (isSuccess(call) ? 2 : 1));
  }
  return [...uses].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

function marksOfRequest({ exchange }: Call): string[] {
  const { target, headers, body } = exchange.request;
  return [target, ...headers, body?.kind === 'text' ? body.text : ''].flatMap((text) => marksIn(decoded(text)));
}

function decoded(text: string): string {
  return text.includes('%7E') ? text.replaceAll('%7E', '~') : text;
}

interface FoundMark {
  readonly name: string;
  readonly expression: string;
  readonly pattern: string | undefined;
}

function marksOfResponse({ exchange, responseBody }: Call): FoundMark[] {
  const found: FoundMark[] = [];
  for (const { pointer, text } of responseBody === undefined ? [] : leavesOf(responseBody)) {
    for (const name of marksIn(text))
      found.push({ name, expression: `$response.body#${pointer}`, pattern: patternAround(text, name) });
  }
  const headers = exchange.response?.headers ?? [];
  for (let index = 0; index < headers.length; index += 2) {
    const [header = '', text = ''] = headers.slice(index, index + 2);
    for (const name of marksIn(text))
      found.push({ name, expression: `$response.header.${header}`, pattern: patternAround(text, name) });
  }
  return found;
}

/** What takes the secret out of a text that has more in it: `session=([^;]+)`. */
function patternAround(text: string, name: string): string | undefined {
  const mark = `~secret.${name}~`;
  if (text === mark) return undefined;
  const start = text.indexOf(mark);
  const before = /[^\s;,]*$/.exec(text.slice(0, start))?.[0] ?? '';
  const end = text[start + mark.length];
  const stop = end === undefined ? '.+' : `[^${end === ' ' ? '\\s' : end.replace(/[\\\]^-]/g, '\\$&')}]+`;
  return `${before.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(${stop})`;
}

import { headerValue } from '../../core/http/headers';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { chooseScheme } from '../../security/registry';
import { type Call, isSuccess } from '../flow/call';
import { leavesOf } from '../flow/producers';
import {
  carriedCredentials,
  isCalledCredential,
  marksIn,
  type SentCredential,
  sentCredentials,
} from './sent-credentials';

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
  /** Names of those that no request was let in with. */
  readonly refused: ReadonlySet<string>;
  /** The header of a token against forged requests, where a response gave that; `undefined` where none is sent. */
  readonly forgery: { readonly name: string; readonly text: string; readonly givenBy: Call } | undefined;
  /** Did any request say who asks? */
  readonly hasKeys: boolean;
}

/** How a call authenticates, as far as its marks tell. */
export interface CallAuth {
  /**
   * `open`: its operation asks for nothing; `secret`: by a key as the runner sends it; `written`: by others, which a step
   * has to write.
   */
  readonly kind: 'open' | 'none' | 'empty' | 'malformed' | 'secret' | 'written';
  /** Of the secret that the key is; empty where there is none. */
  readonly name: string;
  /** Credentials that the key does not stand for, and that say who asks. */
  readonly others: readonly SentCredential[];
  /** What looks like a credential, and is none as far as is known. */
  readonly unknown: readonly SentCredential[];
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
  const letIn = new Set([
    ...calls.filter(({ status }) => status !== 401).flatMap(marksOfHead),
    // A password that is refused is told by 400, 403 or 422 as well.
    ...calls.filter(({ status = 0 }) => status < 400).flatMap(marksOfRequest),
  ]);
  const refused = new Set([...sources.keys()].filter((name) => !letIn.has(name)));
  nameVariables(sources, refused);
  return {
    sources,
    callers: callersOf(api, calls, sources),
    refused,
    forgery: forgeryOf(calls, sources),
    hasKeys: calls.some((call) => /^(?:secret|written)$/.test(authOfCall(api, sources, call).kind)),
  };
}

const FORGERY = /csrf|xsrf/i;

function forgeryOf(calls: readonly Call[], sources: Secrets['sources']): Secrets['forgery'] {
  for (const { exchange } of calls) {
    const { headers } = exchange.request;
    for (let index = 0; index < headers.length; index += 2) {
      const [name = '', text = ''] = headers.slice(index, index + 2);
      const source = FORGERY.test(name) ? sources.get(marksIn(text)[0] ?? '') : undefined;
      if (source?.kind === 'captured') return { name, text, givenBy: source.call };
    }
  }
  return undefined;
}

/** What was mistyped first has no name: `PASSWORD`, and not `PASSWORD_2`, is the one that let somebody in. */
function nameVariables(sources: Map<string, SecretSource>, refused: ReadonlySet<string>): void {
  const taken = new Set<string>();
  for (const [name, { kind }] of sources) {
    if (kind !== 'given' || refused.has(name)) continue;
    const whole = environmentName(name);
    const plain = whole.replace(/_\d+$/, '');
    const isFree = !taken.has(plain) && (plain === whole || !isGivenAs(plain));
    const variable = isFree ? plain : whole;
    taken.add(variable);
    sources.set(name, { kind: 'given', variable });
  }

  function isGivenAs(plain: string): boolean {
    return [...sources].some(
      ([name, { kind }]) => kind === 'given' && !refused.has(name) && environmentName(name) === plain,
    );
  }
}

/** Does a call give a secret for a secret, as a login does? Nothing that anybody keeps is changed by it, nor by one that is refused. */
export function isLogin({ sources }: Secrets, call: Call): boolean {
  const isGiver = (source: SecretSource): boolean =>
    source.kind === 'captured' && (source.call === call || isSameRequest(source.call, call));
  return [...sources.values()].some(isGiver) && call.method === 'POST' && marksOfRequest(call).length > 0;
}

function isSameRequest(one: Call, other: Call): boolean {
  return one.method === other.method && one.path === other.path;
}

/**
 * What a reader has to know of a session in which nothing says who asks, though something should: the files of browsers
 * leave that out.
 */
export function keylessNotes(api: ApiModel, secrets: Secrets, calls: readonly Call[]): string[] {
  if (secrets.hasKeys || calls.some((call) => authOfCall(api, secrets.sources, call).others.length > 0)) return [];
  const isLetIn = (call: Call): boolean => isSuccess(call) && authOfCall(api, secrets.sources, call).kind === 'none';
  const hasLogin = calls.some((call) => isSuccess(call) && call.method === 'POST' && marksOfRequest(call).length > 0);
  const why = calls.some(isLetIn)
    ? 'the description asks for one, so that its steps are sent with the key of the run'
    : hasLogin
      ? 'a login stands among them'
      : undefined;
  if (why === undefined) return [];
  const note = `no request has a key or a cookie, though ${why}: browsers leave Authorization and Cookie out of a HAR unless it is exported "with sensitive data", and a contract without them may be wrong; what is secret is taken out here`;
  return [note];
}

const END_OF_SESSION = /(?:log|sign)[-_]?(?:out|off)$/i;

/** Does a call end what a login of the session began, and nothing else? */
export function isLogout(api: ApiModel, { sources }: Secrets, call: Call): boolean {
  const { name } = authOfCall(api, sources, call);
  return END_OF_SESSION.test(call.path) && sources.get(name)?.kind === 'captured';
}

/** `access_token` is `ACCESS_TOKEN` in the environment. */
export function environmentName(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
}

/**
 * How a call authenticates.
 *
 * @param operation - the one that is to be called in the same way
 */
export function authOfCall(
  api: ApiModel,
  sources: Secrets['sources'],
  call: Call,
  operation: Operation | undefined = call.operation,
): CallAuth {
  const all = sentCredentials(api, call);
  const isGiven = ({ text }: SentCredential): boolean => sources.get(marksIn(text)[0] ?? '')?.kind === 'captured';
  const isDeclared = ({ text }: SentCredential): boolean =>
    call.exchange.declaredSecrets?.some(({ name }) => marksIn(text).includes(name)) === true;
  const sent = all.filter((each) => isGiven(each) || isDeclared(each) || isCalledCredential(api, each));
  const unknown = all.filter((each) => !sent.includes(each));
  const { name = '', others } = carriedCredentials(api, operation, sent);
  const kind = chooseScheme(api, operation).kind === 'open' ? 'open' : kindOf(call, name, others);
  return { kind, name, others: kind === 'malformed' ? [] : others, unknown };
}

function kindOf(call: Call, name: string, others: readonly SentCredential[]): CallAuth['kind'] {
  if (name !== '') return 'secret';
  const authorization = headerValue(call.exchange.request.headers, 'authorization');
  // One of another scheme that was refused is as good as any other.
  const isRefused = call.status === 401 && others.every((each) => each.name.toLowerCase() === 'authorization');
  if (others.length > 0 && !isRefused) return 'written';
  if (authorization === undefined) return 'none';
  return /^\S+\s*$/.test(authorization) ? 'empty' : 'malformed';
}

function callersOf(
  api: ApiModel,
  calls: readonly Call[],
  sources: ReadonlyMap<string, SecretSource>,
): readonly string[] {
  const uses = new Map<string, number>();
  for (const call of calls) {
    const auth = authOfCall(api, sources, call);
    if (auth.kind !== 'secret' || sources.get(auth.name)?.kind !== 'given' || call.status === 401) continue;
    uses.set(auth.name, (uses.get(auth.name) ?? 0) + (isSuccess(call) ? 2 : 1));
  }
  return [...uses].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

function marksOfHead({ exchange: { request } }: Call): string[] {
  return [request.target, ...request.headers].flatMap(marksIn);
}

function marksOfRequest(call: Call): string[] {
  const { body } = call.exchange.request;
  return [...marksOfHead(call), ...marksIn(body?.kind === 'text' ? body.text : '')];
}

interface FoundMark {
  readonly name: string;
  readonly expression: string;
  readonly pattern: string | undefined;
}

function marksOfResponse(call: Call): FoundMark[] {
  const { exchange } = call;
  const found: FoundMark[] = [];
  // Hardly any body has one: the others need not be read.
  const body = marksIn(bodyText(exchange)).length === 0 ? undefined : call.responseBody;
  for (const { pointer, text } of body === undefined ? [] : leavesOf(body)) {
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

function bodyText({ response }: Call['exchange']): string {
  return response?.body?.kind === 'text' ? response.body.text : '';
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

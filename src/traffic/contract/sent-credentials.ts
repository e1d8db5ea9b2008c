import { parseCookies } from '../../core/http/header-fields';
import { parseQuery } from '../../core/http/request-target';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import {
  credentialLocations,
  hidesHeader,
  isSensitiveHeader,
  isSensitiveParameter,
} from '../../security/credential-locations';
import { chooseScheme, kindOf } from '../../security/registry';
import type { CredentialSender } from '../../security/scheme';
import { SECRET_MARK } from '../exchange/recorded-exchange';
import type { Call } from '../flow/call';
import { namedValue } from '../secrets/value-names';

/** Something secret in the head of a request that may say who asks, as it was sent. */
export interface SentCredential {
  readonly in: 'header' | 'query' | 'cookie';
  /** Of the header, the parameter or the cookie. */
  readonly name: string;
  /** With the marks of its secrets. */
  readonly text: string;
}

/** They are of an address, of a proxy, or of a page, and no key for the service. */
const NO_CREDENTIALS = /^(?:referer|origin|host|proxy-authorization)$/i;
/** A step has these as they were sent. */
const SENT_ANYWAY =
  /^(?:if-match|if-none-match|if-modified-since|if-unmodified-since|range|prefer|idempotency-key)$|csrf|xsrf/i;

/** What the head of a request has of secrets; of the query what is called so, and is no parameter of the operation. */
export function sentCredentials(api: ApiModel, call: Call): SentCredential[] {
  const found = [...inHeaders(api, call), ...inQuery(api, call)];
  return found.filter(({ text }) => marksIn(text).length > 0);
}

function inHeaders(api: ApiModel, { exchange, parameters }: Call): SentCredential[] {
  const { headers } = exchange.request;
  const found: SentCredential[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', text = ''] = headers.slice(index, index + 2);
    const lower = name.toLowerCase();
    if (lower === 'cookie') found.push(...cookiesIn(text));
    if (lower === 'cookie' || NO_CREDENTIALS.test(lower) || SENT_ANYWAY.test(lower)) continue;
    const isParameter = parameters.some(({ parameter }) => parameter.in === 'header' && parameter.key === lower);
    if (!isParameter || hidesHeader(credentialLocations(api), lower)) found.push({ in: 'header', name, text });
  }
  return found;
}

function inQuery(api: ApiModel, { query, parameters }: Call): SentCredential[] {
  const isParameter = (name: string): boolean =>
    parameters.some(({ parameter }) => parameter.in === 'query' && parameter.name === name);
  return parseQuery(query).flatMap(({ name, value: text }): SentCredential[] => {
    if (name === undefined || text === undefined) return [];
    const isKey = credentialLocations(api).query.has(name) || (isSensitiveParameter(name) && !isParameter(name));
    return isKey ? [{ in: 'query', name, text }] : [];
  });
}

function cookiesIn(header: string): SentCredential[] {
  return parseCookies(header).map(({ name, value }) => ({ in: 'cookie', name, text: value }));
}

/** Names of the secrets in a text, percent-encoded or not. */
export function marksIn(text: string): string[] {
  return [...text.replaceAll('%7E', '~').matchAll(SECRET_MARK)].map(([, name = '']) => name);
}

/** Is a credential one by its name, or by its place, which a security scheme of the description has? */
export function isCalledCredential(api: ApiModel, credential: SentCredential): boolean {
  const { in: place, name } = credential;
  if (isDeclared(api, credential) || namedValue(name) === 'session' || namedValue(name) === 'forgery-token')
    return true;
  return place === 'header' ? isSensitiveHeader(name) : isSensitiveParameter(name);
}

/** Does a security scheme of the description have such a place? */
export function isDeclared(api: ApiModel, { in: place, name }: SentCredential): boolean {
  return [...api.securitySchemes.values()].some((scheme) => {
    const { headers, query, cookies } = kindOf(scheme)?.locations(scheme) ?? { headers: [], query: [], cookies: [] };
    if (place === 'header') return headers.includes(name.toLowerCase());
    return (place === 'query' ? query : cookies).includes(name);
  });
}

/** Which credentials the key of a step stands for: those that the runner puts where they were. */
interface CarriedCredentials {
  /** Name of the secret; `undefined` where the key would not be where the request had one. */
  readonly name: string | undefined;
  /** What the request had beside it. */
  readonly others: readonly SentCredential[];
}

/** What of the credentials of a request the runner sends by itself: it has one key for the operation. */
export function carriedCredentials(
  api: ApiModel,
  operation: Operation | undefined,
  sent: readonly SentCredential[],
): CarriedCredentials {
  const choice = chooseScheme(api, operation);
  if (choice.kind !== 'known') return { name: undefined, others: sent };
  const placed = sent.filter((each) => isPlaceOf(choice.scheme, each));
  const [name] = placed.flatMap(({ text }) => marksIn(text));
  const others = sent.filter((each) => !placed.includes(each) || marksIn(each.text)[0] !== name);
  // A header of a step takes the place of one that the key gives, and cookies share one; a query would have both.
  const isClear =
    !others.some((each) => each.in === 'query' && placed.includes(each)) &&
    !(others.some(isCookie) && placed.some((each) => isCookie(each) && !others.includes(each)));
  return isClear && name !== undefined ? { name, others } : { name: undefined, others: sent };
}

function isCookie({ in: place }: SentCredential): boolean {
  return place === 'cookie';
}

function isPlaceOf(scheme: CredentialSender, { in: place, name, text }: SentCredential): boolean {
  const { headers, query, cookies } = scheme.locations;
  if (place === 'query') return query.includes(name);
  if (place === 'cookie') return cookies.includes(name);
  const lower = name.toLowerCase();
  return headers.includes(lower) && (lower !== 'authorization' || hasSchemeOf(scheme, text));
}

/** Is a value of Authorization of the scheme that a key is sent with? That of an API key has none of its own. */
function hasSchemeOf(scheme: CredentialSender, text: string): boolean {
  const { headers } = scheme.send('key');
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  const [, own] = /^(\S+) /.exec(headers[at + 1] ?? '') ?? [];
  return own === undefined || text.toLowerCase().startsWith(`${own.toLowerCase()} `);
}

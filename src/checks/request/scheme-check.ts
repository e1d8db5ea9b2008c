import { bearerChallenge, challenge, parseBasic, parseBearer, schemeOf } from '../../http/authorization';
import { countHeader, headerValues } from '../../http/headers';
import { decodeQueryComponent } from '../../http/request-target';
import type { RequestHead } from '../../http/message';
import type { RequiredScheme, SecurityScheme } from '../../openapi/model';
import type { ProblemCode } from '../problem';
import type { CredentialBook, KnownCaller } from './credential-book';
import { textsOfCookies, textsOfQuery } from './sent-texts';

/** What is looked at for credentials. */
export interface CredentialInput {
  readonly head: RequestHead;
  /** Raw query, without the question mark. */
  readonly query: string;
  /** Epoch milliseconds by the mock's clock. */
  readonly nowMs: number;
}

/** Why credentials are refused, with what a 401 or 403 has to say about it. */
export interface SchemeRefusal {
  readonly kind: 'refused';
  readonly code: ProblemCode;
  readonly message: string;
  readonly challenge: string;
  /** What to send, where nothing was sent. */
  readonly wanted?: string | undefined;
}

/** Who was let in. */
export interface SchemeAcceptance {
  readonly kind: 'accepted';
  /** What was sent; `''` where the scheme asks for nothing that could be looked at. */
  readonly key: string;
  readonly principal: string | undefined;
  /** The user name of basic credentials. */
  readonly userName?: string;
}

export type SchemeCheck = SchemeRefusal | SchemeAcceptance;

/** What one scheme is judged with. */
export interface SchemeContext {
  readonly scheme: SecurityScheme;
  readonly required: RequiredScheme;
  readonly realm: string;
  /** `undefined` takes every well-formed credential. */
  readonly book: CredentialBook | undefined;
  readonly input: CredentialInput;
}

/** How a scheme says what is wrong: `error` of RFC 6750 §3.1 where it has one. */
type Challenge = (error?: 'invalid_token' | 'insufficient_scope') => string;

const UNSEEN: SchemeCheck = { kind: 'accepted', key: '', principal: undefined };

/** Judges the credentials of a request by one security scheme (OAS 3.1.0 §4.8.27). */
export function checkScheme(context: SchemeContext): SchemeCheck {
  const { scheme } = context;
  switch (scheme.type) {
    case 'apiKey':
      return checkApiKey(context);
    case 'oauth2':
    case 'openIdConnect':
      return checkBearer(context);
    case 'http':
      if (scheme.scheme === 'bearer') return checkBearer(context);
      return scheme.scheme === 'basic' ? checkBasic(context) : checkPresence(context);
    default:
      // A certificate is a matter of the connection: `mutualTLS` is not enforced, which a warning says.
      return UNSEEN;
  }
}

function checkBearer(context: SchemeContext): SchemeCheck {
  const { realm, required, input } = context;
  const say: Challenge = (error) =>
    bearerChallenge({
      realm,
      ...(error === undefined ? {} : { error }),
      ...(error === 'insufficient_scope' ? { scopes: required.scopes } : {}),
    });
  const header = authorizationOf(input.head, 'Bearer <API_KEY>', say);
  if (typeof header !== 'string') return header;
  const sent = parseBearer(header);
  if (sent.kind === 'malformed') {
    const message = `The header Authorization is not "Bearer <API_KEY>": ${sent.reason}`;
    return refused('malformed_authorization', message, say());
  }
  return judge(context, sent.token, 'The API key', context.book?.byKey(sent.token), say);
}

function checkBasic(context: SchemeContext): SchemeCheck {
  const say: Challenge = () => challenge('Basic', { realm: context.realm, charset: 'UTF-8' });
  const header = authorizationOf(context.input.head, 'Basic <base64 of user:password>', say);
  if (typeof header !== 'string') return header;
  const sent = parseBasic(header);
  if (sent.kind === 'malformed') {
    const message = `The header Authorization is not "Basic <base64 of user:password>": ${sent.reason}`;
    return refused('malformed_authorization', message, say());
  }
  const { username, password } = sent;
  const key = `${username}:${password}`;
  const check = judge(context, key, 'The user name or the password', context.book?.byPassword(username, password), say);
  return check.kind === 'accepted' ? { ...check, userName: username } : check;
}

/** Schemes such as Digest: that something was sent for them is all that can be asked. */
function checkPresence(context: SchemeContext): SchemeCheck {
  const { scheme = '' } = context.scheme;
  const name = scheme.charAt(0).toUpperCase() + scheme.slice(1);
  const say: Challenge = () => challenge(name, { realm: context.realm });
  const header = authorizationOf(context.input.head, `${name} …`, say);
  if (typeof header !== 'string') return header;
  if (schemeOf(header) === scheme && header.slice(scheme.length).trim() !== '') {
    return { kind: 'accepted', key: header, principal: undefined };
  }
  return refused('malformed_authorization', `The header Authorization is not "${name} …"`, say());
}

function authorizationOf({ headers, rawHeaders }: RequestHead, form: string, say: Challenge): string | SchemeRefusal {
  const header = headers['authorization'];
  if (typeof header !== 'string') {
    return missing('header Authorization', `Authorization: ${form}`, say());
  }
  // Node joins no second Authorization line but drops it, so that only the raw lines tell (RFC 9110 §5.3).
  if (countHeader(rawHeaders, 'authorization') <= 1) return header;
  const message = 'The header Authorization was sent more than once; send it once';
  return refused('malformed_authorization', message, say());
}

function checkApiKey(context: SchemeContext): SchemeCheck {
  const { scheme, realm, input, book } = context;
  const { parameterName: name = '', in: location = 'header' } = scheme;
  const say: Challenge = () => challenge('ApiKey', { realm, in: location, name });
  const texts = apiKeyTexts(scheme, input);
  const place = location === 'query' ? `query parameter ${name}` : `${location} ${name}`;
  const [key = ''] = texts;
  if (texts.length > 1) {
    return refused('malformed_authorization', `The ${place} was sent more than once; send it once`, say());
  }
  if (key === '') {
    const form = KEY_FORMS[location]?.(name) ?? name;
    return missing(place, form, say());
  }
  return judge(context, key, 'The API key', book === undefined ? undefined : knownKey(book, scheme, key), say);
}

/** Descriptions that came before `http` schemes have bearer tokens as an API key in the header Authorization. */
function knownKey(
  book: CredentialBook,
  { in: location, parameterName }: SecurityScheme,
  key: string,
): KnownCaller | undefined {
  const known = book.byKey(key);
  if (known !== undefined || location !== 'header' || parameterName?.toLowerCase() !== 'authorization') return known;
  return book.byKey(key.slice(key.indexOf(' ') + 1));
}

const KEY_FORMS: Readonly<Record<string, (name: string) => string>> = {
  header: (name) => `${name}: <API_KEY>`,
  query: (name) => `?${name}=<API_KEY>`,
  cookie: (name) => `Cookie: ${name}=<API_KEY>`,
};

/** Every text that a request has in the place of an API key. */
export function apiKeyTexts(
  scheme: SecurityScheme,
  { head, query }: Pick<CredentialInput, 'head' | 'query'>,
): readonly string[] {
  const { parameterName: name = '', in: location } = scheme;
  switch (location) {
    case 'query': {
      const sent = query === '' ? undefined : textsOfQuery(query);
      const texts = sent === undefined || typeof sent === 'string' ? [] : (sent.get(name) ?? []);
      return texts.map((text) => decodeQueryComponent(text) ?? text);
    }
    case 'cookie':
      return textsOfCookies(head.headers['cookie']).get(name) ?? [];
    default:
      return headerValues(head.rawHeaders, name);
  }
}

/** @param what - the noun for what was sent, which is never repeated */
function judge(
  { book, required, input }: SchemeContext,
  key: string,
  what: string,
  known: KnownCaller | undefined,
  say: Challenge,
): SchemeCheck {
  if (book === undefined) return { kind: 'accepted', key, principal: undefined };
  if (known === undefined) return refused('invalid_api_key', `${what} is not known`, say('invalid_token'));
  if (known.expiresAt !== undefined && input.nowMs >= known.expiresAt) {
    return refused('invalid_api_key', `${what} has expired`, say('invalid_token'));
  }
  const { scopes, principal } = known;
  const missing = scopes === 'all' ? [] : required.scopes.filter((scope) => !scopes.has(scope));
  if (missing.length === 0) return { kind: 'accepted', key, principal };
  const message = `The scope ${missing.join(' ')} is missing; this operation asks for ${required.scopes.join(' ')}`;
  return refused('insufficient_scope', message, say('insufficient_scope'));
}

/** @param wanted - what to send */
function missing(place: string, wanted: string, text: string): SchemeRefusal {
  return { ...refused('missing_api_key', `The ${place} is missing; send "${wanted}"`, text), wanted };
}

function refused(code: ProblemCode, message: string, text: string): SchemeRefusal {
  return { kind: 'refused', code, message, challenge: text };
}

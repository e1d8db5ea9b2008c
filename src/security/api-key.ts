import { challenge as formatChallenge } from '../core/http/authorization';
import { ConfigError } from '../core/errors/standin-error';
import { headerValues } from '../core/http/headers';
import { rawCookieValues, rawQueryValues } from '../core/http/raw-values';
import { decodeQueryComponent } from '../core/http/request-target';
import type { SecurityScheme } from '../openapi/model/operation';
import { isPossibleName } from '../openapi/model/security-schemes';
import {
  type AcceptedCredentials,
  checkKnownCaller,
  type CredentialInput,
  type KnownCaller,
  missingCredential,
  rejected,
} from './credential-check';
import {
  createSender,
  type CredentialNames,
  type CredentialSender,
  inAuthorization,
  inQuery,
  MISSING_KEY,
  NO_NAMES,
  otherCaseKind,
  probeFromKey,
  type ProbeKind,
  probeWithoutKey,
  type RequestCredentials,
  type SecuritySchemeKind,
  type SendKeys,
  similarKinds,
  truncatedKind,
  unknownKeyProbe,
  withWord,
} from './scheme';

interface KeyLocation {
  readonly names: (name: string) => CredentialNames;
  readonly put: (name: string, keys: readonly string[]) => RequestCredentials;
  /** What to send, in the message of a 401. */
  readonly form: (name: string) => string;
  /** `undefined` where the key goes into the URL. */
  readonly curlOption?: (name: string, key: string) => string;
}

const LOCATIONS: ReadonlyMap<string, KeyLocation> = new Map([
  [
    'header',
    {
      names: (name) => ({ ...NO_NAMES, headers: [name.toLowerCase()] }),
      put: (name, keys) => ({ headers: keys.flatMap((key) => [name, key]), query: [] }),
      form: (name) => `${name}: <API_KEY>`,
      curlOption: (name, key) => `-H "${name}: ${key}"`,
    },
  ],
  [
    'query',
    {
      names: (name) => ({ ...NO_NAMES, query: [name] }),
      put: (name, keys) => ({ headers: [], query: keys.flatMap((key) => inQuery(name, key).query) }),
      form: (name) => `?${name}=<API_KEY>`,
    },
  ],
  [
    'cookie',
    {
      names: (name) => ({ ...NO_NAMES, cookies: [name] }),
      put: (name, keys) => ({
        headers: ['Cookie', keys.map((key) => `${name}=${cookieText(key)}`).join('; ')],
        query: [],
      }),
      form: (name) => `Cookie: ${name}=<API_KEY>`,
      curlOption: (name, key) => `-b "${name}=${key}"`,
    },
  ],
]);

function locationOf({ in: location = '' }: SecurityScheme): KeyLocation | undefined {
  return LOCATIONS.get(location);
}

/** What ends a cookie or is trimmed from it would reach the server as another key (RFC 6265 §5.4, §4.1.1). */
function cookieText(key: string): string {
  if (!/[;\p{Cc}]|^\s|\s$/u.test(key)) return key;
  throw new ConfigError(
    'CONFIG_INVALID',
    'The API key cannot be sent in a cookie: it holds ";", a control character, or begins or ends with white space',
    {
      hint: 'Give the key as the server writes it into the cookie, for example percent-encoded: %3B for ";".',
    },
  );
}

/**
 * Is the whole header Authorization an API key? Descriptions that came before `http` schemes, such as those of Swagger 2,
 * mean bearer tokens by that.
 */
export function isInAuthorization({ type, in: location, parameterName }: SecurityScheme): boolean {
  return type === 'apiKey' && location === 'header' && parameterName?.toLowerCase() === 'authorization';
}

/** Words that a text asks for before the key, each with one group. */
const WORDS_IN_TEXT: readonly RegExp[] = [
  /\bAuthorization: +["'`]?([A-Z][\w-]*) +[<{[$"'`\w]/,
  /\bprefix(?:ed)?\b[^.]{0,30}?["'`“]([A-Za-z][\w-]*) *["'`”]/i,
  /["'`“]([A-Za-z][\w-]*) *["'`”][^.]{0,20}\bprefix/i,
  /["'`“](Bearer|Token|JWT|ApiKey|[A-Z][\w-]*(?= +[<{[$])) +\S/,
  /\b(Bearer)\b/i,
];

/** @returns the word that the text of a scheme asks for before the key; `''` where it asks for none */
export function wordInText({ description = '' }: Pick<SecurityScheme, 'description'>): string {
  if (/\b(?:without|no|not|omit)\b[^.]{0,30}\b(?:bearer|prefix|scheme)\b/i.test(description)) return '';
  for (const pattern of WORDS_IN_TEXT) {
    const [, word] = pattern.exec(description) ?? [];
    if (word !== undefined) return word.toLowerCase() === 'bearer' ? 'Bearer' : word;
  }
  return '';
}

/** `undefined` for a scheme without a name or a place. */
function senderOf(scheme: SecurityScheme, given?: string): CredentialSender | undefined {
  const { parameterName: name } = scheme;
  const location = locationOf(scheme);
  if (name === undefined || location === undefined) return undefined;
  const isHeader = scheme.in === 'header';
  const word = isHeader ? (given ?? (isInAuthorization(scheme) ? wordInText(scheme) : '')) : '';
  const worded = (keys: readonly string[]): string[] => keys.map((key) => withWord(word, key));
  const put: SendKeys = (...keys) => location.put(name, worded(keys));
  const putUnusually: SendKeys = isHeader ? (...keys) => location.put(name.toLowerCase(), worded(keys)) : put;
  const probes: readonly ProbeKind[] = [
    MISSING_KEY,
    probeWithoutKey('an empty key', () => put('')),
    unknownKeyProbe(put),
    truncatedKind(put),
    ...similarKinds(put),
    otherCaseKind(put, 'Keys that differ by case alone count as one. Compare them octet by octet.'),
    ...(isHeader ? [probeFromKey('the header in lower case', 'accepted', (key) => putUnusually(key))] : []),
  ];
  // Basic credentials are wrong wherever an API key is.
  const malformed = inAuthorization('Basic c3RhbmRpbjpzdGFuZGlu');
  const locations = location.names(name);
  return createSender({ locations, put, putUnusually, malformed: () => malformed, empty: put(''), probes });
}

/** In the header Authorization a word may stand before the key, and some have the key by a name: `Token token="…"`. */
function knownKey(book: AcceptedCredentials, scheme: SecurityScheme, key: string): KnownCaller | undefined {
  const known = book.byKey(key);
  if (known !== undefined || !isInAuthorization(scheme)) return known;
  const bare = key.slice(key.indexOf(' ') + 1);
  const [, named] = /^[\w-]+="?([^",;]*)/.exec(bare) ?? [];
  return book.byKey(bare) ?? (named === undefined ? undefined : book.byKey(named));
}

/** Every text that a request has in the place of an API key. */
export function apiKeyTexts(
  scheme: SecurityScheme,
  { head, query }: Pick<CredentialInput, 'head' | 'query'>,
): readonly string[] {
  const { parameterName: name = '', in: location } = scheme;
  switch (location) {
    case 'query': {
      const sent = query === '' ? undefined : rawQueryValues(query);
      const texts = sent === undefined || typeof sent === 'string' ? [] : (sent.get(name) ?? []);
      return texts.map((text) => decodeQueryComponent(text) ?? text);
    }
    case 'cookie':
      return rawCookieValues(head.headers['cookie']).get(name) ?? [];
    default:
      return headerValues(head.rawHeaders, name);
  }
}

/** `type: apiKey`, in a header, the query or a cookie (OAS 3.0.3 §4.7.27). A name that no request can have is left out. */
export const apiKey: SecuritySchemeKind = {
  matches: (scheme) => scheme.type === 'apiKey' && isPossibleName(scheme),
  challenge: ({ realm, scheme: { in: location = 'header', parameterName: name = '' } }) =>
    formatChallenge('ApiKey', { realm, in: location, name }),
  verify(context, challenge) {
    const { scheme, input, accepted } = context;
    const { parameterName: name = '', in: location = 'header' } = scheme;
    const texts = apiKeyTexts(scheme, input);
    const place = location === 'query' ? `query parameter ${name}` : `${location} ${name}`;
    const [key = ''] = texts;
    if (texts.length > 1) {
      return rejected('malformed_authorization', `The ${place} was sent more than once; send it once`, challenge());
    }
    if (key === '') return missingCredential(place, LOCATIONS.get(location)?.form(name) ?? name, challenge());
    const known = accepted === undefined ? undefined : knownKey(accepted, scheme, key);
    return checkKnownCaller(context, key, 'The API key', known, challenge);
  },
  sender: senderOf,
  locations: (scheme) =>
    (scheme.parameterName === undefined ? undefined : locationOf(scheme)?.names(scheme.parameterName)) ?? NO_NAMES,
  explain: ({ in: location = '', parameterName: name = '' }) => `${location} ${name}`,
  curlOption: (scheme, key) => locationOf(scheme)?.curlOption?.(scheme.parameterName ?? '', key),
};

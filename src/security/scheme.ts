import type { RawHeaders } from '../core/http/message';
import type { SecurityScheme } from '../openapi/model/operation';
import type { ChallengeError, MakeChallenge, SchemeCheck, SchemeContext } from './credential-check';

/** The part of a request that says who is asking, or pretends to. */
export interface RequestCredentials {
  readonly headers: RawHeaders;
  /** Pairs of the query, percent-encoded, such as `access_token=abc`. */
  readonly query: readonly string[];
}

/** How a request that is meant to be rejected differs from one with the right key. */
export type CredentialVariant = 'none' | 'invalid' | 'malformed' | 'empty' | 'doubled' | 'lower-case' | 'query';

interface KeyMaterial {
  /** A key that is let in; `undefined` when none was given. */
  readonly key: string | undefined;
  readonly runId: string;
}

/** What must become of a request with such credentials. */
export type ProbeExpectation =
  /** 401. */
  | 'refused'
  /** 401, or 400 where the operation documents it. */
  | 'refused-or-malformed'
  /** 401, or 403 where the operation documents it. */
  | 'refused-or-forbidden'
  /** 401, or a rejection of the method: who has no HEAD need not look at the key. */
  | 'not-let-in'
  /** Anything documented but a rejection. */
  | 'accepted';

/** One way to come with credentials that are not the right ones, or that look unusual and are right. */
export interface ProbeKind {
  /** What is wrong with the key, or unusual: `an empty key`. */
  readonly title: string;
  readonly expects: ProbeExpectation;
  /**
   * Why a service that lets it in breaks no rule, for people; that is reported as a warning then. `undefined` where one does.
   */
  readonly advice?: string | undefined;
  /** Is it sent as HEAD as well, where the description has none? For credentials that nobody knows. */
  readonly asHead?: boolean | undefined;
  readonly isInUrl?: boolean | undefined;
  /** Is one read of each scheme enough, because it tells how keys are compared and not where? */
  readonly isOnce?: boolean | undefined;
  /** @returns `undefined` where the kind needs a key and there is none that is fit for it */
  readonly credentials: (material: KeyMaterial) => RequestCredentials | undefined;
}

/** Names of what carries the credentials of a scheme; those of headers in lower case. */
export interface CredentialNames {
  readonly headers: readonly string[];
  readonly query: readonly string[];
  readonly cookies: readonly string[];
}

export const NO_NAMES: CredentialNames = { headers: [], query: [], cookies: [] };
export const IN_AUTHORIZATION: CredentialNames = { ...NO_NAMES, headers: ['authorization'] };

/** How the runner sends credentials of a scheme, and what it tries instead of them. */
export interface CredentialSender {
  send(key: string): RequestCredentials;
  /** @param key - needed by `doubled`, `lower-case` and `query` alone */
  variant(variant: CredentialVariant, key: string, runId: string): RequestCredentials;
  readonly probes: readonly ProbeKind[];
  readonly locations: CredentialNames;
}

/** Everything about one kind of security scheme (OAS 3.1.0 §4.8.27). A new one is an object like this in the registry. */
export interface SecuritySchemeKind {
  matches(scheme: SecurityScheme): boolean;
  /** `WWW-Authenticate` of a 401 or 403; `undefined` for a scheme that rejects nobody. */
  readonly challenge?: (context: SchemeContext, error?: ChallengeError) => string;
  /** @param challenge - says what is wrong, in the way of this scheme */
  verify(context: SchemeContext, challenge: MakeChallenge): SchemeCheck;
  /** `undefined` where the runner cannot send the scheme with a key. A word stands before the key; `''` for none. */
  readonly sender?: (scheme: SecurityScheme, word?: string) => CredentialSender | undefined;
  /** What is redacted beside what is sensitive by its name. */
  locations(scheme: SecurityScheme): CredentialNames;
  /** What to send, for people: `header Authorization: Bearer …`. */
  explain(scheme: SecurityScheme): string;
  /** Options of curl that send a key; without one the query carries it, or curl cannot send it. */
  readonly curlOption?: (scheme: SecurityScheme, key: string) => string | undefined;
}

/** What tells the senders of schemes apart. */
interface SenderParts {
  readonly locations: CredentialNames;
  /** Several keys only where something is wrong with that. */
  readonly put: SendKeys;
  /** In a way that means the same: names of headers and schemes have no case (RFC 9110 §5.1, §11.1). */
  readonly putUnusually: (key: string) => RequestCredentials;
  readonly malformed: (unknown: string) => RequestCredentials;
  readonly empty: RequestCredentials;
  /** A key in the form of this scheme that nobody knows; the text itself when left out. */
  readonly unknownKey?: (text: string) => string;
  readonly probes: readonly ProbeKind[];
}

/** Puts keys where the scheme has them. */
export type SendKeys = (...keys: readonly string[]) => RequestCredentials;

export function createSender(parts: SenderParts): CredentialSender {
  const { locations, put, putUnusually, malformed, empty, probes } = parts;
  const formOf = parts.unknownKey ?? ((text: string): string => text);
  const variants: Record<CredentialVariant, (key: string, unknown: string) => RequestCredentials> = {
    none: () => NO_CREDENTIALS,
    invalid: (_, unknown) => put(formOf(unknown)),
    malformed: (_, unknown) => malformed(unknown),
    empty: () => empty,
    doubled: (key, unknown) => put(key, formOf(unknown)),
    'lower-case': putUnusually,
    query: (key) => inQuery('access_token', key),
  };
  const variant: CredentialSender['variant'] = (name, key, runId) => variants[name](key, unknownKey({ runId }));
  return { send: put, variant, probes, locations };
}

/** Credentials of several schemes that are sent together. */
export function mergeCredentials(all: readonly RequestCredentials[]): RequestCredentials {
  return { headers: all.flatMap(({ headers }) => headers), query: [...new Set(all.flatMap(({ query }) => query))] };
}

/** Splits a key as somebody gave it: `Token abc` is the key `abc` behind the word `Token`. */
export function splitKey(text: string): { readonly word: string | undefined; readonly key: string } {
  const [, word, key = text] = /^([A-Za-z][\w-]*) +(\S+)$/.exec(text) ?? [];
  return { word, key };
}

/** A key behind a word, such as `Bearer`; as it is where it has one already, or where the word is empty. */
export function withWord(word: string, key: string): string {
  return word === '' || splitKey(key).word !== undefined ? key : `${word} ${key}`;
}

/** Values of the header Authorization. */
export const inAuthorization: SendKeys = (...values) => ({
  headers: values.flatMap((value) => ['Authorization', value]),
  query: [],
});

export const NO_CREDENTIALS: RequestCredentials = { headers: [], query: [] };

const UNKNOWN_KEY = 'standin-unknown-key-';

export const unknownKey = ({ runId }: Pick<KeyMaterial, 'runId'>): string => `${UNKNOWN_KEY}${runId}`;

/** Does a key say of itself that it is to be rejected? */
export function isMadeToBeRejected(key: string): boolean {
  return key.startsWith(UNKNOWN_KEY) || /^invalid/i.test(key);
}

export const inQuery = (name: string, key: string): RequestCredentials => ({
  headers: [],
  query: [`${encodeURIComponent(name)}=${encodeURIComponent(key)}`],
});

/** A kind that has nothing to do with the right key. */
export const probeWithoutKey = (title: string, make: (unknown: string) => RequestCredentials): ProbeKind => ({
  title,
  expects: 'refused',
  credentials: (material) => make(unknownKey(material)),
});

export const MISSING_KEY: ProbeKind = { ...probeWithoutKey('a missing key', () => NO_CREDENTIALS), asHead: true };

export const unknownKeyProbe = (put: SendKeys): ProbeKind => ({
  ...probeWithoutKey('an unknown key', (unknown) => put(unknown)),
  asHead: true,
});

/** A kind that is made of the right key. */
export const probeFromKey = (
  title: string,
  expects: ProbeExpectation,
  make: (key: string, material: KeyMaterial) => RequestCredentials | undefined,
): ProbeKind => ({
  title,
  expects,
  credentials: (material) => (material.key === undefined ? undefined : make(material.key, material)),
});

/** @param what - what is cut: `key` or `password` */
export const truncatedKind = (put: SendKeys, what = 'key'): ProbeKind =>
  probeFromKey(`the ${what} cut by its last character`, 'refused', (key) => {
    const cut = truncatedKey(key);
    return cut === undefined ? undefined : put(cut);
  });

const SHORTEST_TRUNCATED = 8;

/**
 * A key without its last character, which must not be let in. What fills a key up to a multiple of four goes with it:
 * a service that reads base64 may do without.
 *
 * @returns `undefined` for a key of 8 characters or less, of which too much would be missing
 */
export function truncatedKey(key: string): string | undefined {
  return key.length <= SHORTEST_TRUNCATED ? undefined : key.slice(0, key.length - removedLength(key));
}

/** The shell's word for such a key: `${NAME%?}`, which is the text of NAME without its last character. */
export function truncatedVariable(name: string, key: string): string {
  return `\${${name}%?${'='.repeat(removedLength(key) - 1)}}`;
}

function removedLength(key: string): number {
  return 1 + (/=*$/.exec(key)?.[0].length ?? 0);
}

const SHORTEST_OTHER_CASE = 8;
/** Digits of a number or a UUID may be compared as what they stand for. */
const NUMBER_LIKE = /^[\da-f-]+$/i;

/**
 * A key in capitals, or in small letters where it is in capitals itself, which is another key: who takes it for the same
 * makes keys easier to guess, and mixes up callers whose keys differ by case.
 *
 * @returns `undefined` for a key without letters, a short one, and what may be a number
 */
export function otherCase(key: string): string | undefined {
  const other = key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase();
  return other === key || key.length < SHORTEST_OTHER_CASE || NUMBER_LIKE.test(key) ? undefined : other;
}

/** The shell's word for such a key: `${NAME^^}`, which is the text of NAME in capitals. */
export function otherCaseVariable(name: string, key: string): string {
  return `\${${name}${key === key.toUpperCase() ? ',,' : '^^'}}`;
}

/** Asked once: it tells how keys are compared. */
export function otherCaseKind(put: (key: string) => RequestCredentials, advice?: string): ProbeKind {
  const kind = probeFromKey('the key in another case', 'refused', (key) => {
    const other = otherCase(key);
    return other === undefined ? undefined : put(other);
  });
  return { ...kind, advice, isOnce: true };
}

const SHORTEST_ALTERED = 8;
/** What is put before a key, and behind it: two letters, which no base64 takes for a part of the octet before them. */
const MORE_LETTERS = 'xx';
/** Longer passwords some services cut before they compare them. */
const LONGEST_PASSWORD = 64;

/** Index of the character that is another one in an altered key: in the middle, where it matters in every form of keys. */
function alteredIndex(key: string): number {
  const middle = Math.floor(key.length / 2);
  const offset = key.slice(middle).search(/[A-Za-z0-9]/);
  return offset < 0 || key.length < SHORTEST_ALTERED ? -1 : middle + offset;
}

/** The letter in its place. */
function otherLetter(letter: string): string {
  return letter === 'x' ? 'y' : 'x';
}

/**
 * A key with another letter in its middle, which is as long and begins and ends as the right one.
 *
 * @returns `undefined` for a short one, and for one without letters and digits
 */
export function alteredKey(key: string): string | undefined {
  const index = alteredIndex(key);
  return index < 0 ? undefined : `${key.slice(0, index)}${otherLetter(key[index] ?? '')}${key.slice(index + 1)}`;
}

/** The shell's word for such a key: `${NAME:0:4}x${NAME:5}`. */
export function alteredVariable(name: string, key: string): string {
  const index = alteredIndex(key);
  return `\${${name}:0:${index}}${otherLetter(key[index] ?? '')}\${${name}:${index + 1}}`;
}

/** The keys that look like one and are another, which are asked with of how keys are compared. */
export function similarKeys(key: string): string[] {
  const made = [truncatedKey(key), otherCase(key), alteredKey(key), `${MORE_LETTERS}${key}`, `${key}${MORE_LETTERS}`];
  return made.filter((each) => each !== undefined);
}

/**
 * Keys that begin, end or look like the right one; asked once: they tell how keys are compared. Padding of base64 may end
 * what is read of a key.
 */
export function similarKinds(put: (key: string) => RequestCredentials, what = 'key'): readonly ProbeKind[] {
  const similar = (title: string, make: (key: string) => string | undefined): ProbeKind => ({
    ...probeFromKey(title, 'refused', (key) => {
      const other = key.length < SHORTEST_ALTERED ? undefined : make(key);
      return other === undefined ? undefined : put(other);
    }),
    isOnce: true,
  });
  const isWhole = (key: string): boolean => !key.endsWith('=') && (what === 'key' || key.length <= LONGEST_PASSWORD);
  return [
    similar(`the ${what} with another letter in it`, alteredKey),
    // Of `user:password`, behind the colon.
    similar(`letters before the ${what}`, (key) =>
      key.replace(what === 'key' ? /^/ : /^(?:[^:]*:)?/, `$&${MORE_LETTERS}`),
    ),
    similar(`letters after the ${what}`, (key) => (isWhole(key) ? `${key}${MORE_LETTERS}` : undefined)),
  ];
}
